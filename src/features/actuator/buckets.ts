import type { HistogramOptions } from "./meter_types.ts";

/** OpenTelemetry's conventions advise these bounds for durations of HTTP requests, in milliseconds. */
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
  const common = publishPercentileHistogram ? BOUNDS : [];
  const expected = common.filter((bound) =>
    bound >= minimumExpectedValue && bound <= maximumExpectedValue
  );
  const bounds = [...new Set([...serviceLevelObjectives, ...expected])].sort((a, b) => a - b);
  const wrong = bounds.find((bound) => !(bound > 0 && bound < Infinity));
  if (wrong !== undefined) {
    throw new RangeError(
      `Cannot use the bound ${wrong} of a histogram: expected a number above 0`,
    );
  }
  return bounds.map((bound) => bound / (type === "timer" ? 1000 : 1));
}
