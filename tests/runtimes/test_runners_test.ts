/** The tests that the guide has, by the runners that it names. Vitest has a test of its own. */
import { assertMatch, assertRejects } from "@std/assert";
import { postgresqlMissing } from "../migrations/sql/postgresql_support.ts";
import { bun, type Command, node, run, tsx } from "./executables.ts";
import { takeGuide } from "./guide.ts";
import { Project } from "./project.ts";

interface Runner {
  readonly name: string;
  readonly command: () => Promise<Command>;
  /** The test of the page in the runner's own words. */
  readonly own?: string;
  /** Matches its summary for a number of tests. */
  readonly passed: (count: number) => RegExp;
}

const RUNNERS: readonly Runner[] = [
  ...([22, 24] as const).map((major) => ({
    name: `node --test, Node ${major}`,
    command: async () => [...await tsx(major), "--test"],
    passed: (count: number) => new RegExp(`^. pass ${count}\n. fail 0$`, "m"),
  })),
  {
    name: "bun test",
    command: async () => [...await bun(), "test"],
    own: "./tests/bun/weather.test.ts",
    passed: (count) => new RegExp(`^ ${count} pass\n(?: \\d+ skip\n)? 0 fail$`, "m"),
  },
  {
    name: "deno test",
    command: () => Promise.resolve([Deno.execPath(), "test", "-A", "--no-lock"]),
    own: "./tests/deno/weather_test.ts",
    passed: (count) => new RegExp(`${count} passed (?:\\(\\d step\\) )?\\| 0 failed`),
  },
];

/** Installed once, for all of them. */
const project = Project.equipped().then(
  async (made) => {
    await takeGuide("testing.md", made);
    await takeGuide("testing-database.md", made);
    return made;
  },
);

for (const { name, command, own, passed } of RUNNERS) {
  test(`the guide's tests pass: ${name}`, async (passes) => {
    assertMatch(await passes(command, "./tests/weather.test.ts"), passed(2));
    if (own) assertMatch(await passes(command, own), passed(1));
  });

  test(`the guide's tests pass with PostgreSQL: ${name}`, async (passes) => {
    assertMatch(await passes(command, "./tests/notes.test.ts"), passed(2));
  }, postgresqlMissing !== undefined);
}

test("node --test explains a decorator that was not compiled", async (passes) => {
  const plain = async () => [...await node(24), "--test"];
  await assertRejects(
    () => passes(plain, "./tests/weather.test.ts"),
    Error,
    "SyntaxError: Invalid or unexpected token",
  );
});

Deno.test.afterAll(async () => {
  await (await project)[Symbol.asyncDispose]();
});

function test(
  name: string,
  fn: (passes: (command: () => Promise<Command>, file: string) => Promise<string>) => Promise<void>,
  ignore = false,
): void {
  Deno.test({
    name: `test runners + ${name}`,
    ignore,
    // An installation is shared, so it outlives the test that asked for it first.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: () => fn(passes),
  });
}

/** @returns what the runner printed, Bun's to the other output. @throws {Error} where a test fails */
async function passes(command: () => Promise<Command>, file: string): Promise<string> {
  const { path: cwd } = await project;
  const line = [...await command(), file].map((word) => `'${word}'`).join(" ");
  return await run(["sh", "-c", `exec timeout 60 ${line} 2>&1`], { cwd, env: { NO_COLOR: "1" } });
}
