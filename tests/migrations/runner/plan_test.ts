import { assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import {
  type Attempt,
  type Classifier,
  classifyAll,
  InterruptedError,
  type JournalEntry,
  type Migration,
  MigrationFailedError,
} from "../../../src/migrations/runner/mod.ts";
import {
  announce,
  type Plan,
  type PlanInput,
  planSteps,
} from "../../../src/migrations/runner/plan.ts";

const EXECUTED_AT = new Date("2026-01-02T03:04:05Z");

function migration(path: string, hash: string, rest: Partial<Migration> = {}): Migration {
  const file = { path, location: `/m/${path}`, hash };
  return {
    file,
    kind: "sql",
    resource: path,
    onChange: "reapply",
    repeatSafe: true,
    transactional: false,
    ...rest,
  };
}

function recorded(path: string, hash: string, attempt?: Attempt): JournalEntry {
  return { path, applied: { hash, executedAt: EXECUTED_AT }, ...(attempt && { attempt }) };
}

function running(hash: string, rest: Partial<Attempt> = {}): Attempt {
  return { hash, state: "running", repeatSafe: true, ...rest };
}

function plan(
  migrations: readonly Migration[],
  entries: readonly JournalEntry[],
  rest: Partial<PlanInput> = {},
): Plan {
  const files = migrations.map(({ file }) => ({
    ...file,
    read: () => Promise.resolve(new Uint8Array()),
  }));
  return planSteps({
    connection: "main",
    files,
    state: { entries: new Map(entries.map((entry) => [entry.path, entry])), unsettled: false },
    migrations: new Map(migrations.map((migration) => [migration.file.path, migration])),
    sameButLineEnds: new Set(),
    lastApplied: files.findLast(({ path }) => entries.some((entry) => entry.path === path)),
    followers: () => new Set(),
    known: new Map(entries.map(({ path, attempt }) => [path, attempt?.known ?? "it was cut off"])),
    ...rest,
  });
}

const steps = ({ steps }: Plan) =>
  steps.map(({ migration, entry }) => [migration.file.path, entry.applied?.hash]);

Deno.test("planSteps applies a file without a record", () => {
  const result = plan([migration("a.sql", "1")], []);
  assertEquals([steps(result), result.notices], [[["a.sql", undefined]], []]);
});

Deno.test("planSteps skips a file whose record has the same hash", () => {
  assertEquals(steps(plan([migration("a.sql", "1")], [recorded("a.sql", "1")])), []);
});

Deno.test("planSteps re-applies a file whose record has another hash", () => {
  const result = plan([migration("a.sql", "2")], [recorded("a.sql", "1")]);
  assertEquals([steps(result), result.notices], [[["a.sql", "1"]], []]);
});

Deno.test("planSteps gives notice before something is sent again that is no repetition", () => {
  const post = migration("a.json", "2", { repeatSafe: false, resource: "POST /_aliases" });
  const result = plan([post], [recorded("a.json", "1")]);
  assertEquals(steps(result), [["a.json", "1"]]);
  assertEquals(result.notices.map(({ message }) => message), [
    "It was edited: POST /_aliases is sent again",
  ]);
});

Deno.test("planSteps refuses an edited file that may not run again, with both hashes and ways out", () => {
  const edited = migration("a.sql", "new", { onChange: "fail" });
  const error = assertThrows(
    () => plan([edited], [recorded("a.sql", "old")]),
    MigrationFailedError,
  );
  assertEquals(error.file, "a.sql");
  const parts = ["old", "new", "on_change: reapply", "-- irori: repeatable", "2026-01-02"];
  for (const part of [...parts, "baseline --changed a.sql"]) {
    assertStringIncludes(error.message, part);
  }
});

Deno.test("planSteps refuses an edited file that was announced and not begun", () => {
  const edited = migration("a.sql", "new", { onChange: "fail" });
  const announced = recorded("a.sql", "old", running("new", { state: "announced" }));
  assertThrows(() => plan([edited], [announced]), MigrationFailedError, "a.sql");
});

Deno.test("planSteps applies an edited file again when an earlier run was cut off in it", () => {
  const edited = migration("a.sql", "new", { onChange: "fail" });
  const result = plan([edited], [recorded("a.sql", "old", running("new"))]);
  assertEquals(steps(result), [["a.sql", "old"]]);
});

Deno.test("planSteps applies a file that follows another one although an edit of it is refused", () => {
  const files = [migration("1", "new"), migration("2", "2", { onChange: "fail" })];
  const followers = () => new Set(["2"]);
  const result = plan(files, [recorded("1", "old"), recorded("2", "2")], { followers });
  assertEquals(steps(result), [["1", "old"], ["2", "2"]]);
  // Other line ends are no edit.
  const converted = [files[0]!, migration("2", "crlf", { onChange: "fail" })];
  const sameButLineEnds = new Set(["2"]);
  assertEquals(
    steps(
      plan(converted, [recorded("1", "old"), recorded("2", "2")], { followers, sameButLineEnds }),
    ),
    [["1", "old"], ["2", "2"]],
  );
});

Deno.test("planSteps gives notice of a new file that sorts before an applied one, and applies it", () => {
  const files = [migration("1.sql", "1"), migration("2.sql", "2"), migration("3.sql", "3")];
  const result = plan(files, [recorded("2.sql", "2")]);
  assertEquals(steps(result), [["1.sql", undefined], ["3.sql", undefined]]);
  assertEquals(result.notices.map(({ file }) => file), ["1.sql"]);
  assertMatch(result.notices[0]!.message, /Out of order.*'2\.sql'/);
});

Deno.test("planSteps gives no notice of the place of a file whose place does not matter", () => {
  const files = [migration("1.json", "1", { unordered: true }), migration("2.json", "2")];
  assertEquals(plan(files, [recorded("2.json", "2")]).notices, []);
});

Deno.test("planSteps ignores records of deleted files, and reports their unfinished work", () => {
  const entries = [
    recorded("a.sql", "1"),
    recorded("old.sql", "9"),
    { path: "gone.sql", attempt: running("8", { known: "it was cut off" }) },
    { path: "never.sql", attempt: running("8", { state: "announced" }) },
  ];
  const result = plan([migration("a.sql", "1")], entries);
  assertEquals(result.steps, []);
  assertEquals(result.notices, [
    {
      file: "gone.sql",
      message: "The file was deleted after a run stopped in it: it was cut off; " +
        "'resolve gone.sql --retry' ends this notice",
    },
  ]);
});

Deno.test("planSteps does an interrupted file again where that does no harm, and says so", () => {
  const files = [migration("1.sql", "1"), migration("2.sql", "2", { repeatSafe: false })];
  const entries = [
    { path: "1.sql", attempt: running("1") },
    { path: "2.sql", attempt: running("2", { state: "announced", repeatSafe: false }) },
  ];
  const result = plan(files, entries);
  assertEquals(steps(result), [["1.sql", undefined], ["2.sql", undefined]]);
  assertEquals(result.notices.map(({ file }) => file), ["1.sql"]);
});

Deno.test("planSteps does a cut-off file again that is as recorded: the server may have the other content", () => {
  const result = plan([migration("1.sql", "1")], [recorded("1.sql", "1", running("2"))]);
  assertEquals(steps(result), [["1.sql", "1"]]);
  assertMatch(result.notices[0]!.message, /cut off here: it is applied again/);
});

Deno.test("planSteps stops at an interrupted file that must not run twice, and names both ways out", () => {
  // The version of the file that was begun decides, not the version that it was changed into.
  for (const repeatSafe of [false, true]) {
    const attempt = running("1", { repeatSafe: false, known: "statement 2 of 3 was running" });
    const files = [migration("0.sql", "0"), migration("1.sql", "2", { repeatSafe })];
    const error = assertThrows(() => plan(files, [{ path: "1.sql", attempt }]), InterruptedError);
    for (const part of ["statement 2 of 3", "resolve 1.sql --applied", "resolve 1.sql --retry"]) {
      assertStringIncludes(error.message, part);
    }
  }
});

Deno.test("planSteps takes work up again that goes on in the background, unless the file was changed", () => {
  const attempt = running("1", { repeatSafe: false, task: "node:1" });
  const post = (hash: string) => migration("1.json", hash, { repeatSafe: false });
  const result = plan([post("1")], [{ path: "1.json", attempt }]);
  assertEquals(steps(result), [["1.json", undefined]]);
  assertMatch(result.notices[0]!.message, /goes on in the background/);
  assertThrows(() => plan([post("2")], [{ path: "1.json", attempt }]), InterruptedError);
});

Deno.test("planSteps keeps the order of files, work of many steps that was cut off included", () => {
  const files = ["0", "1", "2", "3"].map((path) => migration(path, "new"));
  const resume = { phase: "copying" };
  const entries = [
    { path: "1", attempt: running("new") },
    recorded("2", "old", running("other", { resume, known: "it stands at 5 of 10" })),
    { path: "3", attempt: running("new", { resume, state: "partial" }) },
  ];
  const result = plan(files, entries);
  assertEquals(steps(result).map(([path]) => path), ["0", "1", "2", "3"]);
  assertEquals(result.notices.filter(({ file }) => file === "2"), [
    { file: "2", message: "An earlier run was cut off here: it stands at 5 of 10" },
  ]);
});

Deno.test("planSteps takes up work of many steps of a file that is as recorded and may not run again", () => {
  const attempt = running("2", { resume: { phase: "copying" } });
  const reverted = migration("1", "1", { onChange: "fail" });
  assertEquals(steps(plan([reverted], [recorded("1", "1", attempt)])), [["1", "1"]]);
});

Deno.test("planSteps reports unfinished work of deleted files, work of many steps included", () => {
  const entries = [
    recorded("gone", "1", running("2", { resume: { phase: "copying" } })),
    { path: "short", attempt: running("1") },
    { path: "never", attempt: running("1", { state: "announced", resume: {} }) },
  ];
  const result = plan([], entries);
  assertEquals(result.steps, []);
  assertEquals(result.notices.map(({ file }) => file), ["gone", "short"]);
});

Deno.test("planSteps applies unchanged files again that an earlier one makes necessary", () => {
  const files = [migration("1", "2"), migration("2", "1"), migration("3", "1")];
  const entries = [recorded("1", "1"), recorded("2", "1"), recorded("3", "1")];
  const result = plan(files, entries, {
    followers: (pending) => pending.has("1") ? new Set(["3"]) : new Set(),
  });
  assertEquals(steps(result), [["1", "1"], ["3", "1"]]);
  assertMatch(result.notices[0]!.message, /Applied again, though it did not change/);
});

Deno.test("planSteps goes on with files that a run has left to be applied once more", () => {
  const left = running("1", { state: "announced", again: EXECUTED_AT });
  const result = plan([migration("1", "1")], [recorded("1", "1", left)]);
  assertEquals(steps(result), [["1", "1"]]);
});

Deno.test("announce says of each step whether it may have begun, and that a record does not show it", () => {
  const files = [
    migration("new", "1", { repeatSafe: false }),
    migration("same", "1"),
    migration("edited", "3"),
  ];
  const entries = [
    recorded("same", "1", running("2")),
    recorded("edited", "1", running("2", { resume: { phase: "copying" }, task: "node:1" })),
  ];
  assertEquals(Object.fromEntries(announce(plan(files, entries), "me")), {
    new: { hash: "1", state: "announced", repeatSafe: false, owner: "me" },
    same: { hash: "1", state: "running", repeatSafe: true, owner: "me", again: EXECUTED_AT },
    edited: {
      hash: "3",
      state: "running",
      repeatSafe: true,
      owner: "me",
      task: "node:1",
      resume: { phase: "copying" },
    },
  });
});

Deno.test("classifyAll() lets a signal be heard between files", async () => {
  const files = ["a.sql", "b.sql"].map((path) => ({
    ...{ path, location: path, hash: "" },
    read: () => Promise.resolve(new Uint8Array()),
  }));
  const heard: string[] = [];
  const busy: Pick<Classifier, "classify"> = {
    classify({ path }) {
      heard.push(path);
      for (const end = performance.now() + 20; performance.now() < end;);
      return migration(path, "");
    },
  };
  setTimeout(() => heard.push("signal"));
  await classifyAll(busy as Classifier, files);
  assertEquals(heard, ["a.sql", "signal", "b.sql"]);
});
