const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

export const DURATION = "a time such as 500ms, 30s or 2m";

/** Milliseconds of `500ms`, `30s` or `2m`, fractions included. @returns `undefined` when it is none */
export function durationMs(text: string, unit?: "ms" | "s"): number | undefined {
  const [, number, named = unit] = /^(\d+(?:\.\d+)?)\s*(ms|s|m)?$/.exec(text) ?? [];
  if (number === undefined || named === undefined) return undefined;
  const milliseconds = Number(number) * MILLISECONDS[named]!;
  return Number.isFinite(milliseconds) ? milliseconds : undefined;
}
