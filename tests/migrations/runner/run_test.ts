import { assertEquals, assertInstanceOf, assertStringIncludes } from "@std/assert";
import {
  type FileProblem,
  InterruptedError,
  InvalidFilesError,
  LockedError,
  MigrationFailedError,
  run,
  type RunEvent,
  type RunOptions,
  type RunReport,
} from "../../../src/migrations/runner/mod.ts";
import { failIn, filesOf, type MemoryOptions, MemoryServer, memoryTarget } from "./memory.ts";

const outcomes = ({ results }: RunReport) => results.map(({ file, outcome }) => [file, outcome]);

/** Runs files of `path: text` on a server. */
async function migrate(
  server: MemoryServer,
  tree: Record<string, string>,
  options: MemoryOptions & RunOptions = {},
): Promise<RunReport> {
  server.log.length = 0;
  return await run(memoryTarget(server, options), await filesOf(tree), options);
}

Deno.test("run applies new files in order, each between its beginning and its record", async () => {
  const server = new MemoryServer();
  const report = await migrate(server, { "1": "a", "2": "b" });
  assertEquals(outcomes(report), [["1", "applied"], ["2", "applied"]]);
  assertEquals(server.log, [
    "open",
    "read",
    "lock 2",
    "write 1 running",
    "execute 1",
    "write 1",
    "write 2 running",
    "execute 2",
    "write 2, release",
    "close",
  ]);
  assertEquals([report.error, report.stopped, report.requests], [undefined, false, 6]);
  assertEquals(server.holder, undefined);
});

Deno.test("run leaves a transactional file and its entry to the executor", async () => {
  const server = new MemoryServer();
  await migrate(server, { "1": "whole" });
  const log = ["open", "read", "lock 1", "execute 1", "unlock", "close"];
  assertEquals(server.log, log);
  assertEquals(server.entries.get("1")?.applied?.executedBy, "memory-1-a");
});

Deno.test("run records a file that must not be done twice before it gives the lock back", async () => {
  const server = new MemoryServer();
  await migrate(server, { "1": "once" });
  assertEquals(server.log.slice(-3), ["write 1", "unlock", "close"]);
});

Deno.test("run reads once, and neither looks into files nor takes the lock, when nothing changed", async () => {
  const server = new MemoryServer();
  const tree = { "1": "a", "2": "b" };
  await migrate(server, tree);
  server.log.length = 0;
  const files = (await filesOf(tree)).map((file) => ({
    ...file,
    read: () => Promise.reject(new Error("It is not needed")),
  }));
  const report = await run(memoryTarget(server), files);
  assertEquals(outcomes(report), [["1", "skipped"], ["2", "skipped"]]);
  assertEquals([server.log, report.requests], [["open", "read", "close"], 1]);
});

Deno.test("run reapplies a changed file and skips the others", async () => {
  const server = new MemoryServer();
  await migrate(server, { "1": "a", "2": "b" });
  const report = await migrate(server, { "1": "a", "2": "c" });
  assertEquals(outcomes(report), [["1", "skipped"], ["2", "reapplied"]]);
  assertEquals(server.effects, ["a", "b", "c"]);
});

Deno.test("run stops at the first failure, leaves later files alone and gives the lock back", async () => {
  const server = new MemoryServer();
  server.onExecute = failIn("2");
  const report = await migrate(server, { "1": "a", "2": "b", "3": "c" });
  assertEquals(outcomes(report), [["1", "applied"], ["2", "failed"], ["3", "not run"]]);
  assertEquals(report.error?.message, "2 failed");
  assertEquals(report.results[1]!.error, report.error);
  assertEquals([...server.entries.keys()], ["1"]);
  assertEquals(server.log.slice(-2), ["unlock", "close"]);
});

Deno.test("run journals what a failure has left behind", async () => {
  for (const effect of ["partial", "unknown"] as const) {
    const server = new MemoryServer();
    server.onExecute = failIn("1", effect);
    await migrate(server, { "1": "once" });
    const { attempt } = server.entries.get("1")!;
    const state = effect === "partial" ? "partial" : "running";
    assertEquals([attempt?.state, attempt?.known], [state, `it was ${effect}`]);
    delete server.onExecute;
    const again = await migrate(server, { "1": "once" });
    assertInstanceOf(again.error, InterruptedError);
    assertStringIncludes(again.error.message, `it was ${effect}`);
    assertEquals(server.effects, []);
  }
});

Deno.test("run takes what an executor did not expect for work of which nothing is known", async () => {
  const server = new MemoryServer();
  server.onExecute = () => {
    throw new TypeError("a bug");
  };
  const report = await migrate(server, { "1": "once" });
  assertEquals(report.error?.message, "a bug");
  assertEquals(server.entries.get("1")?.attempt?.state, "running");
});

Deno.test("run keeps what was recorded when a file that is applied again fails", async () => {
  const server = new MemoryServer();
  await migrate(server, { "1": "a" });
  const { applied } = server.entries.get("1")!;
  server.onExecute = failIn("1");
  await migrate(server, { "1": "b" });
  assertEquals(server.entries.get("1"), { path: "1", applied });
  server.onExecute = failIn("1", "unknown");
  await migrate(server, { "1": "b" });
  assertEquals(server.entries.get("1")?.applied, applied);
});

Deno.test("run applies a file again that was cut off and reverted since, though it is as recorded", async () => {
  const server = new MemoryServer();
  await migrate(server, { "1": "a" });
  server.onExecute = failIn("1", "unknown");
  await migrate(server, { "1": "b" });
  delete server.onExecute;
  const report = await migrate(server, { "1": "a" });
  assertEquals(outcomes(report), [["1", "reapplied"]]);
  assertEquals(server.effects, ["a", "a"]);
  assertEquals((await migrate(server, { "1": "a" })).requests, 1);
});

Deno.test("run keeps knowing of a cut-off file that another failure keeps it from reaching", async () => {
  const server = new MemoryServer();
  await migrate(server, { "2": "a" });
  server.onExecute = failIn("2", "unknown");
  await migrate(server, { "2": "b" });
  server.onExecute = failIn("1");
  await migrate(server, { "1": "new", "2": "c" });
  delete server.onExecute;
  // Only what the journal says of the attempt tells that this is not what the server has.
  const report = await migrate(server, { "2": "a" });
  assertEquals(outcomes(report), [["2", "reapplied"]]);
});

Deno.test("run names all files that are invalid, and applies none", async () => {
  const server = new MemoryServer();
  const report = await migrate(server, { "1": "a", "2": "bad", "3": "bad" });
  assertInstanceOf(report.error, InvalidFilesError);
  assertEquals(report.error.problems.map(({ path }) => path), ["2", "3"]);
  assertEquals(server.log, ["open", "read", "close"]);
});

Deno.test("run does not look into broken files that are recorded as they are", async () => {
  const server = new MemoryServer();
  const [file] = await filesOf({ "1": "bad" });
  server.entries.set("1", { path: "1", applied: { hash: file!.hash, executedAt: new Date() } });
  for (const comparesFiles of [false, true]) {
    const report = await migrate(server, { "1": "bad", "2": "a" }, { comparesFiles });
    assertEquals(report.error, undefined);
    server.entries.delete("2");
  }
});

Deno.test("run turns warnings between files into notices and errors into a refusal", async () => {
  const warning: FileProblem = { severity: "warning", path: "1", message: "Odd" };
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent) => events.push(event);
  const problems = () => [warning];
  const warned = await migrate(new MemoryServer(), { "1": "a" }, { onEvent, problems });
  assertEquals(warned.error, undefined);
  assertEquals(events[0], { type: "notice", connection: "memory", file: "1", message: "Odd" });

  const server = new MemoryServer();
  const refused = await migrate(server, { "1": "a" }, {
    problems: () => [{ ...warning, severity: "error" }],
  });
  assertInstanceOf(refused.error, InvalidFilesError);
  assertEquals(server.log, ["open", "read", "close"]);
});

Deno.test("run refuses an edited file before anything is applied", async () => {
  const server = new MemoryServer();
  await migrate(server, { "2": "fail" });
  const report = await migrate(server, { "1": "new", "2": "fail, edited" });
  assertInstanceOf(report.error, MigrationFailedError);
  assertStringIncludes(report.error.message, "edited after it had been applied");
  assertEquals(server.log, ["open", "read", "close"]);
});

Deno.test("run takes a file whose line ends changed for the same where they mean nothing", async () => {
  for (const [before, after] of [["a\nb\n", "a\r\nb\r\n"], ["a\r\nb", "a\nb"]] as const) {
    const server = new MemoryServer();
    await migrate(server, { "1": before });
    const notices: string[] = [];
    const onEvent = (event: RunEvent) => event.type === "notice" && notices.push(event.message);
    const report = await migrate(server, { "1": after }, { ignoresLineEnds: true, onEvent });
    assertEquals(outcomes(report), [["1", "skipped"]]);
    assertStringIncludes(notices.join(), "line ends alone");
    assertEquals(server.log, ["open", "read", "close"]);
    assertEquals(outcomes(await migrate(server, { "1": after })), [["1", "reapplied"]]);
    const changed = await migrate(server, { "1": `${after}!` }, { ignoresLineEnds: true });
    assertEquals(outcomes(changed), [["1", "reapplied"]]);
  }
});

Deno.test("run plans again when another run applied files while it waited for the lock", async () => {
  const server = new MemoryServer();
  const [one] = await filesOf({ "1": "a" });
  server.onLock = () => {
    server.entries.set("1", { path: "1", applied: { hash: one!.hash, executedAt: new Date(0) } });
  };
  const report = await migrate(server, { "1": "a", "2": "b" });
  assertEquals(outcomes(report), [["1", "skipped"], ["2", "applied"]]);
  assertEquals(server.effects, ["b"]);
});

Deno.test("run asks for the lock, not for a decision, while another run is at work", async () => {
  const server = new MemoryServer();
  server.holder = { owner: "other", isAlive: true };
  const attempt = { hash: "h", state: "running", repeatSafe: false } as const;
  server.entries.set("1", { path: "1", attempt });
  const report = await migrate(server, { "1": "once" });
  assertInstanceOf(report.error, LockedError);
  assertEquals(report.error.owner, "other");
});

Deno.test("run needs no lock of another run's when there is nothing to do", async () => {
  const server = new MemoryServer();
  await migrate(server, { "1": "a" });
  server.holder = { owner: "other", isAlive: true };
  assertEquals((await migrate(server, { "1": "a" })).error, undefined);
});

Deno.test("run stops when the lock is lost, and says what is not known", async () => {
  const server = new MemoryServer();
  server.onExecute = () => {
    server.holder = { owner: "other", isAlive: true };
  };
  const report = await migrate(server, { "1": "a", "2": "b" });
  assertInstanceOf(report.error, LockedError);
  assertEquals(outcomes(report), [["1", "failed"], ["2", "not run"]]);
  assertEquals(server.effects, []);
});

Deno.test("run finishes the file in hand after its signal was aborted and leaves the rest", async () => {
  const server = new MemoryServer();
  const stop = new AbortController();
  server.onExecute = (path) => {
    if (path === "2") stop.abort();
  };
  const report = await migrate(server, { "1": "a", "2": "b", "3": "c" }, { signal: stop.signal });
  assertEquals(outcomes(report), [["1", "applied"], ["2", "applied"], ["3", "not run"]]);
  assertEquals([report.stopped, report.error], [true, undefined]);
  assertEquals([...server.entries.keys()], ["1", "2"]);
  assertEquals(server.holder, undefined);
});

Deno.test("run that is stopped while it waits has failed in nothing", async () => {
  const server = new MemoryServer();
  const stop = new AbortController();
  server.onLock = () => {
    stop.abort();
    stop.signal.throwIfAborted();
  };
  const report = await migrate(server, { "1": "a" }, { signal: stop.signal });
  assertEquals([report.error, report.stopped], [undefined, true]);
  assertEquals(outcomes(report), [["1", "not run"]]);
});

Deno.test("run that is stopped while a file's work goes on by itself journals how far it came", async () => {
  const server = new MemoryServer();
  const stop = new AbortController();
  server.onExecute = async (_, work) => {
    await work.progress({ task: "node:1" });
    stop.abort();
    work.signal?.throwIfAborted();
  };
  const report = await migrate(server, { "1": "once", "2": "b" }, { signal: stop.signal });
  assertEquals([report.error, report.stopped], [undefined, true]);
  assertEquals(outcomes(report), [["1", "not run"], ["2", "not run"]]);
  const { attempt } = server.entries.get("1")!;
  assertEquals([attempt?.state, attempt?.task], ["running", "node:1"]);
  assertEquals(server.holder, undefined);

  let seen: string | undefined;
  server.onExecute = (path, { entry }) => {
    if (path === "1") seen = entry.attempt?.task;
  };
  assertEquals((await migrate(server, { "1": "once", "2": "b" })).error, undefined);
  assertEquals(seen, "node:1");
});

Deno.test("run reports progress: planned, then started and finished for each file", async () => {
  const events: string[] = [];
  await migrate(new MemoryServer(), { "1": "a", "2": "b" }, {
    onEvent: (event) => {
      if (event.type === "planned") events.push(`${event.pending} of ${event.files}`);
      else if (event.type === "started") events.push(`start ${event.position}/${event.total}`);
      else if (event.type === "finished") events.push(`finish ${event.result.file}`);
    },
  });
  assertEquals(events, ["2 of 2", "start 1/2", "finish 1", "start 2/2", "finish 2"]);
});

Deno.test("run keeps the first error when giving the lock back fails too", async () => {
  const server = new MemoryServer();
  server.onExecute = failIn("1", "none", new Error("The first"));
  const target = memoryTarget(server);
  const report = await run({
    ...target,
    open: async () => {
      const session = await target.open();
      session.journal.unlock = () => Promise.reject(new Error("The second"));
      return session;
    },
  }, await filesOf({ "1": "a" }));
  assertEquals(report.error?.message, "The first");
});

Deno.test("run fails when giving the lock back fails", async () => {
  const target = memoryTarget(new MemoryServer());
  const report = await run({
    ...target,
    open: async () => {
      const session = await target.open();
      session.journal.unlock = () => Promise.reject(new LockedError("memory", "Taken"));
      return session;
    },
  }, await filesOf({ "1": "once" }));
  assertInstanceOf(report.error, LockedError);
  assertEquals(outcomes(report), [["1", "applied"]]);
});
