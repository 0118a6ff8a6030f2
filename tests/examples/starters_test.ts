/** Starters as strangers use them: the commands of each README, run one after another. */
import { assertEquals, assertLess, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname, fromFileUrl, join } from "@std/path";
import { bunExecutable } from "../../tools/_npm.ts";
import { node } from "../runtimes/executables.ts";
import { packLibrary } from "../runtimes/project.ts";
import { ask, clusterTest, PLAIN } from "../servers/real.ts";
import { Starter } from "./readme.ts";

const CLI = fromFileUrl(new URL("../../cli.ts", import.meta.url));
const PATH = Deno.env.get("PATH") ?? "";
const ADA = '{"id":1,"name":"Ada","email":"ada@example.com"}';
/** The expected output of the requests of the three users starters. */
const USERS = [ADA, ADA, "", "[]"];

const folder = await Deno.makeTempDir({ prefix: "irori-starters-" });
const tarball = packLibrary(folder);

Deno.test("examples/hello + its README", async () => {
  await using starter = await Starter.inPlace("hello");
  assertEquals(await starter.serve(), ['{"message":"Hello Ada"}']);
});

Deno.test("examples/moved + its README", async () => {
  await using starter = await Starter.inPlace("moved");
  const printed = await starter.serve();
  assertEquals(printed.map((text) => JSON.parse(text)), [
    { id: 1, title: "Milk", text: "", tags: [], author: "ada" },
    { id: 4, title: "Salt", text: "", tags: [], author: "grace" },
  ]);
});

Deno.test("examples + say where the package comes from until it is published", async () => {
  const { version } = JSON.parse(await Deno.readTextFile("deno.json"));
  const tarball = `dist/irori-${version}.tgz`;
  const starters = ["users_node", "users_bun", "users_edge", "kubernetes"];
  const services = ["orders", "tenants", "search_service", "edge_d1", "realworld"];
  for (const starter of [...starters, ...services]) {
    const readme = await Deno.readTextFile(`examples/${starter}/README.md`);
    assertStringIncludes(readme, tarball);
    assertStringIncludes(readme, "task build:npm");
    if (starter === "kubernetes") continue;
    const { dependencies } = JSON.parse(
      await Deno.readTextFile(`examples/${starter}/package.json`),
    );
    assertEquals(dependencies.irori, `file:../../${tarball}`);
  }
});

test("examples/users_node + its README, on Node 22", async () => {
  const [command = ""] = await node(22);
  const env = { PATH: `${dirname(command)}:${PATH}` };
  await using starter = await Starter.copied("users_node", env, await tarball);
  assertEquals(await starter.serve(), USERS);
});

test("examples/users_bun + its README", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.symlink(await bunExecutable(), join(folder, "bun"));
  const env = { PATH: `${folder}:${PATH}` };
  await using starter = await Starter.copied("users_bun", env, await tarball);
  assertEquals(await starter.serve(), USERS);
  await Deno.remove(folder, { recursive: true });
});

test("examples/users_edge + its README, and components.gen.ts is up to date", async () => {
  const [command = ""] = await node(22);
  const env = { PATH: `${dirname(command)}:${PATH}` };
  await using starter = await Starter.copied("users_edge", env, await tarball);
  assertEquals(await starter.serve(), USERS);
  // About 85 kB gzipped; 156, and over 400 kB as it is, where all of zod is in it.
  const { size } = await Deno.stat(join(starter.path, "dist/worker.js"));
  assertLess(size, 260_000);
  const check = await starter.run("npm run check");
  assertEquals(check.code, 0, check.stdout);
});

clusterTest(PLAIN, "examples/search + its README", async (cluster) => {
  await using starter = await Starter.inPlace("search", { SEARCH_URL: cluster.url });
  // The first block starts the cluster that is there already.
  const [plan = "", first = "", status = ""] = await starter.follow(starter.blocks[1] ?? []);
  assertMatch(plan, /PUT \/_index_template\/app-logs/);
  assertMatch(first, /app-logs-template\.json/);
  assertMatch(status, /3 applied/);
  const { json } = await ask(cluster, "GET", "/_alias/app-errors");
  assertEquals(Object.keys(json as Record<string, unknown>), ["app-logs-000001"]);
  // The template applies only to an index that is created after it.
  const mapping = await ask(cluster, "GET", "/app-logs-000001/_mapping/field/level");
  assertMatch(JSON.stringify(mapping.json), /"type":"keyword"/);
});

Deno.test("examples/kubernetes + is valid by its README, and takes its configuration", async () => {
  await using starter = await Starter.copied("kubernetes");
  await starter.follow(starter.blocks[0] ?? []);
  const documents = (await Deno.readTextFile(join(starter.path, "users.yml"))).split("\n---\n");
  const [config = "", secret = "", deployment = ""] = documents;

  // The command line of the init container, with what the ConfigMap and the Secret give it.
  const text = /^ {2}application\.yml: \|\n((?: {4}.*\n?)+)/m.exec(config)?.[1] ?? "";
  await Deno.mkdir(join(starter.path, "config"));
  await Deno.writeTextFile(
    join(starter.path, "config/application.yml"),
    text.replace(/^ {4}/gm, ""),
  );
  await Deno.mkdir(join(starter.path, "migrations/logs"), { recursive: true });
  const env = Object.fromEntries(
    [...secret.matchAll(/^ {2}(SEARCH_\w+): (.+)$/gm)].map(([, key, value]) => [key, value]),
  );
  const args = /\bargs: \[(.+)\]/.exec(deployment)?.[1]?.split(", ") ?? [];
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", CLI, "validate", ...args],
    cwd: starter.path,
    env,
  }).output();
  const decoder = new TextDecoder();
  assertEquals([code, decoder.decode(stderr)], [0, ""]);
  assertMatch(decoder.decode(stdout), /^logs: 0 files, valid/);
  const containerPort = /containerPort: (\d+)/.exec(deployment)?.[1];
  assertEquals(/^ +port: (\d+)$/m.exec(text)?.[1], containerPort);
});

Deno.test.afterAll(async () => {
  await tarball;
  await Deno.remove(folder, { recursive: true });
});

function test(name: string, fn: () => Promise<void>): void {
  // The package is made once, while the first tests run.
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false });
}
