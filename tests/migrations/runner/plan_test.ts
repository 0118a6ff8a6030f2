import { assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import {
  type History,
  InterruptedError,
  type Migration,
  MigrationFailedError,
  plan,
} from "../../../src/migrations/runner/mod.ts";

function migration(path: string, hash: string, rest: Partial<Migration> = {}): Migration {
  const file = { path, location: `/m/${path}`, bytes: new Uint8Array(), hash };
  return { file, kind: "sql", resource: path, onChange: "reapply", repeatSafe: true, ...rest };
}

function history(
  records: Record<string, string>,
  interrupted: History["interrupted"] = [],
): History {
  const executedAt = new Date("2026-01-02T03:04:05Z");
  const entries = Object.entries(records).map(([path, hash]) =>
    [path, { path, hash, executedAt }] as const
  );
  return { records: new Map(entries), interrupted };
}

const steps = (result: ReturnType<typeof plan>) =>
  result.steps.map(({ migration, previous }) => [migration.file.path, previous?.hash]);

Deno.test("plan applies a file without a record", () => {
  const result = plan("main", [migration("a.sql", "1")], history({}));
  assertEquals(steps(result), [["a.sql", undefined]]);
  assertEquals(result.notices, []);
});

Deno.test("plan skips a file whose record has the same hash", () => {
  assertEquals(steps(plan("main", [migration("a.sql", "1")], history({ "a.sql": "1" }))), []);
});

Deno.test("plan re-applies a file whose record has another hash", () => {
  const result = plan("main", [migration("a.sql", "2")], history({ "a.sql": "1" }));
  assertEquals(steps(result), [["a.sql", "1"]]);
});

Deno.test("plan refuses an edited file that may not run again, with both hashes and ways out", () => {
  const error = assertThrows(
    () =>
      plan("main", [migration("a.sql", "new", { onChange: "fail" })], history({ "a.sql": "old" })),
    MigrationFailedError,
  );
  assertEquals(error.file, "a.sql");
  for (const part of ["old", "new", "on_change: reapply", "-- irori: repeatable", "2026-01-02"]) {
    assertStringIncludes(error.message, part);
  }
});

Deno.test("plan gives notice of a new file that sorts before an applied one, and applies it", () => {
  const files = [migration("1.sql", "1"), migration("2.sql", "2"), migration("3.sql", "3")];
  const result = plan("main", files, history({ "2.sql": "2" }));
  assertEquals(steps(result), [["1.sql", undefined], ["3.sql", undefined]]);
  assertEquals(result.notices.map(({ file }) => file), ["1.sql"]);
  assertMatch(result.notices[0]!.message, /Out of order.*'2\.sql'/);
});

Deno.test("plan ignores records of files that are gone", () => {
  const result = plan("main", [migration("a.sql", "1")], history({ "a.sql": "1", "old.sql": "9" }));
  assertEquals([...result.steps, ...result.notices], []);
});

Deno.test("plan does an interrupted file again where that does no harm, and says so once", () => {
  const interrupted = [{ path: "1.sql", hash: "1" }, { path: "2.sql", hash: "2" }];
  const files = [migration("1.sql", "1"), migration("2.sql", "2", { repeatSafe: false })];
  const result = plan("main", files, history({}, interrupted));
  assertEquals(steps(result), [["1.sql", undefined], ["2.sql", undefined]]);
  assertEquals(result.notices.map(({ file }) => file), ["1.sql"]);
});

Deno.test("plan stops at an interrupted file that must not run twice, and names both ways out", () => {
  const interrupted = [{ path: "1.sql", hash: "1", detail: "statement 2 of 3 was running" }];
  const files = [migration("1.sql", "1", { repeatSafe: false })];
  const error = assertThrows(
    () => plan("main", files, history({}, interrupted)),
    InterruptedError,
  );
  for (const part of ["statement 2 of 3", "resolve 1.sql --applied", "resolve 1.sql --retry"]) {
    assertStringIncludes(error.message, part);
  }
});
