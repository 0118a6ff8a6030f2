import { assertEquals } from "@std/assert";
import { CopyRecord, copyStateOf } from "../../../src/features/reindex/copy_state.ts";
import { type Step, STEPS } from "../../../src/features/reindex/steps.ts";
import { recorded } from "../../recorded/recorded.ts";

type Resume = Readonly<Record<string, unknown>>;

/** The steps that the source of a step names as the next one; where writers wait, `unblock` is one of them. */
function followingOf(step: Step): readonly string[] {
  const source = STEPS[step].toString();
  const named = [...source.matchAll(/\bnext\(([^,]*),/g)].flatMap(([, choice = ""]) =>
    [...choice.matchAll(/"(\w+)"/g)].map(([, name = ""]) => name)
  );
  const failed = source.includes("whileWritersWait(") ? ["unblock"] : [];
  return [...new Set([...named, ...failed])].toSorted();
}

/** The steps in the picture of ADR 236. */
async function picture(): Promise<Readonly<Record<string, readonly string[]>>> {
  const record = await Deno.readTextFile("docs/adr/0236-one-table-for-the-whole-reindex.md");
  const [, block = ""] = /### Steps\n[^]*?```\n([^]*?)```/.exec(record) ?? [];
  const steps: Record<string, string[]> = {};
  let last: string[] = [];
  for (const line of block.trimEnd().split("\n")) {
    const [, step = "", names = ""] = /^(\w*) *[├└]?─+► (\w+(?:, \w+)*)/.exec(line) ?? [];
    if (step !== "") last = steps[step] = [];
    last.push(...names.split(", "));
  }
  return Object.fromEntries(Object.entries(steps).map(([step, names]) => [step, names.toSorted()]));
}

/** Runs of an earlier version left these records of a copy when they were killed. */
async function recordedCopies(): Promise<readonly Resume[]> {
  const lines = (await recorded("search_states.jsonl")).trimEnd().split("\n");
  const found: Resume[] = [];
  JSON.parse(`[${lines.join(",")}]`, (key, value) => {
    if (key === "resume") found.push(value);
    return value;
  });
  return found;
}

Deno.test("STEPS + are the steps in the picture of the guide, with those that follow", async () => {
  const steps = Object.keys(STEPS) as Step[];
  const following = steps.map((step) => [step, followingOf(step)]);
  assertEquals(await picture(), Object.fromEntries(following));
});

Deno.test("copyStateOf() + maps records of an earlier version to the step to continue with", async () => {
  const steps = new Map<string, Set<unknown>>();
  for (const resume of await recordedCopies()) {
    const { phase, isCopied = false } = resume;
    const key = `${phase}, ${isCopied}`;
    steps.set(key, (steps.get(key) ?? new Set()).add(copyStateOf(resume)?.step));
  }
  assertEquals(
    Object.fromEntries([...steps].map(([key, found]) => [key, [...found]])),
    {
      "new, false": ["make"],
      "copying, false": ["copy"],
      "copying, true": ["catchUp"],
      "blocked, true": ["block"],
      "done, true": ["finish"],
    },
  );
});

Deno.test("CopyRecord + writes records as an earlier version wrote them", async () => {
  for (const resume of await recordedCopies()) {
    const saved: unknown[] = [];
    const record = new CopyRecord(copyStateOf(resume), (state) => {
      saved.push(state);
      return Promise.resolve();
    });
    await record.change({});
    assertEquals(saved, [resume]);
  }
});
