import { type Json, mapValues } from "../json/json_values.ts";

/** Flat settings with their times and sizes in one form: `60s` is `1m`, and `1024kb` is `1mb`. */
export function withQuantities(settings: Json): Json {
  return mapValues(settings, (value, name) => {
    return typeof value === "string" && !TEXTS.test(name) ? quantityForm(value, name) : value;
  });
}

/** Settings that are names and other texts, even if they look like quantities. */
const TEXTS = new RegExp(
  "^index\\.(?:analysis|similarity)\\." +
    "|\\.(?:require|include|exclude|awareness)\\." +
    "|(?:^|[._])(?:alias|bucket|client|codec|container|id|location|name|path|pipeline|prefix|region|url)$",
);
const SIZES = /(?:size|bytes|bytes_per_sec)$/;

/** Units from the largest to the smallest: of times in nanoseconds, of sizes in bytes. */
export const UNITS: Readonly<Record<"time" | "size", ReadonlyMap<string, number>>> = {
  time: new Map([
    ["d", 86_400_000_000_000],
    ["h", 3_600_000_000_000],
    ["m", 60_000_000_000],
    ["s", 1_000_000_000],
    ["ms", 1_000_000],
    ["micros", 1000],
    ["nanos", 1],
  ]),
  size: new Map(
    ["pb", "tb", "gb", "mb", "kb", "b"].map((unit, index) => [unit, 1024 ** (5 - index)]),
  ),
};

/** `30d`, `50GB` or `50g` in the smallest unit, as the cluster reads them. */
export function amountOf(text: unknown, kind: "time" | "size"): number | undefined {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(String(text)) ?? [];
  const lower = unit.toLowerCase();
  const size = UNITS[kind].get(lower) ?? UNITS[kind].get(`${lower}b`);
  return size === undefined ? undefined : Number(number) * size;
}

/** In the largest unit without a fraction, which clusters refuse; unchanged if it is neither, or too large. */
export function quantityForm(text: string, name: string): string {
  const [, fraction, unit] = /^\d+(\.\d+)? *([a-z]+)$/i.exec(text.trim()) ?? [];
  // Clusters read fractions of sizes alone, in whole bytes.
  if (unit === undefined || (fraction && !SIZES.test(name))) return text;
  // Minutes are a small `m` (tried, 2.19 and 3.4).
  const isTime = UNITS.time.has(unit.toLowerCase()) && unit !== "M" && !SIZES.test(name);
  const kind = isTime ? "time" : "size";
  const amount = Math.trunc(amountOf(text.trim(), kind) ?? NaN);
  if (!Number.isSafeInteger(amount)) return text;
  for (const [unit, size] of UNITS[kind]) if (amount % size === 0) return `${amount / size}${unit}`;
  return text;
}

/** A whole number as clusters read one: `"200"` is 200, and `7.9` is 7. Anything else is unchanged. */
export function integerOf(value: unknown): unknown {
  const isNumber = typeof value === "number" || (typeof value === "string" && value.trim() !== "");
  return isNumber && Number.isFinite(Number(value)) ? Math.trunc(Number(value)) : value;
}
