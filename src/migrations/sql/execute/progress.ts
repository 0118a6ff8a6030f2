import type { Attempt } from "../../runner/mod.ts";

/** How far a file came that is done statement by statement, as a sentence without its final period. */
export function howFar(
  { state, statements: done = 0 }: Pick<Attempt, "state" | "statements">,
  total?: number,
): string {
  if (total === 1) return ofOne(state, done);
  if (total !== undefined && done >= total) return `all ${total} statements are applied`;
  const next = `statement ${done + 1}${total === undefined ? "" : ` of ${total}`}`;
  if (state === "partial") {
    return done === 0
      ? `it stopped at ${next}, and a part of its work may have stayed`
      : `it stopped at ${next}, and ${applied(done)}`;
  }
  return done === 0
    ? `of ${next} nothing is known, and none behind it is applied`
    : `${applied(done)}, and of ${next} nothing is known`;
}

function ofOne(state: Attempt["state"], done: number): string {
  if (done > 0) return "its statement is applied";
  return state === "partial"
    ? "its statement failed, and a part of its work may have stayed"
    : "of its statement nothing is known";
}

function applied(count: number): string {
  if (count === 1) return "1 is applied";
  return `1 ${count === 2 ? "and" : "to"} ${count} are applied`;
}

export function leftBehind(done: number, total: number): string {
  if (done > 0) return `Of ${total} statements ${applied(done)}`;
  return total === 1
    ? "A part of the statement's work may have stayed"
    : `0 of ${total} statements were applied, but a part of the first one's work may have stayed`;
}
