/** The limit of a measured value. */
export type Bound = { readonly atLeast: number } | { readonly atMost: number } | {
  readonly below: number;
};

/** One measured figure and the bound it has to keep. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly bound: Bound;
  readonly note: string;
}

/** Prints the figures and says whether all keep their bounds. */
export function report(figures: readonly Figure[]): boolean {
  for (const { name, value, unit, bound, note } of figures) {
    const verdict = isKept(value, bound) ? "ok  " : "FAIL";
    console.log(`${verdict} ${name}: ${value.toFixed(3)} ${unit} (${boundText(bound)}); ${note}`);
  }
  return figures.every(({ value, bound }) => isKept(value, bound));
}

/** The middle of the values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** Whether a value keeps to a bound. */
export function isKept(value: number, bound: Bound): boolean {
  if ("atLeast" in bound) return value >= bound.atLeast;
  return "atMost" in bound ? value <= bound.atMost : value < bound.below;
}

/** A bound in words, such as `at most 1.15`. */
export function boundText(bound: Bound): string {
  if ("atLeast" in bound) return `at least ${bound.atLeast}`;
  return "atMost" in bound ? `at most ${bound.atMost}` : `below ${bound.below}`;
}
