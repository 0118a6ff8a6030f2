/** Follows the README of the example on every runtime, with the package from npm. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname, join } from "@std/path";
import { started } from "../e2e/command_line.ts";
import { cleanUp, create, postgresqlMissing } from "../migrations/sql/postgresql_support.ts";
import { node } from "../runtimes/executables.ts";
import { packLibrary } from "../runtimes/project.ts";
import { checkContract } from "./check_contract.ts";
import { Starter } from "./readme.ts";
import { RUNTIMES } from "./runtimes.ts";

/** Installed once, for all runtimes. */
const starter = postgresqlMissing === undefined ? install() : undefined;

async function install(): Promise<Starter> {
  const folder = await Deno.makeTempDir({ prefix: "irori-realworld-" });
  const [command = ""] = await node(22);
  const env = { PATH: `${dirname(command)}:${Deno.env.get("PATH")}` };
  const starter = await Starter.copied(
    "realworld",
    env,
    await packLibrary(folder),
  );
  await starter.follow(["npm install --no-audit --no-fund"]);
  await Deno.remove(folder, { recursive: true });
  return starter;
}

Deno.test("examples/realworld + has the contract that 'irori contract' writes", () =>
  checkContract("examples/realworld"));

Deno.test("examples/realworld + has the types that 'irori types' writes", async () => {
  const args = ["types", "--out", "src/database/tables.ts", "--check"];
  const { code, stdout, stderr } = await started(args, "examples/realworld");
  assertEquals(code, 0, stdout + stderr);
});

test("examples/realworld + compiles with what its package.json names", async () => {
  await (await starter!).follow(["npm run check"]);
});

for (const { name, line, executable } of RUNTIMES) {
  test(`examples/realworld + its README and the specification, on ${name} and PostgreSQL`, async () => {
    const realworld = await starter!;
    const readme = await Deno.readTextFile(join(realworld.path, "README.md"));
    const [, start = "", tests = ""] = line.exec(readme) ?? [];
    const { database = "" } = await create();
    const server = Deno.env.get("TEST_PG_URL") ?? "";
    const url = Object.assign(new URL(server), { pathname: `/${database}` }).href;
    const given = `PROFILES_ACTIVE=dev DATABASE_URL=${url} PATH=${
      dirname(await executable())
    }:$PATH`;

    const requests = realworld.blocks[1]?.join("\n") ?? "";
    const [printed = ""] = await realworld.serve([`${given} ${start}`], [
      requests,
    ]);
    assertMatch(
      printed,
      /^\{"article":\{"slug":"notes-[\da-f]{8}",.*"favoritesCount":1,/,
    );
    assertStringIncludes(
      printed,
      '"body":"Indeed","author":{"username":"ada",',
    );
    assertStringIncludes(printed, '"articlesCount":1}');
    assertStringIncludes(printed, '{"errors":{"article":["not found"]}}');

    const { code, stdout, stderr } = await realworld.run(
      `TEST_PG_URL=${server} ${given} ${tests}`,
    );
    assertEquals(code, 0, stdout + stderr);
    for (
      const title of [
        "the specification: articles",
        "a typed client writes",
        "who may do what",
      ]
    ) {
      assertStringIncludes(stdout + stderr, title);
    }
  });
}

function test(name: string, fn: () => Promise<void>): void {
  const ignore = postgresqlMissing !== undefined;
  // An installation is shared, so it outlives the test that asked for it first.
  Deno.test({ name, fn, ignore, sanitizeOps: false, sanitizeResources: false });
}

Deno.test.afterAll(async () => {
  await cleanUp();
  await (await starter)?.[Symbol.asyncDispose]();
});
