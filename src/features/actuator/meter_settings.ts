import { type Config, type ConfigValue, leaves, refuseUnknownKeys } from "../../config/mod.ts";
import { defined, durationMs } from "../../text/mod.ts";
import { wrongKey } from "./family.ts";
import type { HistogramOptions, Tags } from "./meter_types.ts";
import type { MeterRegistryOptions } from "./meter_registry.ts";

/** Read at startup: a meter is created within a request, which must not fail for it. @throws {ConfigError} */
export function meterSettings(config: Config): MeterRegistryOptions {
  refuseUnknownKeys(config, METRICS, METRICS_KEYS);
  const maxTagCombinations = config.number(MAX, 2000);
  if (!(Number.isInteger(maxTagCombinations) && maxTagCombinations > 0)) {
    throw config.error(MAX, `expected a whole number above 0, found '${maxTagCombinations}'`);
  }
  return { commonTags: commonTags(config), maxTagCombinations, histogram: histogram(config) };
}

const METRICS = "management.metrics";
const MAX = `${METRICS}.max-tag-combinations`;
const TAGS = `${METRICS}.tags`;
const DISTRIBUTION = `${METRICS}.distribution`;

export const METRICS_KEYS: readonly string[] = [
  "distribution.maximum-expected-value",
  "distribution.minimum-expected-value",
  "distribution.percentiles-histogram",
  "distribution.slo",
  "max-tag-combinations",
  "tags",
];

function commonTags(config: Config): Tags {
  const tags: Record<string, string> = {};
  for (const [key, value] of leavesAt(config, TAGS)) {
    if (value === null || typeof value === "object") {
      throw config.error(`${TAGS}.${key}`, "expected a string");
    }
    tags[key] = String(value);
  }
  const [key, problem] = wrongKey(Object.keys(tags)) ?? [];
  if (problem !== undefined) throw config.error(`${TAGS}.${key}`, problem);
  return tags;
}

/**
 * By the longest beginning of a meter's name, `all` for every meter. Where names below one have values of their own, its
 * own is `all` among them: `{ orders: { all: 100ms, payment: 50ms } }`.
 */
function histogram(config: Config): NonNullable<MeterRegistryOptions["histogram"]> {
  const names: string[] = [];
  const read = <T>(what: string, of: (value: ConfigValue, refuse: Refuse) => T) => {
    const key = `${DISTRIBUTION}.${what}`;
    const found = new Map<string, T>();
    for (const [name, value] of leavesAt(config, key)) {
      const refuse: Refuse = (found, expected) => {
        throw config.error(`${key}.${name}`, `expected ${expected}, found '${found}'`);
      };
      found.set(name.replace(/\.all$/, ""), of(value, refuse));
    }
    names.push(...found.keys());
    return (name: string): T | undefined => byBeginning(found, name);
  };
  const percentiles = read("percentiles-histogram", booleanOf);
  const objectives = read("slo", amountsOf);
  const least = read("minimum-expected-value", amountOf);
  const most = read("maximum-expected-value", amountOf);
  for (const name of names) {
    for (const type of ["timer", "distribution summary"] as const) {
      const [from, to] = [least(name)?.[type], most(name)?.[type]];
      if (from === undefined || to === undefined || from <= to) continue;
      throw config.error(
        `${DISTRIBUTION}.minimum-expected-value`,
        `expected at most 'maximum-expected-value', which is ${to} for '${name}', found ${from}`,
      );
    }
  }
  return (name, type): HistogramOptions => {
    // Settings for another kind of meter are ignored, as in Spring Boot.
    const fitting = (amount: Amount | undefined) => amount?.[type];
    // None may hide one of the meter's own.
    return defined({
      publishPercentileHistogram: percentiles(name),
      serviceLevelObjectives: objectives(name)?.flatMap((amount) => fitting(amount) ?? []),
      minimumExpectedValue: fitting(least(name)),
      maximumExpectedValue: fitting(most(name)),
    });
  };
}

/** A value other than a map has no names. */
function leavesAt(config: Config, key: string): readonly (readonly [string, ConfigValue])[] {
  return [...leaves(config.get(key) ?? {})].filter(([name]) => name !== "");
}

function byBeginning<T>(values: ReadonlyMap<string, T>, name: string): T | undefined {
  for (let key = name; key !== ""; key = key.slice(0, Math.max(0, key.lastIndexOf(".")))) {
    if (values.has(key)) return values.get(key);
  }
  return values.get("all");
}

type Refuse = (found: unknown, expected: string) => never;

function booleanOf(value: ConfigValue, refuse: Refuse): boolean {
  const text = String(value).toLowerCase();
  return text === "true" || (text !== "false" && refuse(value, "true or false"));
}

/** The value for a timer, in milliseconds, and for a summary, for which a duration is invalid. */
type Amount = Readonly<Partial<Record<"timer" | "distribution summary", number>>>;

function amountsOf(value: ConfigValue, refuse: Refuse): readonly Amount[] {
  const values: readonly ConfigValue[] = Array.isArray(value) ? value : String(value).split(",");
  return values.map((value) => {
    const text = String(value).trim();
    const timer = durationMs(text, "ms") ?? 0;
    if (timer === 0) refuse(text, "numbers above 0, or durations such as '50ms' or '1s'");
    return /\d$/.test(text) ? { timer, "distribution summary": timer } : { timer };
  });
}

function amountOf(value: ConfigValue, refuse: Refuse): Amount {
  const [amount, ...more] = amountsOf(value, refuse);
  if (amount === undefined || more.length > 0) {
    refuse(value, "one number above 0, or one duration such as '50ms'");
  }
  return amount!;
}
