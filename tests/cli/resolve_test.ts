import { assertEquals } from "@std/assert";
import { nextOf } from "../../src/cli/commands/resolve.ts";
import type { Resolution, ResolveAnswer } from "../../src/migrations/runner/mod.ts";

const CASES:
  readonly (readonly [ResolveAnswer, Pick<Resolution, "isPending" | "isKept">, string])[] = [
    ["applied", { isPending: false }, "recorded as applied"],
    [
      "applied",
      { isPending: true },
      "recorded as applied as it was then; the file was changed since, so the next run applies it",
    ],
    ["retry", { isPending: true }, "the next run applies it"],
    ["retry", { isPending: false }, "recorded as it was before; there is nothing left to apply"],
    ["retry", { isPending: true, isKept: true }, "the next run goes on with it"],
    [
      "retry",
      { isPending: false, isKept: true },
      "the file is gone, so the next run undoes what was begun",
    ],
    ["abandon", { isPending: true }, "abandoned; the next run begins anew"],
    ["abandon", { isPending: false }, "abandoned; there is nothing left to apply"],
    [
      "cancel",
      { isPending: true, isKept: true },
      "ended; look at what became of it, and say so by 'resolve --applied' or 'resolve --retry'",
    ],
    [
      "cancel",
      { isPending: true },
      "ended, and nothing of the file is applied; the next run applies it",
    ],
    ["cancel", { isPending: false }, "ended; there is nothing left to apply"],
  ];

for (const [answer, found, expected] of CASES) {
  Deno.test(`nextOf --${answer} with ${JSON.stringify(found)}`, () => {
    assertEquals(nextOf(answer, found), expected);
  });
}
