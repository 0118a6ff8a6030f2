import { assertEquals, assertStringIncludes } from "@std/assert";

/** A file of tests that needs no server. */
const FILE = "tests/tools/doc_lint_test.ts";

Deno.test("deno task test + a signal ends it with the code of the signal, and nothing stays", async () => {
  await using run = await started(FILE);
  const reader = run.process.stdout.getReader();
  await reader.read();
  run.process.kill("SIGTERM");
  reader.releaseLock();
  await run.process.stdout.cancel();
  assertEquals((await run.process.status).code, 143);
  assertEquals(await run.left(), []);
});

Deno.test("deno task test + goes on where nothing reads its output, and nothing stays", async () => {
  await using run = await started(FILE);
  await run.process.stdout.cancel();
  assertEquals((await run.process.status).code, 0);
  assertEquals(await run.left(), []);
});

Deno.test("deno task test + a run without a test is refused", async () => {
  for (
    const args of [["docs"], [FILE, "--part", "migrations"], [FILE, "--shard", "2/2"], [
      FILE,
      "--filter",
      "no such title",
    ]]
  ) {
    await using run = await started(...args);
    await run.process.stdout.cancel();
    assertEquals((await run.process.status).code, 2, args.join(" "));
  }
});

Deno.test("deno task test + '--help' lists the options, and runs nothing", async () => {
  await using run = await started("--help");
  const text = await new Response(run.process.stdout).text();
  assertEquals((await run.process.status).code, 0);
  for (const option of ["--changed", "--servers", "--fail-fast"]) {
    assertStringIncludes(text, option);
  }
});

async function started(...args: readonly string[]) {
  const folder = await Deno.makeTempDir({ prefix: "irori-test-command-" });
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "tools/test.ts", ...args],
    env: { TMPDIR: folder },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  return {
    process,
    left: async () => (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}
