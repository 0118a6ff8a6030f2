import { assertEquals, assertInstanceOf, assertStringIncludes } from "@std/assert";
import {
  type FileProblem,
  InvalidFilesError,
  MigrationFailedError,
  run,
  type RunEvent,
  type RunReport,
} from "../../../src/migrations/runner/mod.ts";
import { filesOf, memoryStore, memoryTarget, refuse } from "./memory_target.ts";

const outcomes = ({ results }: RunReport) => results.map(({ file, outcome }) => [file, outcome]);

Deno.test("run applies every new file in order, records it, and tells which one is the last", async () => {
  const store = memoryStore();
  const report = await run(memoryTarget(store), filesOf({ "1": "a", "2": "b" }));
  assertEquals(outcomes(report), [["1", "applied"], ["2", "applied"]]);
  const log = ["open", "read", "lock 2", "apply 1", "apply 2 last", "unlock", "close"];
  assertEquals(store.log, log);
  assertEquals([report.error, report.stopped, report.requests], [undefined, false, 5]);
});

Deno.test("run reads once and takes no lock when nothing changed", async () => {
  const store = memoryStore();
  const files = filesOf({ "1": "a", "2": "b" });
  await run(memoryTarget(store), files);
  store.log.length = 0;
  const report = await run(memoryTarget(store), files);
  assertEquals(outcomes(report), [["1", "skipped"], ["2", "skipped"]]);
  assertEquals(store.log, ["open", "read", "close"]);
  assertEquals(report.requests, 1);
});

Deno.test("run reapplies a changed file and skips the others", async () => {
  const store = memoryStore();
  await run(memoryTarget(store), filesOf({ "1": "a", "2": "b" }));
  const report = await run(memoryTarget(store), filesOf({ "1": "a", "2": "c" }));
  assertEquals(outcomes(report), [["1", "skipped"], ["2", "reapplied"]]);
  assertEquals(store.records.get("2")?.hash, "c");
});

Deno.test("run stops at the first failure, leaves later files alone and gives the lock back", async () => {
  const store = memoryStore();
  store.onApply = (path) => refuse(path, "2", "No");
  const report = await run(memoryTarget(store), filesOf({ "1": "a", "2": "b", "3": "c" }));
  assertEquals(outcomes(report), [["1", "applied"], ["2", "failed"], ["3", "not run"]]);
  assertInstanceOf(report.error, MigrationFailedError);
  assertEquals(report.results[1]!.error, report.error);
  assertEquals([...store.records.keys()], ["1"]);
  assertEquals(store.log.slice(-2), ["unlock", "close"]);
});

Deno.test("run opens no connection when any file is invalid, and names them all", async () => {
  const store = memoryStore();
  const report = await run(memoryTarget(store), filesOf({ "1": "a", "2": "bad", "3": "bad" }));
  assertInstanceOf(report.error, InvalidFilesError);
  assertEquals(report.error.problems.map(({ path }) => path), ["2", "3"]);
  assertEquals(store.log, []);
});

Deno.test("run turns warnings between files into notices and errors into a refusal", async () => {
  const warning: FileProblem = { severity: "warning", path: "1", message: "Odd" };
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent) => events.push(event);
  const warned = await run(memoryTarget(memoryStore(), [warning]), filesOf({ "1": "a" }), {
    onEvent,
  });
  assertEquals(warned.error, undefined);
  assertEquals(events[0], { type: "notice", connection: "memory", file: "1", message: "Odd" });

  const store = memoryStore();
  const problems = [{ ...warning, severity: "error" as const }];
  const refused = await run(memoryTarget(store, problems), filesOf({ "1": "a" }));
  assertInstanceOf(refused.error, InvalidFilesError);
  assertEquals(store.log, []);
});

Deno.test("run refuses an edited file before anything is applied", async () => {
  const store = memoryStore();
  await run(memoryTarget(store), filesOf({ "2": "once" }));
  store.log.length = 0;
  const report = await run(memoryTarget(store), filesOf({ "1": "new", "2": "once, edited" }));
  assertInstanceOf(report.error, MigrationFailedError);
  assertStringIncludes(report.error.message, "edited after it had been applied");
  assertEquals(store.log, ["open", "read", "close"]);
});

Deno.test("run plans again when another run applied files while it waited for the lock", async () => {
  const store = memoryStore();
  const files = filesOf({ "1": "a", "2": "b" });
  store.onLock = () => {
    store.records.set("1", { path: "1", hash: "a", executedAt: new Date(0) });
  };
  const report = await run(memoryTarget(store), files);
  assertEquals(outcomes(report), [["1", "skipped"], ["2", "applied"]]);
  assertEquals(store.log, ["open", "read", "lock 2", "apply 2 last", "unlock", "close"]);
});

Deno.test("run finishes the file in hand after its signal was aborted and leaves the rest", async () => {
  const store = memoryStore();
  const stop = new AbortController();
  store.onApply = (path) => path === "2" && stop.abort();
  const files = filesOf({ "1": "a", "2": "b", "3": "c" });
  const report = await run(memoryTarget(store), files, { signal: stop.signal });
  assertEquals(outcomes(report), [["1", "applied"], ["2", "applied"], ["3", "not run"]]);
  assertEquals([report.stopped, report.error], [true, undefined]);
  assertEquals([...store.records.keys()], ["1", "2"]);
  assertEquals(store.log.slice(-2), ["unlock", "close"]);
});

Deno.test("run reports progress: planned, then started and finished for each file", async () => {
  const events: string[] = [];
  await run(memoryTarget(memoryStore()), filesOf({ "1": "a", "2": "b" }), {
    onEvent: (event) => {
      if (event.type === "planned") events.push(`${event.pending} of ${event.files}`);
      else if (event.type === "started") events.push(`start ${event.position}/${event.total}`);
      else if (event.type === "finished") events.push(`finish ${event.result.file}`);
    },
  });
  assertEquals(events, ["2 of 2", "start 1/2", "finish 1", "start 2/2", "finish 2"]);
});

Deno.test("run keeps the first error when giving the lock back fails too", async () => {
  const store = memoryStore();
  store.onApply = () => {
    throw new Error("The first");
  };
  const target = memoryTarget(store);
  const report = await run({
    ...target,
    open: async () => {
      const session = await target.open();
      session.unlock = () => Promise.reject(new Error("The second"));
      return session;
    },
  }, filesOf({ "1": "a" }));
  assertEquals(report.error?.message, "The first");
});
