import { type Json, mapValues } from "../json/json_values.ts";

/** Flat settings with their times and sizes in one form: `60s` is `1m`, and `1024kb` is `1mb`. */
export function withQuantities(settings: Json): Json {
  return mapValues(settings, (value, name) => {
    return typeof value === "string" && !TEXTS.test(name) ? quantityState(value, name) : value;
  });
}

/** Settings that are names and other texts, whatever they look like: two of them are never the same by their units. */
const TEXTS = new RegExp(
  "^index\\.(?:analysis|similarity)\\." +
    "|\\.(?:require|include|exclude|awareness)\\." +
    "|(?:^|[._])(?:alias|bucket|client|codec|container|id|location|name|path|pipeline|prefix|region|url)$",
);
const SIZES = /(?:size|bytes|bytes_per_sec)$/;

const TIME_UNITS = new Map([
  ["d", 86_400_000_000_000],
  ["h", 3_600_000_000_000],
  ["m", 60_000_000_000],
  ["s", 1_000_000_000],
  ["ms", 1_000_000],
  ["micros", 1000],
  ["nanos", 1],
]);
const SIZE_UNITS = new Map(
  ["pb", "tb", "gb", "mb", "kb", "b"].map((unit, index) => [unit, 1024 ** (5 - index)]),
);

/** In the largest unit that needs no fraction, which clusters refuse; as it is where it is neither, or too large. */
export function quantityState(text: string, name: string): string {
  const [, number, unit = ""] = /^(\d+) *([a-z]+)$/i.exec(text.trim()) ?? [];
  if (number === undefined) return text;
  const lower = unit.toLowerCase();
  // Minutes are a small `m` (tried, 2.19 and 3.4).
  const isTime = TIME_UNITS.has(lower) && unit !== "M" && !SIZES.test(name);
  const units = isTime ? TIME_UNITS : SIZE_UNITS;
  const size = units.get(lower) ?? units.get(`${lower}b`);
  if (size === undefined) return text;
  const amount = Number(number) * size;
  if (!Number.isSafeInteger(amount)) return text;
  for (const [unit, size] of units) if (amount % size === 0) return `${amount / size}${unit}`;
  return text;
}
