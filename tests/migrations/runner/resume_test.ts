/** Work of many steps: what a run that was cut off leaves of it, and what becomes of that. */
import { assertEquals, assertInstanceOf, assertRejects, assertStringIncludes } from "@std/assert";
import {
  type Attempt,
  baseline,
  ExecutionError,
  InterruptedError,
  previewRun,
  resolve,
  type ResolveAnswer,
  run,
  type RunEvent,
  statusOf,
} from "../../../src/migrations/runner/mod.ts";
import { filesOf, MemoryServer, memoryTarget } from "./memory.ts";

type Tree = Record<string, string>;

const RESUME = { phase: "copying", index: "orders-1" };

/** Applies files; notices as `file: message`. */
async function migrate(server: MemoryServer, tree: Tree) {
  server.log.length = 0;
  const notices: string[] = [];
  const onEvent = (event: RunEvent) =>
    event.type === "notice" && notices.push(`${event.file}: ${event.message}`);
  const report = await run(memoryTarget(server), await filesOf(tree), { onEvent });
  const outcomes = report.results.map(({ file, outcome }) => `${file} ${outcome}`);
  return { report, outcomes, notices };
}

async function settle(server: MemoryServer, tree: Tree, answer: ResolveAnswer, path = "2") {
  const session = await memoryTarget(server, { owner: "me" }).open();
  return await resolve(session, await filesOf(tree), path, answer);
}

async function status(server: MemoryServer, tree: Tree) {
  const session = await memoryTarget(server).open();
  const { files } = await statusOf(session, await filesOf(tree));
  return files.map(({ file, state, known }) => `${file} ${state}: ${known}`);
}

/** A server on which a run was cut off in the second of two files. */
async function cutOff(tree: Tree = { "1": "a", "2": "b" }): Promise<MemoryServer> {
  const server = new MemoryServer();
  server.onExecute = async (path, { progress }) => {
    if (path !== "2") return;
    await progress({ resume: RESUME, task: "node:1" });
    throw new ExecutionError(new Error("Cut off"), "unknown", {
      known: "the copy stands at 5 of 10",
      goesOn: true,
    });
  };
  await migrate(server, tree);
  delete server.onExecute;
  return server;
}

Deno.test("run goes on with work that was cut off before it does anything else", async () => {
  const server = await cutOff();
  const seen: (Attempt | undefined)[] = [];
  server.onExecute = (_, { entry }) => void seen.push(entry.attempt);
  const { outcomes, notices } = await migrate(server, { "0": "new", "1": "a", "2": "b" });
  assertEquals(outcomes, ["0 applied", "1 skipped", "2 applied"]);
  assertEquals(server.effects, ["a", "b", "new"]);
  assertEquals(seen.map((attempt) => [attempt?.resume, attempt?.task]), [
    [RESUME, "node:1"],
    [undefined, undefined],
  ]);
  assertStringIncludes(notices.join("\n"), "2: An earlier run was cut off here: the copy stands");
  assertEquals(server.entries.get("2")?.attempt, undefined);
});

Deno.test("run undoes work that was cut off and whose file is gone, and says so", async () => {
  const server = await cutOff();
  const { report, outcomes, notices } = await migrate(server, { "1": "a" });
  assertEquals([report.error, outcomes], [undefined, ["1 skipped"]]);
  assertEquals(server.abandoned.map(({ resume }) => resume), [RESUME]);
  assertEquals([...server.entries.keys()], ["1"]);
  assertEquals(notices, [
    "2: It is not here any more: the copy stands at 5 of 10",
    "2: the copy stands at 5 of 10; it was taken away",
  ]);
  assertEquals(server.holder, undefined);
  assertEquals((await migrate(server, { "1": "a" })).report.requests, 1);
});

Deno.test("run keeps the record of a file whose work it undoes", async () => {
  const server = new MemoryServer();
  await migrate(server, { "1": "a", "2": "old" });
  const applied = server.entries.get("2")?.applied;
  const attempt: Attempt = { hash: "h", state: "running", repeatSafe: true, resume: RESUME };
  server.entries.set("2", { path: "2", ...(applied && { applied }), attempt });
  await migrate(server, { "1": "a" });
  assertEquals(server.entries.get("2"), { path: "2", ...(applied && { applied }) });
});

Deno.test("run fails where work whose file is gone cannot be undone, and asks again", async () => {
  const server = await cutOff();
  server.abandoned.push = () => {
    throw new Error("The cluster is down");
  };
  const { report } = await migrate(server, { "1": "a", "3": "c" });
  assertEquals(report.error?.message, "The cluster is down");
  assertEquals(server.entries.get("2")?.attempt?.resume, RESUME);
  assertEquals([server.effects, server.holder], [["a"], undefined]);
});

Deno.test("run records what a file has left behind, and tells how far it is", async () => {
  const server = new MemoryServer();
  const events: RunEvent[] = [];
  server.onExecute = (_, { onProgress }) => {
    onProgress?.({ message: "copying", done: 1, total: 2 });
    return { leftBehind: ["orders-0"] };
  };
  const onEvent = (event: RunEvent) => void events.push(event);
  await run(memoryTarget(server), await filesOf({ "1": "a" }), { onEvent });
  assertEquals(server.entries.get("1")?.applied?.leftBehind, ["orders-0"]);
  assertEquals(events.filter(({ type }) => type === "progress"), [{
    type: "progress",
    connection: "memory",
    file: "1",
    progress: { message: "copying", done: 1, total: 2 },
  }]);
});

Deno.test("run, resolve and baseline keep what earlier runs have left behind", async () => {
  const left = ({ entries }: MemoryServer) => entries.get("1")?.applied?.leftBehind;
  const server = new MemoryServer();
  server.onExecute = () => ({ leftBehind: ["orders-0"] });
  await migrate(server, { "1": "once a" });
  server.onExecute = () => ({ leftBehind: ["orders-0", "orders-1"] });
  await migrate(server, { "1": "once b" });
  assertEquals(left(server), ["orders-0", "orders-1"]);
  server.onExecute = () => ({});
  await migrate(server, { "1": "once c" });
  assertEquals(left(server), ["orders-0", "orders-1"]);
  const session = await memoryTarget(server).open();
  await baseline(session, await filesOf({ "1": "once d" }), { changed: "1" });
  assertEquals(left(server), ["orders-0", "orders-1"]);
  server.onExecute = () => {
    throw new ExecutionError(new Error("Cut off"), "unknown");
  };
  await migrate(server, { "1": "once e" });
  await settle(server, { "1": "once e" }, "applied", "1");
  assertEquals(left(server), ["orders-0", "orders-1"]);
});

Deno.test("resolve to abandon takes away what was made, and goes back to what was recorded", async () => {
  const server = await cutOff();
  const found = await settle(server, { "1": "a", "2": "b" }, "abandon");
  const known = "the copy stands at 5 of 10; it was taken away";
  assertEquals(found, { file: "2", known, isPending: true });
  assertEquals(server.abandoned.map(({ resume }) => resume), [RESUME]);
  assertEquals([[...server.entries.keys()], server.holder], [["1"], undefined]);
  assertEquals(await settle(server, { "1": "a", "2": "b" }, "abandon"), undefined);

  const gone = await settle(await cutOff(), { "1": "a" }, "abandon");
  assertEquals(gone?.isPending, false);
});

Deno.test("resolve to abandon settles nothing of work without steps", async () => {
  const server = new MemoryServer();
  server.onExecute = () => {
    throw new ExecutionError(new Error("Cut off"), "unknown");
  };
  await migrate(server, { "2": "once" });
  const before = server.entries.get("2");
  assertEquals(await settle(server, { "2": "once" }, "abandon"), undefined);
  assertEquals([server.entries.get("2"), server.abandoned], [before, []]);
});

Deno.test("resolve to abandon keeps what is known where it fails", async () => {
  const server = await cutOff();
  server.abandoned.push = () => {
    throw new Error("The cluster is down");
  };
  await assertRejects(() => settle(server, {}, "abandon"), Error, "The cluster is down");
  assertEquals(server.entries.get("2")?.attempt?.resume, RESUME);
  assertEquals(server.holder, undefined);
});

Deno.test("resolve to retry keeps work of many steps, which the next run goes on with", async () => {
  const server = await cutOff();
  const before = server.entries.get("2");
  const known = "the copy stands at 5 of 10";
  const found = await settle(server, { "1": "a", "2": "b" }, "retry");
  assertEquals(found, { file: "2", known, isPending: true, isKept: true });
  const gone = await settle(server, { "1": "a" }, "retry");
  assertEquals(gone, { file: "2", known, isPending: false, isKept: true });
  assertEquals([server.entries.get("2"), server.abandoned], [before, []]);
});

Deno.test("resolve and baseline do not record work of many steps as applied, and name the way out", async () => {
  const server = await cutOff();
  const tree = { "1": "a", "2": "b" };
  const session = await memoryTarget(server, { owner: "me" }).open();
  const files = await filesOf(tree);
  for (const ask of [() => settle(server, tree, "applied"), () => baseline(session, files)]) {
    const { message } = await assertRejects(ask, InterruptedError);
    assertStringIncludes(message, "An earlier run stopped in '2': the copy stands at 5 of 10");
    assertStringIncludes(message, "resolve 2 --abandon");
    assertEquals(message.includes("--applied"), false);
  }
  assertEquals(server.entries.get("2")?.applied, undefined);
  assertEquals(server.holder, undefined);
});

Deno.test("statusOf tells what is known of work that was cut off, also while another run is at it", async () => {
  const server = await cutOff();
  await migrate(server, { "1": "a" });
  assertInstanceOf(server.entries.get("1")?.applied?.executedAt, Date);
  const { applied } = server.entries.get("1")!;
  const known = "the copy stands at 5 of 10";
  const attempt: Attempt = { hash: "h", state: "running", repeatSafe: true, resume: RESUME, known };
  server.entries.set("1", { path: "1", applied: applied!, attempt });
  const tree = { "1": "changed" };
  assertEquals(await status(server, tree), [`1 changed: ${known}`]);
  server.holder = { owner: "other", isAlive: true };
  assertEquals(await status(server, tree), [`1 changed: ${known}`]);
  assertEquals(await status(server, {}), [`1 missing: ${known}`]);

  const { resume: _, ...short } = attempt;
  server.entries.set("1", { path: "1", applied: applied!, attempt: short });
  assertEquals(await status(server, tree), ["1 changed: undefined"]);
});

Deno.test("previewRun shows the notice of work whose file is gone, though there is nothing to apply", async () => {
  const server = await cutOff();
  const session = await memoryTarget(server).open();
  assertEquals(await previewRun(session, await filesOf({ "1": "a" })), {
    steps: [],
    notices: [{ file: "2", message: "It is not here any more: the copy stands at 5 of 10" }],
  });
});

Deno.test("previewRun tells what is known of work that another run is at", async () => {
  const server = await cutOff();
  server.holder = { owner: "other", isAlive: true };
  const session = await memoryTarget(server).open();
  const { steps, notices } = await previewRun(session, await filesOf({ "1": "a", "2": "b" }));
  assertEquals(steps.map(({ file }) => file), ["2"]);
  assertEquals(notices, [
    { message: "other is at work: what it does meanwhile is not counted here" },
    { file: "2", message: "the copy stands at 5 of 10" },
  ]);
});
