/** Follows the README of the example on every runtime, with the package from npm. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname, join } from "@std/path";
import { cleanUp, create, postgresqlMissing } from "../migrations/sql/postgresql_support.ts";
import { node } from "../runtimes/executables.ts";
import { packLibrary } from "../runtimes/project.ts";
import { Starter } from "./readme.ts";
import { RUNTIMES } from "./runtimes.ts";

/** Installed once, for all runtimes. */
const starter = postgresqlMissing === undefined ? install() : undefined;

async function install(): Promise<Starter> {
  const folder = await Deno.makeTempDir({ prefix: "irori-tracks-" });
  const [command = ""] = await node(22);
  const env = { PATH: `${dirname(command)}:${Deno.env.get("PATH")}` };
  const starter = await Starter.copied("tracks", env, await packLibrary(folder));
  await starter.follow(["npm install --no-audit --no-fund"]);
  await Deno.remove(folder, { recursive: true });
  return starter;
}

test("examples/tracks + compiles with what its package.json names", async () => {
  await (await starter!).follow(["npm run check"]);
});

for (const { name, line, executable } of RUNTIMES) {
  test(`examples/tracks + its README and its tests, on ${name}`, async () => {
    const tracks = await starter!;
    const readme = await Deno.readTextFile(join(tracks.path, "README.md"));
    const [, start = "", tests = ""] = line.exec(readme) ?? [];
    const { database = "" } = await create();
    const server = Deno.env.get("TEST_PG_URL") ?? "";
    const url = Object.assign(new URL(server), { pathname: `/${database}` }).href;
    const folder = dirname(await executable());
    const given = `PROFILES_ACTIVE=dev DATABASE_URL=${url} PATH=${folder}:$PATH`;

    const requests = tracks.blocks[1]?.join("\n") ?? "";
    const [printed = ""] = await tracks.serve([`${given} ${start}`], [requests]);
    const { size } = await Deno.stat(join(tracks.path, "README.md"));
    assertStringIncludes(printed, '{"key":"TRA","name":"Tracks","createdAt":"20');
    assertStringIncludes(
      printed,
      '"number":1,"title":"Too slow","description":"","status":"open"',
    );
    assertStringIncludes(printed, `"name":"README.md","size":${size},"author":"ada"}]`);
    assertMatch(printed, /number,title,status,author,created\r\n1,Too slow,open,ada,\S+\r\n/);
    assertStringIncludes(printed, '{"open":1,"closed":0}');

    const { code, stdout, stderr } = await tracks.run(`TEST_PG_URL=${server} ${given} ${tests}`);
    assertEquals(code, 0, stdout + stderr);
    assertStringIncludes(stdout + stderr, "who may do what, with a database");
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
