import type { Config, ConfigValue } from "../config/mod.ts";
import type { HistogramOptions, Tags } from "./meter_types.ts";
import type { MeterRegistryOptions } from "./meter_registry.ts";

/**
 * Reads `management.metrics` of the configuration, keys as Spring Boot has them.
 *
 * @throws {ConfigError} when a value is not what it has to be
 */
export function meterSettings(config: Config): MeterRegistryOptions {
  const maxTagCombinations = config.number(MAX, 2000);
  if (!(Number.isInteger(maxTagCombinations) && maxTagCombinations > 0)) {
    throw config.error(MAX, `expected a whole number above 0, found '${maxTagCombinations}'`);
  }
  return { commonTags: commonTags(config), maxTagCombinations, histogram: histogram(config) };
}

const MAX = "management.metrics.max-tag-combinations";
const TAGS = "management.metrics.tags";
const DISTRIBUTION = "management.metrics.distribution";

function commonTags(config: Config): Tags {
  const tags: Record<string, string> = {};
  for (const [key, value] of leaves(config.get(TAGS))) {
    if (value === null || typeof value === "object") {
      throw config.error(`${TAGS}.${key}`, "expected a text");
    }
    tags[key] = String(value);
  }
  return tags;
}

/** By the longest beginning of a meter's name, `all` for every meter. */
function histogram(config: Config): NonNullable<MeterRegistryOptions["histogram"]> {
  const at = (what: string) => new Map(leaves(config.get(`${DISTRIBUTION}.${what}`)));
  const percentiles = at("percentiles-histogram");
  const objectives = at("slo");
  const least = at("minimum-expected-value");
  const most = at("maximum-expected-value");
  for (const [name, value] of percentiles) {
    booleanOf(value, failure(config, "percentiles-histogram", name));
  }
  // What it is of is not known yet: a duration reads as an amount, or not.
  for (const [name, value] of objectives) boundsOf(value, "timer", failure(config, "slo", name));
  return (name, type): HistogramOptions => {
    const one = (what: string, values: ReadonlyMap<string, ConfigValue>) => {
      const key = keyFor(values, name);
      if (key === undefined) return undefined;
      return boundsOf(values.get(key), type, failure(config, what, key))[0];
    };
    const histogramKey = keyFor(percentiles, name);
    const objectivesKey = keyFor(objectives, name);
    const minimumExpectedValue = one("minimum-expected-value", least);
    const maximumExpectedValue = one("maximum-expected-value", most);
    return {
      ...(histogramKey !== undefined && {
        publishPercentileHistogram: booleanOf(
          percentiles.get(histogramKey),
          failure(config, "percentiles-histogram", histogramKey),
        ),
      }),
      ...(objectivesKey !== undefined && {
        serviceLevelObjectives: boundsOf(
          objectives.get(objectivesKey),
          type,
          failure(config, "slo", objectivesKey),
        ),
      }),
      ...(minimumExpectedValue !== undefined && { minimumExpectedValue }),
      ...(maximumExpectedValue !== undefined && { maximumExpectedValue }),
    };
  };
}

function keyFor(values: ReadonlyMap<string, unknown>, name: string): string | undefined {
  let key = name;
  while (!values.has(key)) {
    const dot = key.lastIndexOf(".");
    if (dot < 0) return values.has("all") ? "all" : undefined;
    key = key.slice(0, dot);
  }
  return key;
}

/** What makes the error of a value, of what was expected. */
type Failure = (value: unknown, expected: string) => Error;

function failure(config: Config, what: string, name: string): Failure {
  return (value, expected) =>
    config.error(`${DISTRIBUTION}.${what}.${name}`, `expected ${expected}, found '${value}'`);
}

function booleanOf(value: unknown, fail: Failure): boolean {
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  throw fail(value, "true or false");
}

const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, "": 1 };

/** Bounds of a timer in milliseconds, of a summary as they are. */
function boundsOf(
  value: ConfigValue | undefined,
  type: "timer" | "distribution summary",
  fail: Failure,
) {
  const texts = (Array.isArray(value) ? value as readonly ConfigValue[] : String(value).split(",")) //
    .map((text) => String(text).trim());
  return texts.map((text) => {
    const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|)$/.exec(text) ?? [];
    if (!(Number(number) > 0)) {
      throw fail(text, "numbers above 0, or durations such as '50ms' or '1s'");
    }
    if (type === "timer") return Number(number) * MILLISECONDS[unit]!;
    if (unit !== "") throw fail(text, "numbers, as the meter is no timer");
    return Number(number);
  });
}

/** What is set below a key, names with dots: they may be nested, or written in one. */
function* leaves(value: ConfigValue | undefined, prefix = ""): Iterable<[string, ConfigValue]> {
  if (value === undefined) return;
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    if (prefix !== "") yield [prefix, value];
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    yield* leaves(inner, prefix === "" ? key : `${prefix}.${key}`);
  }
}
