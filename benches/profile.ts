/**
 * Where the time of a request goes, in servers of `bench:http` beside each other: their processes are profiled under load.
 *
 * ```sh
 * deno task bench:profile node "POST /users" node:http Fastify Irori
 * deno task bench:profile "node, browser" "GET /users/{id}" Fastify Irori
 * ```
 *
 * Samples are taken by the runtime, which costs time: what can be compared is what the sides spend where.
 *
 * @module
 */
import { ARENAS, OUR_PACKAGES, PEERS, titleOf } from "./http/contenders.ts";
import { ensureWrk, LOADS } from "./http/load.ts";
import { type CodePlace, profileOf } from "./http/profile.ts";
import { compileServer, createProject } from "./http/project.ts";
import { aligned } from "./http/table.ts";
import { machine } from "./machine.ts";

const [title = "node", part = "POST /users", ...names] = Deno.args;
const arena = ARENAS.find((arena) => titleOf(arena).toLowerCase() === title);
const load = LOADS.find(({ name }) => name.includes(part));
const known = arena?.contenders.map(({ name }) => name) ?? [];
if (!arena || title === "jvm" || !load || !names.every((name) => known.includes(name))) {
  const quoted = (texts: readonly string[]) => texts.map((text) => `'${text}'`).join(", ");
  console.error(
    `Cannot profile ${
      quoted([title, part, ...names])
    }: expected node, deno, bun or one of them in a scenario, a part of ${
      quoted(LOADS.map(({ name }) => name))
    }, and some of ${quoted(known)}`,
  );
  Deno.exit(2);
}
await ensureWrk();
await using project = await createProject([...OUR_PACKAGES, ...PEERS]);
const command = await arena.command();
const chosen = arena.contenders.filter(({ name }) => names.length === 0 || names.includes(name));
const found: ReadonlyMap<CodePlace, number>[] = [];
for (const contender of chosen) {
  const { args } = await compileServer(project, contender);
  found.push(await profileOf(command, args, project.path, load, await arena.setting.sent?.()));
}
const places = [...new Set(found.flatMap((places) => [...places.keys()]))];
const total = (times: ReadonlyMap<CodePlace, number>) =>
  times.values().reduce((sum, time) => sum + time, 0);
const most = (place: CodePlace) => Math.max(...found.map((times) => times.get(place) ?? 0));
const rows = places.filter((place) => most(place) >= 0.05)
  .toSorted((a, b) => most(b) - most(a))
  .map((place) => [place, ...found.map((times) => (times.get(place) ?? 0).toFixed(1))]);
console.log(aligned([
  [`${titleOf(arena)}, ${load.name}, µs`, ...chosen.map(({ name }) => name)],
  ...rows,
  ["all", ...found.map((times) => total(times).toFixed(1))],
]));
console.log(`\n${machine()}`);
