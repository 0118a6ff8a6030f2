import { assertEquals } from "@std/assert";
import { attemptOf, entryAfterFailure } from "../../../src/migrations/runner/attempts.ts";
import {
  type Attempt,
  ExecutionError,
  type JournalEntry,
  type MigrationRecord,
} from "../../../src/migrations/runner/mod.ts";
import { loadedFile } from "./memory.ts";

type State = Omit<JournalEntry, "path">;
type Failure = ConstructorParameters<typeof ExecutionError>[2] & {
  readonly effect: ExecutionError["effect"];
};

const AT = new Date("2026-01-02T03:04:05Z");
const FILE = await loadedFile("1", "now");
const applied = (hash: string): MigrationRecord => ({ hash, executedAt: AT });
const ours = (rest: Partial<Attempt> = {}): Attempt => ({
  hash: FILE.hash,
  state: "running",
  repeatSafe: true,
  owner: "me",
  ...rest,
});
const OTHER: Attempt = { hash: "other", state: "running", repeatSafe: true, owner: "dead" };
const OLD: State = { applied: applied("old") };
const RESUME = { phase: "copying" };

const CASES: readonly (readonly [
  name: string,
  before: State,
  failure: Failure,
  left: State,
  task?: string,
])[] = [
  ["nothing was done, of a new file", {}, { effect: "none" }, {}],
  ["nothing was done, of an edited one", OLD, { effect: "none" }, OLD],
  [
    "nothing was done, and what an earlier run may have done stays unsettled",
    { applied: applied(FILE.hash), attempt: OTHER },
    { effect: "none" },
    { applied: applied(FILE.hash), attempt: OTHER },
  ],
  [
    "nothing was done, and what an earlier run only announced is forgotten",
    { ...OLD, attempt: { ...OTHER, state: "announced" } },
    { effect: "none" },
    OLD,
  ],
  [
    "nothing was done, of a file that is to be applied once more",
    { applied: applied(FILE.hash) },
    { effect: "none" },
    { applied: applied(FILE.hash), attempt: ours({ state: "announced", again: AT }) },
  ],
  [
    "nothing is left of it, nor of what an earlier run had begun",
    { ...OLD, attempt: { ...OTHER, resume: RESUME } },
    { effect: "none", undone: true },
    OLD,
  ],
  [
    "nothing is left of it, of a file that is to be applied once more",
    { applied: applied(FILE.hash), attempt: { ...OTHER, resume: RESUME, task: "t" } },
    { effect: "none", undone: true },
    { applied: applied(FILE.hash), attempt: ours({ state: "announced", again: AT }) },
  ],
  [
    "nothing was done, and work of many steps stays as it was",
    { ...OLD, attempt: { ...OTHER, resume: RESUME } },
    { effect: "none" },
    { ...OLD, attempt: { ...OTHER, resume: RESUME } },
  ],
  [
    "work of many steps goes on",
    { ...OLD, attempt: { ...OTHER, resume: RESUME, task: "t" } },
    { effect: "unknown", goesOn: true, known: "k" },
    { ...OLD, attempt: ours({ resume: RESUME, task: "t", known: "k" }) },
  ],
  [
    "work of many steps is left without its task",
    { ...OLD, attempt: { ...OTHER, resume: RESUME, task: "t" } },
    { effect: "partial" },
    { ...OLD, attempt: ours({ state: "partial", resume: RESUME }) },
  ],
  ["it may be done", {}, { effect: "unknown", known: "k" }, { attempt: ours({ known: "k" }) }],
  [
    "it may be done, as what an earlier run did",
    { ...OLD, attempt: OTHER },
    { effect: "unknown" },
    { ...OLD, attempt: ours() },
  ],
  [
    "a part is done",
    {},
    { effect: "partial", known: "half", statements: 2 },
    { attempt: ours({ state: "partial", known: "half", statements: 2 }) },
  ],
  [
    "its task is over",
    {},
    { effect: "unknown", known: "k" },
    { attempt: ours({ known: "k" }) },
    "t",
  ],
  [
    "its task goes on",
    {},
    { effect: "unknown", goesOn: true, known: "k" },
    { attempt: ours({ known: "k", task: "t" }) },
    "t",
  ],
];

Deno.test("entryAfterFailure records what earlier attempts have left behind, where there is a record", () => {
  const attempt = ours({ resume: RESUME });
  const left = (before: State, effect: ExecutionError["effect"], undone = false) => {
    const failure = new ExecutionError(new Error("No"), effect, { undone, leftBehind: ["a", "b"] });
    return entryAfterFailure({ path: "1", ...before }, attempt, failure);
  };
  const before = { applied: { ...applied("old"), leftBehind: ["a"] } };
  const after = { path: "1", applied: { ...applied("old"), leftBehind: ["a", "b"] } };
  assertEquals(left(before, "none"), after);
  assertEquals(left({ ...before, attempt }, "none"), { ...after, attempt });
  assertEquals(left({ ...before, attempt }, "none", true), after);
  assertEquals(left(before, "unknown"), { ...after, attempt });
  assertEquals(left({}, "partial"), { path: "1", attempt: { ...attempt, state: "partial" } });
});

for (const [name, before, { effect, ...about }, left, task] of CASES) {
  Deno.test(`entryAfterFailure where ${name}`, () => {
    const migration = {
      file: FILE,
      kind: "text",
      resource: "1",
      onChange: "reapply" as const,
      repeatSafe: true,
      transactional: false,
    };
    const entry = { path: "1", ...before };
    const attempt: Attempt = {
      ...attemptOf(migration, entry, "me"),
      state: "running",
      ...(task !== undefined && { task }),
    };
    const failure = new ExecutionError(new Error("No"), effect, about);
    assertEquals(entryAfterFailure(entry, attempt, failure), { path: "1", ...left });
  });
}
