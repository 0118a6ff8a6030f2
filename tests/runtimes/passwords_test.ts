/** Hashes of passwords on each runtime: all verify those of the others that they can. */
import { assertEquals, assertMatch } from "@std/assert";
import { toFileUrl } from "@std/path";
import { VECTORS } from "../features/passwords/vectors.ts";
import { buildTools, bun, type Command, DENO, edgeTools, node, run } from "./executables.ts";
import { Project, testsOn } from "./project.ts";

/** Verifies hashes with their passwords, and makes one of "password". */
const CHECK = `import { hashPassword, needsRehash, verifyPassword } from "irori/passwords";

const warnings = [];
globalThis.process?.on?.("warning", ({ message }) => warnings.push(message));

export async function check(hashes) {
  const found = [];
  for (const [hash, password] of hashes) {
    found.push(await verifyPassword(password, hash).catch(({ message }) => message));
  }
  const made = await hashPassword("password");
  const isRight = await verifyPassword("password", made) && !await verifyPassword("passwort", made);
  return { found, made, isRight, isStale: needsRehash(made), warnings };
}
`;
const MAIN = `import process from "node:process";
import { check } from "./check.mjs";

console.log(JSON.stringify(await check(JSON.parse(process.argv.at(-1)))));
`;
const WORKER = `import { check } from "./check.mjs";

export default { fetch: async (request) => Response.json(await check(await request.json())) };
`;
const DRIVE = `const { Miniflare } = await import(process.argv[2]);
const miniflare = new Miniflare({
  ...{ modules: true, scriptPath: "worker.bundle.mjs", compatibilityDate: "2025-09-01" },
  ...{ host: "127.0.0.1", port: 0, cf: false },
});
const request = { method: "POST", body: process.argv[3] };
console.log(await (await miniflare.dispatchFetch("http://x/", request)).text());
await miniflare.dispose();
`;

interface Checked {
  readonly found: readonly (boolean | string)[];
  readonly made: string;
  readonly isRight: boolean;
  readonly isStale: boolean;
  readonly warnings: readonly string[];
}

const project = Project.equipped().then(async (made) => {
  const files = { check: CHECK, main: MAIN, worker: WORKER, drive: DRIVE };
  for (const [name, text] of Object.entries(files)) await made.write(`${name}.mjs`, text);
  return made;
});
const test = testsOn("passwords", project);

/** Runtimes, and whether they have Argon2id. */
const RUNTIMES: Readonly<Record<string, readonly [hasArgon2id: boolean, () => Promise<Command>]>> =
  {
    Deno: [true, () => Promise.resolve([...DENO, "main.mjs"])],
    "Node 22": [false, async () => [...await node(22), "main.mjs"]],
    "Node 24": [true, async () => [...await node(24), "main.mjs"]],
    Bun: [true, async () => [...await bun(), "main.mjs"]],
    Miniflare: [false, worker],
  };

const made = new Map<string, string>();

for (const [runtime, [hasArgon2id, command]] of Object.entries(RUNTIMES)) {
  test(`${runtime} verifies hashes of other software and of the runtimes before it`, async ({ path }) => {
    const hashes = [...VECTORS, ...[...made.values()].map((hash) => [hash, "password"] as const)];
    const output = await run([...await command(), JSON.stringify(hashes)], { cwd: path });
    const { found, ...others }: Checked = JSON.parse(output);
    const lacking =
      "Cannot use a password: this runtime has no Argon2id: it needs Node 24.7 or later, Deno or Bun";
    assertEquals(
      found,
      hashes.map(([hash]) => hasArgon2id || hash.startsWith("$pbkdf2") || lacking),
    );
    assertMatch(
      others.made,
      hasArgon2id ? /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/ : /^\$pbkdf2-sha256\$i=600000,l=32\$/,
    );
    assertEquals(others, { made: others.made, isRight: true, isStale: false, warnings: [] });
    made.set(runtime, others.made);
  });
}

async function worker(): Promise<Command> {
  const { path } = await project;
  const options = ["--bundle", "--format=esm", "--conditions=workerd,worker,browser"];
  await run([
    ...[`${await buildTools()}/node_modules/.bin/esbuild`, "worker.mjs"],
    ...[...options, "--outfile=worker.bundle.mjs"],
  ], { cwd: path });
  const module = toFileUrl(`${await edgeTools()}/node_modules/miniflare/dist/src/index.js`).href;
  return ["timeout", "60", ...await node(24), "drive.mjs", module];
}
