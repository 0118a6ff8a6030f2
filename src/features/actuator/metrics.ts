import { HttpError } from "../../http/mod.ts";
import type { Measurement, Meter } from "./meter_types.ts";

/** @throws {HttpError} 404 for an unknown meter, 400 for an invalid tag */
export function meterDocument(
  meters: readonly Meter[],
  name: string,
  tags: readonly string[],
): unknown {
  const meter = meters.find((meter) => meter.name === name);
  if (meter === undefined) throw new HttpError(404, `There is no meter '${name}'`);
  const wanted = tags.map((tag) => {
    const [, key = "", value = ""] = /^([^:]+):(.*)$/.exec(tag) ?? [];
    if (key === "") throw new HttpError(400, `Expected a tag such as 'status:200', found '${tag}'`);
    return [key, value] as const;
  });
  const found = meter.measure().filter((measurement) =>
    wanted.every(([key, value]) => measurement.tags.get(key) === value)
  );
  if (found.length === 0 && wanted.length > 0) {
    throw new HttpError(404, `The meter '${name}' has no measurements with ${tags.join(", ")}`);
  }
  return {
    name,
    description: meter.description,
    baseUnit: meter.unit,
    measurements: measurementsOf(found),
    availableTags: availableTags(found, wanted.map(([key]) => key)),
  };
}

function measurementsOf(found: readonly Measurement[]): unknown {
  const sums = new Map<string, number>();
  for (const { statistics } of found) {
    for (const [statistic, value] of Object.entries(statistics)) {
      const before = sums.get(statistic) ?? 0;
      sums.set(statistic, statistic === "MAX" ? Math.max(before, value) : before + value);
    }
  }
  // As Jackson writes what JSON has no number for.
  return [...sums].map(([statistic, value]) => ({
    statistic,
    value: Number.isFinite(value) ? value : String(value),
  }));
}

function availableTags(found: readonly Measurement[], used: readonly string[]): unknown {
  const values = new Map<string, Set<string>>();
  for (const { tags } of found) {
    for (const [tag, value] of tags) {
      if (!used.includes(tag)) values.set(tag, (values.get(tag) ?? new Set()).add(value));
    }
  }
  return [...values].map(([tag, of]) => ({ tag, values: [...of].sort() }));
}
