import { assertEquals } from "@std/assert";
import { nextOf } from "../../src/cli/commands/resolve.ts";
import type { Resolution, ResolveAnswer } from "../../src/migrations/runner/mod.ts";

const CASES:
  readonly (readonly [ResolveAnswer, Pick<Resolution, "isPending" | "isKept">, string])[] = [
    ["applied", { isPending: false }, "recorded as applied"],
    [
      "applied",
      { isPending: true },
      "recorded as applied with its content at that time; the file has changed since, so the next run applies it",
    ],
    ["retry", { isPending: true }, "the next run applies it"],
    ["retry", { isPending: false }, "recorded as before; nothing left to apply"],
    ["retry", { isPending: true, isKept: true }, "the next run continues it"],
    [
      "retry",
      { isPending: false, isKept: true },
      "the file was deleted, so the next run undoes its unfinished work",
    ],
    ["abandon", { isPending: true }, "abandoned; the next run starts again"],
    ["abandon", { isPending: false }, "abandoned; nothing left to apply"],
    [
      "cancel",
      { isPending: true, isKept: true },
      "cancelled; check whether it was applied, then run 'resolve --applied' or 'resolve --retry'",
    ],
    [
      "cancel",
      { isPending: true },
      "cancelled, nothing of the file is applied; the next run applies it",
    ],
    ["cancel", { isPending: false }, "cancelled; nothing left to apply"],
  ];

for (const [answer, found, expected] of CASES) {
  Deno.test(`nextOf --${answer} with ${JSON.stringify(found)}`, () => {
    assertEquals(nextOf(answer, found), expected);
  });
}
