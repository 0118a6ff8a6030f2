import { assertEquals, assertInstanceOf, assertRejects, assertStringIncludes } from "@std/assert";
import {
  baseline,
  type BaselineOptions,
  ExecutionError,
  InterruptedError,
  InvalidFilesError,
  LockedError,
  resolve,
  run,
  statusOf,
} from "../../../src/migrations/runner/mod.ts";
import { failIn, filesOf, type MemoryOptions, MemoryServer, memoryTarget } from "./memory.ts";

type Tree = Record<string, string>;

async function migrate(server: MemoryServer, tree: Tree, options: MemoryOptions = {}) {
  return await run(memoryTarget(server, options), await filesOf(tree));
}

async function record(server: MemoryServer, tree: Tree, which: BaselineOptions = {}) {
  const session = await memoryTarget(server, { owner: "me" }).open();
  return await baseline(session, await filesOf(tree), which);
}

async function settle(
  server: MemoryServer,
  tree: Tree,
  path: string,
  answer: "applied" | "retry",
) {
  const session = await memoryTarget(server, { owner: "me" }).open();
  return await resolve(session, await filesOf(tree), path, answer);
}

async function states(server: MemoryServer, tree: Tree, options: MemoryOptions = {}) {
  const session = await memoryTarget(server, options).open();
  const { files, lockedBy } = await statusOf(session, await filesOf(tree));
  return [...files.map(({ file, state }) => `${file} ${state}`), ...lockedBy ? ["locked"] : []];
}

Deno.test("baseline records what has no record, and applies nothing", async () => {
  const server = new MemoryServer();
  await migrate(server, { "1": "a" });
  assertEquals(await record(server, { "1": "a", "2": "b", "3": "c" }), ["2", "3"]);
  assertEquals(server.effects, ["a"]);
  assertEquals((await migrate(server, { "1": "a", "2": "b", "3": "c" })).requests, 1);
  assertEquals(server.entries.get("2")?.applied?.executedBy, "me");
  assertEquals(server.entries.get("2")?.applied?.note, "recorded without applying it");
  assertEquals(await record(server, { "1": "a", "2": "b", "3": "c" }), []);
});

Deno.test("baseline until a file leaves the later ones to be applied", async () => {
  const server = new MemoryServer();
  const tree = { "1": "a", "2": "b", "3": "c" };
  assertEquals(await record(server, tree, { until: "2" }), ["1", "2"]);
  await migrate(server, tree);
  assertEquals(server.effects, ["c"]);
});

Deno.test("baseline of a changed file takes its edit over, and leaves others alone", async () => {
  const server = new MemoryServer();
  await migrate(server, { "1": "fail a", "2": "fail b" });
  const edited = { "1": "fail a!", "2": "fail b!", "3": "c" };
  assertEquals(await record(server, edited, { changed: "1" }), ["1"]);
  assertStringIncludes(String((await migrate(server, edited)).error), "Cannot apply '2'");
  assertEquals(await record(server, edited, { changed: "2" }), ["2"]);
  assertEquals(await record(server, edited, { changed: "2" }), []);
  assertEquals(await record(server, edited, { changed: "3" }), []);
  assertEquals((await migrate(server, edited)).results.map(({ outcome }) => outcome), [
    "skipped",
    "skipped",
    "applied",
  ]);
});

Deno.test("baseline refuses files that were begun, and broken ones", async () => {
  const server = new MemoryServer();
  server.onExecute = failIn("1", "unknown");
  await migrate(server, { "1": "once" });
  const error = await assertRejects(() => record(server, { "1": "once" }), InterruptedError);
  assertStringIncludes(error.message, "resolve 1 --applied");
  await settle(server, { "1": "once" }, "1", "applied");
  await assertRejects(() => record(server, { "1": "once", "2": "bad" }), InvalidFilesError);
  assertEquals(server.holder, undefined);
});

Deno.test("baseline waits for a run that is going on", async () => {
  const server = new MemoryServer();
  server.holder = { owner: "other", isAlive: true };
  await assertRejects(() => record(server, { "1": "a" }), LockedError);
});

Deno.test("baseline takes no lock when there is nothing to record", async () => {
  const server = new MemoryServer();
  await record(server, { "1": "a" });
  server.log.length = 0;
  assertEquals(await record(server, { "1": "a" }), []);
  assertEquals(server.log, ["open", "read"]);
});

Deno.test("baseline waits for a run that is going on although every file has a record", async () => {
  const server = new MemoryServer();
  await record(server, { "1": "a" });
  server.holder = { owner: "other", isAlive: true };
  await assertRejects(() => record(server, { "1": "a" }), LockedError);
});

Deno.test("resolve records what was begun as applied, with the content that it had", async () => {
  const server = new MemoryServer();
  server.onExecute = failIn("1", "unknown");
  await migrate(server, { "1": "once" });
  const { attempt } = server.entries.get("1")!;
  const found = await settle(server, { "1": "once, edited since" }, "1", "applied");
  assertEquals(found, { file: "1", known: "it was unknown", isPending: true });
  assertEquals(server.entries.get("1")?.applied?.hash, attempt?.hash);
  assertEquals(server.entries.get("1")?.attempt, undefined);
  assertEquals(server.holder, undefined);
});

Deno.test("resolve to retry goes back to what was recorded before", async () => {
  const server = new MemoryServer();
  await migrate(server, { "1": "once" });
  const before = server.entries.get("1");
  server.onExecute = failIn("1", "partial");
  await migrate(server, { "1": "once, edited" });
  const edited = await settle(server, { "1": "once, edited" }, "1", "retry");
  assertEquals(edited, { file: "1", known: "it was partial", isPending: true });
  assertEquals(server.entries.get("1"), before);

  await migrate(server, { "1": "once, edited" });
  const reverted = await settle(server, { "1": "once" }, "1", "retry");
  assertEquals(reverted?.isPending, false);
});

Deno.test("resolve settles a deleted file, and says when there is nothing to settle", async () => {
  const server = new MemoryServer();
  server.onExecute = failIn("1", "unknown");
  await migrate(server, { "1": "once" });
  assertEquals((await settle(server, {}, "1", "retry"))?.isPending, false);
  assertEquals(server.entries.size, 0);
  assertEquals(await settle(server, {}, "1", "retry"), undefined);
});

Deno.test("statusOf says where each file stands", async () => {
  const server = new MemoryServer();
  await migrate(server, { "1": "a", "2": "b", "3": "c", "gone": "d" });
  server.onExecute = failIn("4", "unknown");
  await migrate(server, { "1": "a", "2": "b", "3": "c", "4": "once" });
  const tree = { "1": "a", "2": "b\r\n", "3": "changed", "4": "once", "5": "new" };
  const expected = ["1 applied", "2 changed", "3 changed", "4 interrupted", "5 pending"];
  assertEquals(await states(server, tree), [...expected, "gone missing"]);
  server.entries.delete("2");
  await migrate(server, { "2": "b\n" });
  assertEquals((await states(server, tree, { ignoresLineEnds: true }))[1], "2 applied");
});

Deno.test("statusOf calls nothing interrupted that another run is at", async () => {
  const server = new MemoryServer();
  server.onExecute = failIn("1", "unknown");
  await migrate(server, { "1": "once" });
  server.holder = { owner: "other", isAlive: true };
  assertEquals(await states(server, { "1": "once" }), ["1 pending", "locked"]);
});

Deno.test("an ExecutionError keeps the message and the cause of what is reported", () => {
  const cause = new Error("why");
  const error = new ExecutionError(cause, "partial", { known: "half", statements: 2 });
  assertInstanceOf(error, Error);
  assertEquals([error.message, error.cause, error.known, error.statements], [
    "why",
    cause,
    "half",
    2,
  ]);
});
