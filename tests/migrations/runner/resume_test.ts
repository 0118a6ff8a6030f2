/** Work of many steps: what a run that was cut off leaves of it, and what becomes of that. */
import { assertEquals, assertInstanceOf, assertRejects, assertStringIncludes } from "@std/assert";
import {
  type Attempt,
  baseline,
  ExecutionError,
  InterruptedError,
  InvalidFilesError,
  LockedError,
  NO_FEATURES,
  previewRun,
  resolve,
  type ResolveAnswer,
  run,
  type RunEvent,
  type RunOptions,
  statusOf,
} from "../../../src/migrations/runner/mod.ts";
import { filesOf, type MemoryOptions, MemoryServer, memoryTarget } from "./memory.ts";

type Tree = Record<string, string>;

const RESUME = { phase: "copying", index: "orders-1" };

/** Applies files; notices as `file: message`. */
async function migrate(server: MemoryServer, tree: Tree, options: MemoryOptions & RunOptions = {}) {
  server.log.length = 0;
  const notices: string[] = [];
  const onEvent = (event: RunEvent) =>
    event.type === "notice" && notices.push(`${event.file}: ${event.message}`);
  const files = await filesOf(tree);
  const report = await run(memoryTarget(server, options), files, { ...options, onEvent });
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

Deno.test("run goes on with work that was cut off when its file's turn comes", async () => {
  const server = await cutOff();
  const seen: (Attempt | undefined)[] = [];
  server.onExecute = (_, { entry }) => void seen.push(entry.attempt);
  const { outcomes, notices } = await migrate(server, { "0": "new", "1": "a", "2": "b" });
  assertEquals(outcomes, ["0 applied", "1 skipped", "2 applied"]);
  assertEquals(server.effects, ["a", "new", "b"]);
  assertEquals(seen.map((attempt) => [attempt?.resume, attempt?.task]), [
    [undefined, undefined],
    [RESUME, "node:1"],
  ]);
  assertStringIncludes(notices.join("\n"), "2: An earlier run was cut off here: the copy stands");
  assertEquals(server.entries.get("2")?.attempt, undefined);
});

Deno.test("run keeps what a file has recorded for a later one, which it does not come to", async () => {
  const server = new MemoryServer();
  const tree = { "1": "a", "2": "b" };
  server.onExecute = async (path, { begin }) => {
    if (path !== "1") return;
    await begin("2", () => RESUME);
    await begin("2", (resume) => ({ ...resume, round: 2 }));
    throw new ExecutionError(new Error("Failed"), "none");
  };
  assertEquals((await migrate(server, tree)).outcomes, ["1 failed", "2 not run"]);
  const seen: unknown[] = [];
  server.onExecute = (_, { entry }) => void seen.push(entry.attempt?.resume);
  assertEquals((await migrate(server, tree)).outcomes, ["1 applied", "2 applied"]);
  assertEquals(seen, [undefined, { ...RESUME, round: 2 }]);
});

Deno.test("run stops before work of many steps that no feature continues", async () => {
  for (const tree of [{ "1": "a", "2": "b" }, { "1": "a" }] as Tree[]) {
    const server = await cutOff();
    const target = memoryTarget(server);
    const features = NO_FEATURES;
    const open = async () => ({ ...await target.open(), features });
    const { error } = await run({ ...target, features, open }, await filesOf(tree));
    assertInstanceOf(error, InterruptedError);
    assertStringIncludes(error.message, "'2' was cut off in work of many steps");
    assertEquals(server.entries.get("2")?.attempt?.resume, RESUME);
    assertEquals([server.effects, server.holder], [["a"], undefined]);
  }
});

Deno.test("run undoes interrupted work whose file was deleted, and says so", async () => {
  const server = await cutOff();
  const { report, outcomes, notices } = await migrate(server, { "1": "a" });
  assertEquals([report.error, outcomes], [undefined, ["1 skipped"]]);
  assertEquals(server.abandoned.map(({ resume }) => resume), [RESUME]);
  assertEquals([...server.entries.keys()], ["1"]);
  assertEquals(notices, ["2: the copy stands at 5 of 10; it was taken away"]);
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
  assertEquals(server.entries.get("2"), { path: "2", applied: applied! });

  server.entries.set("2", {
    path: "2",
    applied: { ...applied!, leftBehind: ["orders-0"] },
    attempt,
  });
  server.onAbandon = () => ({ leftBehind: ["orders-0", "orders-1"] });
  await migrate(server, { "1": "a" });
  const leftBehind = ["orders-0", "orders-1"];
  assertEquals(server.entries.get("2"), { path: "2", applied: { ...applied!, leftBehind } });
});

Deno.test("run fails where work whose file was deleted cannot be undone, and asks again", async () => {
  const server = await cutOff();
  server.abandoned.push = () => {
    throw new Error("The cluster is down");
  };
  const { report } = await migrate(server, { "1": "a", "3": "c" });
  assertEquals(report.error?.message, "The cluster is down");
  assertEquals(server.entries.get("2")?.attempt?.resume, RESUME);
  assertEquals([server.effects, server.holder], [["a"], undefined]);
});

Deno.test("run lets others go on before it plans, and journals how far the work is then", async () => {
  const server = await cutOff();
  server.onRelease = ({ save }) => save({ ...RESUME, phase: "unblocked" });
  const seen: unknown[] = [];
  server.onExecute = (_, { entry }) => void seen.push(entry.attempt?.resume);
  await migrate(server, { "1": "a", "2": "b" });
  assertEquals(server.log, [
    "open",
    "read",
    "lock 0",
    "release 2",
    "write 2 running",
    "unlock",
    "read",
    "lock 1",
    "write 2 running",
    "execute 2",
    "write 2, release",
    "close",
  ]);
  assertEquals(seen, [{ ...RESUME, phase: "unblocked" }]);
});

Deno.test("run lets others go on, and undoes work of deleted files, although another file is broken", async () => {
  const server = await cutOff();
  const before = server.entries.get("2")!;
  server.entries.set("gone", { ...before, path: "gone" });
  server.onRelease = ({ save }) => save({ ...RESUME, phase: "unblocked" });
  const { report } = await migrate(server, { "1": "a", "2": "b", "3": "bad" });
  assertInstanceOf(report.error, InvalidFilesError);
  assertEquals(server.entries.get("2"), {
    ...before,
    attempt: { ...before.attempt!, resume: { ...RESUME, phase: "unblocked" } },
  });
  assertEquals([...server.entries.keys()], ["1", "2"]);
  assertEquals([server.effects, server.holder], [["a"], undefined]);
});

Deno.test("run lets others go on although the lock of the run that was cut off still stands", async () => {
  for (const tree of [{ "1": "a", "2": "b" }, { "1": "a" }] as Tree[]) {
    const server = await cutOff();
    const { attempt } = server.entries.get("2")!;
    // Reverted since: nothing but the attempt says that there is something to do.
    server.entries.set("2", { path: "2", ...record(server, attempt!.hash), attempt: attempt! });
    server.holder = { owner: "dead", isAlive: true };
    server.onLock = () => void (server.holder && (server.holder.isAlive = false));
    const { report } = await migrate(server, tree);
    assertEquals(report.error, undefined);
    assertEquals(server.log.slice(0, 4), [
      "open",
      "read",
      "lock 0",
      "2" in tree ? "release 2" : "abandon 2",
    ]);
    assertEquals(server.entries.get("2")?.attempt, undefined);
  }
});

/** Adds a record of the first file with this hash, as if its content were another one. */
function record({ entries }: MemoryServer, hash: string) {
  return { applied: { ...entries.get("1")!.applied!, hash } };
}

Deno.test("run leaves work to another run that is at it, and goes by what that has recorded", async () => {
  const server = await cutOff();
  const { attempt } = server.entries.get("2")!;
  server.onLock = () => {
    const applied = { hash: attempt!.hash, executedAt: new Date() };
    server.entries.set("2", { path: "2", applied });
  };
  const { outcomes } = await migrate(server, { "1": "a", "2": "b" });
  assertEquals(outcomes, ["1 skipped", "2 skipped"]);
  assertEquals(server.log, ["open", "read", "lock 0", "unlock", "read", "close"]);

  const busy = await cutOff();
  busy.holder = { owner: "other", isAlive: true };
  const { report } = await migrate(busy, { "1": "a", "2": "b" });
  assertInstanceOf(report.error, LockedError);
  assertEquals([busy.log, busy.holder.owner], [["open", "read", "close"], "other"]);
});

Deno.test("run handles the work of a run that is cut off during its wait, before it plans", async () => {
  const cut = (await cutOff()).entries.get("2")!;
  for (const path of ["2", "gone"]) {
    const server = new MemoryServer();
    await migrate(server, { "1": "a" });
    server.holder = { owner: "other", isAlive: true };
    server.onLock = () => {
      server.entries.set(path, { ...cut, path });
      server.holder = undefined;
      delete server.onLock;
    };
    const { report, outcomes } = await migrate(server, { "1": "a", "2": "b" });
    assertEquals([report.error, outcomes], [undefined, ["1 skipped", "2 applied"]]);
    assertEquals(server.log.slice(0, 8), [
      "open",
      "read",
      "lock 0",
      "unlock",
      "read",
      "lock 0",
      ...path === "2" ? ["release 2", "unlock"] : ["abandon gone", "write gone"],
    ]);
    assertEquals([[...server.entries.keys()], server.holder], [["1", "2"], undefined]);
  }
});

Deno.test("run fails where others cannot be let through, applies nothing, and asks again", async () => {
  const server = await cutOff();
  const before = server.entries.get("2");
  server.onRelease = () => {
    throw new Error("The cluster is down");
  };
  const tree = { "0": "new", "1": "a", "2": "b" };
  for (const _ of [1, 2]) {
    const { report } = await migrate(server, tree);
    assertEquals([report.error?.message, report.stopped], ["The cluster is down", false]);
    assertEquals(server.log, ["open", "read", "lock 0", "release 2", "unlock", "close"]);
    assertEquals([server.entries.get("2"), server.effects], [before, ["a"]]);
  }
});

Deno.test("run stops where its signal is aborted while it waits for the lock of what was cut off", async () => {
  const server = await cutOff();
  server.holder = { owner: "other", isAlive: true };
  const stop = new AbortController();
  server.onLock = () => queueMicrotask(() => stop.abort());
  const options = { signal: stop.signal, lockTimeoutMs: 10_000 };
  const { report } = await migrate(server, { "1": "a", "2": "b" }, options);
  assertEquals([report.error, report.stopped], [undefined, true]);
  assertEquals([server.log, server.holder.owner], [["open", "read", "close"], "other"]);

  const again = await migrate(server, { "1": "a", "2": "b" }, options);
  assertEquals([again.report.error, again.report.stopped], [undefined, true]);
});

Deno.test("run stops between two files that were cut off, and gives the lock back", async () => {
  const server = await cutOff();
  server.entries.set("3", { ...server.entries.get("2")!, path: "3" });
  const stop = new AbortController();
  server.onRelease = ({ signal }) => {
    assertEquals(signal, stop.signal);
    stop.abort();
  };
  const { report } = await migrate(server, { "1": "a", "2": "b" }, { signal: stop.signal });
  assertEquals([report.error, report.stopped], [undefined, true]);
  assertEquals(server.log, ["open", "read", "lock 0", "release 2", "unlock", "close"]);
  assertEquals([server.abandoned, server.holder], [[], undefined]);

  const late = new AbortController();
  server.onRelease = () => {
    late.abort();
    throw new Error("Stopped", { cause: late.signal.reason });
  };
  const next = await migrate(server, { "1": "a", "2": "b" }, { signal: late.signal });
  assertEquals([next.report.error, next.report.stopped], [undefined, true]);
});

Deno.test("run records what a failed file says that earlier attempts have left behind", async () => {
  const server = new MemoryServer();
  await migrate(server, { "1": "a" });
  server.onExecute = () => {
    throw new ExecutionError(new Error("No"), "none", { leftBehind: ["orders-0"] });
  };
  await migrate(server, { "1": "b" });
  const { applied, attempt } = server.entries.get("1")!;
  assertEquals([applied?.leftBehind, attempt], [["orders-0"], undefined]);
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

Deno.test("resolve to abandon records what was left behind, and how far it came where it fails", async () => {
  const server = await cutOff();
  const { attempt } = server.entries.get("2")!;
  const { applied } = record(server, "old");
  server.entries.set("2", { path: "2", applied, attempt: attempt! });
  server.onAbandon = async ({ file, save }) => {
    await save({ phase: "half", file });
    throw new Error("The cluster is down");
  };
  await assertRejects(() => settle(server, {}, "abandon"), Error, "The cluster is down");
  const resume = { phase: "half", file: "2" };
  assertEquals(server.entries.get("2"), { path: "2", applied, attempt: { ...attempt!, resume } });
  server.onAbandon = () => ({ message: "it is 'orders-1' already", leftBehind: ["orders-0"] });
  const found = await settle(server, { "2": "b" }, "abandon");
  assertEquals(found, { file: "2", known: "it is 'orders-1' already", isPending: true });
  const leftBehind = ["orders-0"];
  assertEquals(server.entries.get("2"), { path: "2", applied: { ...applied, leftBehind } });
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

Deno.test("previewRun shows the notice of work whose file was deleted, though there is nothing to apply", async () => {
  const server = await cutOff();
  const session = await memoryTarget(server).open();
  assertEquals(await previewRun(session, await filesOf({ "1": "a" })), {
    steps: [],
    notices: [{
      file: "2",
      message: "The file was deleted after a run stopped in it: the copy stands at 5 of 10",
    }],
  });
});

Deno.test("previewRun tells what is known of work that another run is at", async () => {
  const server = await cutOff();
  server.holder = { owner: "other", isAlive: true };
  const session = await memoryTarget(server).open();
  const { steps, notices } = await previewRun(session, await filesOf({ "1": "a", "2": "b" }));
  assertEquals(steps.map(({ file }) => file), ["2"]);
  assertEquals(notices, [
    { message: "Another run is at work (other): what it does meanwhile is not counted here" },
    { file: "2", message: "the copy stands at 5 of 10" },
  ]);
});

Deno.test("previewRun names a file that was reverted while other content of it may be applied", async () => {
  const server = await cutOff();
  await migrate(server, { "1": "a" });
  const { applied } = server.entries.get("1")!;
  const running = { state: "running", repeatSafe: true, resume: RESUME } as const;
  server.holder = { owner: "other", isAlive: true };
  for (const [hash, steps] of [["other", ["1"]], [applied!.hash, []]] as const) {
    server.entries.set("1", { path: "1", applied: applied!, attempt: { ...running, hash } });
    const session = await memoryTarget(server).open();
    const preview = await previewRun(session, await filesOf({ "1": "a" }));
    assertEquals(preview.steps.map(({ file }) => file), [...steps]);
  }
});
