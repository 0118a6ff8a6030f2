import { assertEquals, assertInstanceOf } from "@std/assert";
import {
  ConfirmationError,
  type FileProblem,
  previewRun,
  run,
  type RunOptions,
} from "../../../src/migrations/runner/mod.ts";
import { exitCodeOf } from "../../../src/cli/exit_code_of.ts";
import { filesOf, type MemoryOptions, MemoryServer, memoryTarget } from "./memory.ts";

/** A file with `danger` must be confirmed, one with `warn` gives a notice. */
const dangers: NonNullable<MemoryOptions["dangers"]> = (migrations) => {
  const found = migrations.flatMap(({ file: { path } }): FileProblem[] => {
    if (path.includes("danger")) return [{ path, severity: "error", message: "It deletes 2" }];
    if (path.includes("warn")) return [{ path, severity: "warning", message: "Mind the gap" }];
    return [];
  });
  return Promise.resolve(found);
};

async function migrate(server: MemoryServer, tree: Record<string, string>, options: RunOptions) {
  const notices: string[] = [];
  const report = await run(memoryTarget(server, { dangers }), await filesOf(tree), {
    ...options,
    onEvent: (event) => event.type === "notice" && notices.push(`${event.file}: ${event.message}`),
  });
  return { report, notices };
}

Deno.test("run applies nothing where something wants to be agreed to, and gives the lock back", async () => {
  const server = new MemoryServer();
  const { report } = await migrate(server, { "1": "a", "2-danger": "b" }, {});
  assertInstanceOf(report.error, ConfirmationError);
  assertEquals(
    report.error.message,
    "Nothing of 'memory' was applied: it wants '--yes'\nmemory/2-danger: It deletes 2",
  );
  assertEquals(report.results.map(({ outcome }) => outcome), ["not run", "not run"]);
  assertEquals([server.effects, server.holder], [[], undefined]);
  assertEquals(exitCodeOf(report.error), 2);
});

Deno.test("run applies what was agreed to, and says so", async () => {
  const server = new MemoryServer();
  const { report, notices } = await migrate(server, { "1-danger": "a" }, { yes: true });
  assertEquals([report.error, server.effects], [undefined, ["a"]]);
  assertEquals(notices, ["1-danger: It deletes 2; '--yes' agrees to it"]);
});

Deno.test("run that was refused applies all of it once it is agreed to", async () => {
  const server = new MemoryServer();
  const tree = { "1": "a", "2-danger": "b" };
  await migrate(server, tree, {});
  const { report } = await migrate(server, tree, { yes: true });
  assertEquals([report.error, server.effects], [undefined, ["a", "b"]]);
});

Deno.test("run tells warnings, and goes on", async () => {
  const server = new MemoryServer();
  const { report, notices } = await migrate(server, { "1-warn": "a" }, {});
  assertEquals([report.error, notices], [undefined, ["1-warn: Mind the gap"]]);
});

Deno.test("run asks for no dangers of files that are applied already", async () => {
  const server = new MemoryServer();
  await migrate(server, { "1-danger": "a" }, { yes: true });
  const { report } = await migrate(server, { "1-danger": "a" }, {});
  assertEquals(report.error, undefined);
});

Deno.test("previewRun names what wants to be agreed to, and warnings as notices", async () => {
  const server = new MemoryServer();
  const session = await memoryTarget(server, { dangers }).open();
  const files = await filesOf({ "1-warn": "a", "2-danger": "b" });
  const planned = await previewRun(session, files);
  assertEquals(planned.dangers?.map(({ path }) => path), ["2-danger"]);
  assertEquals(planned.notices, [{ file: "1-warn", message: "Mind the gap" }]);
  assertEquals(server.holder, undefined);
  await session.close();
});
