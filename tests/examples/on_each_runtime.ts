/** Follows the README of an example that has a database, on every runtime, with the package from npm. */
import { assertEquals } from "@std/assert";
import { dirname, join } from "@std/path";
import { bunExecutable } from "../../tools/_npm.ts";
import { cleanUp, create, postgresqlMissing } from "../migrations/sql/postgresql_support.ts";
import { node } from "../runtimes/executables.ts";
import { packLibrary } from "../runtimes/project.ts";
import { Starter } from "./readme.ts";

/** A runtime that the README of an example has a line for: how to start it, and its tests. */
interface Runtime {
  readonly name: string;
  /** Its line in the README. */
  readonly line: RegExp;
  readonly executable: () => Promise<string>;
}

const RUNTIMES: readonly Runtime[] = [
  ...([22, 24] as const).map((version) => ({
    name: `Node ${version}`,
    line: /^\| Node 22, 24 +\| `(.+?)` +\| `(.+?)` +\|$/m,
    executable: async () => (await node(version))[0] ?? "",
  })),
  { name: "Bun", line: /^\| Bun +\| `(.+?)` +\| `(.+?)` +\|$/m, executable: bunExecutable },
  {
    name: "Deno",
    line: /^\| Deno +\| `(.+?)` +\| `(.+?)` +\|$/m,
    executable: () => Promise.resolve(Deno.execPath()),
  },
];

/** The checks that differ between examples. */
interface Followed {
  /** Looks at what the requests of the README print. */
  answers(printed: string, example: Starter): Promise<void> | void;
  /** Looks at what the tests of the example print. */
  tested(printed: string): void;
}

/** Tests that it compiles, and on each runtime that its README and its tests hold. */
export function followOnEachRuntime(name: string, expected: Followed): void {
  // Installed once, for all runtimes.
  const starter = postgresqlMissing === undefined ? install(name) : undefined;

  test(`examples/${name} + compiles with what its package.json names`, async () => {
    await (await starter!).follow(["npm run check"]);
  });

  for (const runtime of RUNTIMES) {
    test(`examples/${name} + its README and its tests, on ${runtime.name} and PostgreSQL`, async () => {
      const example = await starter!;
      const readme = await Deno.readTextFile(join(example.path, "README.md"));
      const [, start = "", tests = ""] = runtime.line.exec(readme) ?? [];
      const { database = "" } = await create();
      const server = Deno.env.get("TEST_PG_URL") ?? "";
      const url = Object.assign(new URL(server), { pathname: `/${database}` }).href;
      const folder = dirname(await runtime.executable());
      const given = `PROFILES_ACTIVE=dev DATABASE_URL=${url} PATH=${folder}:$PATH`;

      const requests = example.blocks[1]?.join("\n") ?? "";
      const [printed = ""] = await example.serve([`${given} ${start}`], [requests]);
      await expected.answers(printed, example);

      const { code, stdout, stderr } = await example.run(`TEST_PG_URL=${server} ${given} ${tests}`);
      assertEquals(code, 0, stdout + stderr);
      expected.tested(stdout + stderr);
    });
  }

  Deno.test.afterAll(async () => {
    await cleanUp();
    await (await starter)?.[Symbol.asyncDispose]();
  });
}

async function install(name: string): Promise<Starter> {
  const folder = await Deno.makeTempDir({ prefix: `irori-${name}-` });
  const [command = ""] = await node(22);
  const env = { PATH: `${dirname(command)}:${Deno.env.get("PATH")}` };
  const starter = await Starter.copied(name, env, await packLibrary(folder));
  await starter.follow(["npm install --no-audit --no-fund"]);
  await Deno.remove(folder, { recursive: true });
  return starter;
}

function test(name: string, fn: () => Promise<void>): void {
  const ignore = postgresqlMissing !== undefined;
  // An installation is shared, so it outlives the test that asked for it first.
  Deno.test({ name, fn, ignore, sanitizeOps: false, sanitizeResources: false });
}
