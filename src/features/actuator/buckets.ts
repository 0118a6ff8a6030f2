import type { HistogramOptions } from "./meter_types.ts";

/** What OpenTelemetry's conventions advise for durations of HTTP requests, in milliseconds. */
const BOUNDS = [5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10_000];

/** Ascending, each once, in the meter's base unit. @throws {RangeError} for a bound that is not above 0 */
export function boundsOf(
  type: "timer" | "distribution summary",
  options: HistogramOptions,
): number[] {
  const {
    serviceLevelObjectives = [],
    publishPercentileHistogram = false,
    minimumExpectedValue = -Infinity,
    maximumExpectedValue = Infinity,
  } = options;
  if (minimumExpectedValue > maximumExpectedValue) {
    throw new RangeError(
      `Cannot expect values from ${minimumExpectedValue} to ${maximumExpectedValue}: expected a minimum below the maximum`,
    );
  }
  const bounds = new Set(serviceLevelObjectives);
  if (publishPercentileHistogram) {
    for (const bound of BOUNDS) {
      if (bound >= minimumExpectedValue && bound <= maximumExpectedValue) bounds.add(bound);
    }
  }
  for (const bound of bounds) {
    if (!(bound > 0 && bound < Infinity)) {
      throw new RangeError(
        `Cannot use the bound ${bound} of a histogram: expected a number above 0`,
      );
    }
  }
  const unit = type === "timer" ? 1000 : 1;
  return [...bounds].sort((a, b) => a - b).map((bound) => bound / unit);
}
