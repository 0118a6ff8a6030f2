/** One measured figure and the bound it has to keep. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
  readonly note: string;
}

/** Prints the figures and says whether all keep their bounds. */
export function report(figures: readonly Figure[]): boolean {
  for (const figure of figures) {
    const { name, value, unit, bound, note } = figure;
    const text = "atLeast" in bound ? `at least ${bound.atLeast}` : `at most ${bound.atMost}`;
    const verdict = isKept(figure) ? "ok  " : "FAIL";
    console.log(`${verdict} ${name}: ${value.toFixed(3)} ${unit} (${text}); ${note}`);
  }
  return figures.every(isKept);
}

/** The middle of the values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** Whether a figure keeps its bound. */
export function isKept({ value, bound }: Figure): boolean {
  return "atLeast" in bound ? value >= bound.atLeast : value <= bound.atMost;
}
