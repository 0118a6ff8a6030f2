import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  dependsOnSize,
  type IndexFacts,
  type PredictedEffect,
  predictEffect,
} from "../../../src/features/policy_effects/predicted_effect.ts";

const DAY = 86_400_000;
const DELETE = { delete: {} };

/** States as `name: [actions, transitions as target to conditions]`; the first one is the default. */
function policy(
  states: Record<
    string,
    [actions: unknown[], ...transitions: [string, Record<string, unknown>?][]]
  >,
) {
  const [first] = Object.keys(states);
  return {
    default_state: first,
    states: Object.entries(states).map(([name, [actions, ...transitions]]) => ({
      name,
      actions,
      transitions: transitions.map(([state_name, conditions]) => ({
        state_name,
        ...(conditions && { conditions }),
      })),
    })),
  };
}

/** From `hot` to a deletion on one condition. */
const until = (conditions?: Record<string, unknown>, actions: unknown[] = []) =>
  policy({ hot: [actions, ["gone", conditions]], gone: [[DELETE]] });

const HOT: IndexFacts = { state: "hot", action: "transition", ageMs: 40 * DAY };

const CASES: readonly (readonly [
  name: string,
  policy: unknown,
  facts: IndexFacts,
  deletion: PredictedEffect["deletion"],
  path: string,
])[] = [
  ["an age that is reached", until({ min_index_age: "30d" }), HOT, "yes", "hot gone"],
  ["an age to the millisecond", until({ min_index_age: "40d" }), HOT, "yes", "hot gone"],
  ["an age that is not", until({ min_index_age: "41d" }), HOT, "no", "hot"],
  [
    "an age that is reached before the job runs",
    until({ min_index_age: "40d" }),
    { ...HOT, ageMs: 40 * DAY - 300_000 },
    "may",
    "hot gone",
  ],
  ["hours, upper case", until({ min_index_age: "24H" }), HOT, "yes", "hot gone"],
  ["an unknown unit", until({ min_index_age: "3 moons" }), HOT, "may", "hot gone"],
  [
    "an age that is unknown",
    until({ min_index_age: "1d" }),
    { state: "hot", action: "transition" },
    "may",
    "hot gone",
  ],
  ["no condition", until(), HOT, "yes", "hot gone"],
  ["empty conditions", until({}), HOT, "yes", "hot gone"],
  [
    "a count that is reached",
    until({ min_doc_count: 5 }),
    { ...HOT, documents: 5 },
    "yes",
    "hot gone",
  ],
  ["a count that is not", until({ min_doc_count: 5 }), { ...HOT, documents: 4 }, "no", "hot"],
  ["a count that is unknown", until({ min_doc_count: 5 }), HOT, "may", "hot gone"],
  [
    "a size that is far over",
    until({ min_size: "1kb" }),
    { ...HOT, bytes: 2048 },
    "yes",
    "hot gone",
  ],
  ["a size about there", until({ min_size: "1kb" }), { ...HOT, bytes: 1000 }, "may", "hot gone"],
  ["a size far below", until({ min_size: "1GB" }), { ...HOT, bytes: 2048 }, "no", "hot"],
  [
    "a rollover that may be so old",
    until({ min_rollover_age: "1d" }),
    HOT,
    "may",
    "hot gone",
  ],
  ["a rollover that cannot be", until({ min_rollover_age: "41d" }), HOT, "no", "hot"],
  ["a time of day", until({ cron: { cron: { expression: "0 1 * * *" } } }), HOT, "may", "hot gone"],
  [
    "two conditions",
    until({ min_index_age: "99d", min_doc_count: 1 }),
    HOT,
    "may",
    "hot gone",
  ],
  [
    "an index in the middle of an action",
    until({ min_index_age: "1d" }, [{ rollover: {} }]),
    { ...HOT, action: "rollover" },
    "may",
    "hot gone",
  ],
  [
    "actions of the state that are behind it",
    until({ min_index_age: "1d" }, [{ rollover: {} }]),
    HOT,
    "yes",
    "hot gone",
  ],
  [
    "a job that has stopped",
    until({ min_index_age: "1d" }),
    { ...HOT, isStopped: true },
    "may",
    "hot gone",
  ],
  [
    "a job that has not run yet: its own default state",
    policy({ gone: [[DELETE]] }),
    {},
    "yes",
    "gone",
  ],
  ["the state that it is in deletes", policy({ hot: [[DELETE]] }), { state: "hot" }, "may", "hot"],
  ["it is past the actions of its state", policy({ hot: [[DELETE]] }), HOT, "no", "hot"],
  [
    "a state between",
    policy({ hot: [[], ["warm"]], warm: [[], ["gone"]], gone: [[DELETE]] }),
    HOT,
    "yes",
    "hot warm gone",
  ],
  [
    "a state between that does something first",
    policy({ hot: [[], ["warm"]], warm: [[{ force_merge: {} }], ["gone"]], gone: [[DELETE]] }),
    HOT,
    "may",
    "hot warm gone",
  ],
  [
    "something before the deletion",
    policy({ hot: [[], ["gone"]], gone: [[{ snapshot: {} }, DELETE]] }),
    HOT,
    "may",
    "hot gone",
  ],
  [
    "an unknown action",
    policy({ hot: [[], ["gone"]], gone: [[{ retry: { count: 1 }, vaporize: {} }]] }),
    HOT,
    "may",
    "hot gone",
  ],
  [
    "a copy elsewhere that takes the index away",
    policy({
      hot: [[], ["gone"]],
      gone: [[{ convert_index_to_remote: { repository: "r", delete_original_index: true } }]],
    }),
    HOT,
    "may",
    "hot gone",
  ],
  [
    "a copy elsewhere",
    policy({ hot: [[], ["far"]], far: [[{ convert_index_to_remote: { repository: "r" } }]] }),
    HOT,
    "no",
    "hot far",
  ],
  [
    "an index on its way to a state that deletes",
    until({ min_index_age: "99d" }),
    { next: "gone", seqNo: 3, ageMs: DAY },
    "yes",
    "gone",
  ],
  [
    "an index between two states",
    until({ min_index_age: "99d" }),
    { ...HOT, next: "gone" },
    "yes",
    "gone",
  ],
  [
    "an index on its way from a state that leads on",
    until({ min_index_age: "30d" }),
    { ...HOT, next: "hot" },
    "yes",
    "hot gone",
  ],
  [
    "a state that is not known",
    until({ min_index_age: "99d" }),
    { seqNo: 3, ageMs: DAY },
    "may",
    "gone",
  ],
  [
    "another transition that holds first",
    policy({ hot: [[], ["warm"], ["gone"]], warm: [[]], gone: [[DELETE]] }),
    HOT,
    "no",
    "hot warm",
  ],
  [
    "another transition that may hold first",
    policy({ hot: [[], ["warm", { min_doc_count: 1 }], ["gone"]], warm: [[]], gone: [[DELETE]] }),
    HOT,
    "may",
    "hot gone",
  ],
  [
    "states in a circle",
    policy({ hot: [[], ["warm"]], warm: [[], ["hot"]] }),
    HOT,
    "no",
    "hot warm hot",
  ],
];

for (const [name, policy, facts, deletion, path] of CASES) {
  Deno.test(`predictEffect: ${name}`, () => {
    assertEquals(predictEffect(policy, facts), { isLost: false, path: path.split(" "), deletion });
  });
}

Deno.test("predictEffect finds a state that the policy does not have", () => {
  const lost = { isLost: true, path: ["warm"], deletion: "no" } as const;
  assertEquals(predictEffect(until(), { state: "warm" }), lost);
});

Deno.test("predictEffect finds that an index is on its way to a state that the policy does not have", () => {
  const facts = { next: "warm", state: "hot", action: "transition", ageMs: 1 };
  const lost = { isLost: true, path: ["warm"], deletion: "no" } as const;
  assertEquals(predictEffect(until({ min_index_age: "9d" }), facts), lost);
});

Deno.test("predictEffect ends for every policy, and deletes only where a state does", () => {
  const names = fc.constantFrom("a", "b", "c", "d");
  const transition = fc.tuple(
    names,
    fc.constantFrom(undefined, { min_index_age: "1d" }, { min_doc_count: 3 }, { cron: {} }),
  );
  const state = fc.tuple(
    fc.constantFrom([], [DELETE], [{ rollover: {} }], [{ rollover: {} }, DELETE]),
    fc.array(transition, { maxLength: 4 }),
  );
  fc.assert(fc.property(
    fc.dictionary(names, state, { minKeys: 1, noNullPrototype: true }),
    fc.record({ state: names, ageMs: fc.nat(2 * DAY), documents: fc.nat(6) }),
    (states, facts) => {
      const all = policy(
        Object.fromEntries(
          Object.entries(states).map(([name, [actions, ways]]) => [
            name,
            [actions, ...ways.filter(([target]) => target in states)],
          ]),
        ) as unknown as Parameters<typeof policy>[0],
      );
      const { deletion, path } = predictEffect(all, facts);
      assert(path.length <= 6);
      const last = states[path.at(-1)!];
      if (deletion !== "no") assert(last?.[0].some((action) => "delete" in action));
    },
  ));
});

Deno.test("dependsOnSize considers the conditions of all states", () => {
  assertEquals(dependsOnSize(until({ min_size: "1gb" })), true);
  assertEquals(dependsOnSize(until({ min_doc_count: 1 })), true);
  assertEquals(dependsOnSize(until({ min_index_age: "1d" })), false);
  assertEquals(dependsOnSize(undefined), false);
});
