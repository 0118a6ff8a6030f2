/** The example as a user has it who follows its README, on every runtime, with the package from npm. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname, join } from "@std/path";
import { node } from "../runtimes/executables.ts";
import { packLibrary } from "../runtimes/project.ts";
import { checkContract } from "./check_contract.ts";
import { Starter } from "./readme.ts";
import { RUNTIMES } from "./runtimes.ts";

/** Installed once, for all runtimes. */
const starter = install();

async function install(): Promise<Starter> {
  const folder = await Deno.makeTempDir({ prefix: "irori-parcels-" });
  const [command = ""] = await node(22);
  const env = { PATH: `${dirname(command)}:${Deno.env.get("PATH")}` };
  const starter = await Starter.copied("parcels", env, await packLibrary(folder));
  await starter.follow(["npm install --no-audit --no-fund"]);
  await Deno.remove(folder, { recursive: true });
  return starter;
}

Deno.test("examples/parcels + has the contract that 'irori contract' writes", () =>
  checkContract("examples/parcels"));

test("examples/parcels + compiles with what its package.json names", async () => {
  await (await starter).follow(["npm run check"]);
});

for (const { name, line, executable } of RUNTIMES) {
  test(`examples/parcels + its README and its tests, on ${name}`, async () => {
    const parcels = await starter;
    const readme = await Deno.readTextFile(join(parcels.path, "README.md"));
    const [, start = "", tests = ""] = line.exec(readme) ?? [];
    const given = `PROFILES_ACTIVE=dev PATH=${dirname(await executable())}:$PATH`;

    const requests = parcels.blocks[1]?.join("\n") ?? "";
    const [printed = ""] = await parcels.serve(["rm -f parcels.db", `${given} ${start}`], [
      requests,
    ]);
    assertMatch(printed, /HTTP\/1.1 201.*\r\n/);
    assertMatch(printed, /etag: "1"\r\n/i);
    assertStringIncludes(printed, '{"id":1,"address":"1 Main Street","status":"announced"');
    assertStringIncludes(printed, '{"id":1,"parcel":1,"type":"delivered","courier":"carl"}');
    assertMatch(printed, /# Parcels$/);

    const { code, stdout, stderr } = await parcels.run(`${given} ${tests}`);
    assertEquals(code, 0, stdout + stderr);
    assertStringIncludes(stdout + stderr, "who may do what");
  });
}

function test(name: string, fn: () => Promise<void>): void {
  // An installation is shared, so it outlives the test that asked for it first.
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false });
}

Deno.test.afterAll(async () => {
  await (await starter)[Symbol.asyncDispose]();
});
