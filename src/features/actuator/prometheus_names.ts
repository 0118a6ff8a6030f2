import type { Meter } from "./meter_types.ts";

/** The name of a meter in Prometheus, unit included, without what its samples add (`_total`, `_count`, `_max`). */
export function prometheusName(
  { name, type, unit }: Pick<Meter, "name" | "type" | "unit">,
): string {
  const plain = labelName(name);
  const base = type === "counter" ? plain.replace(/(?<=.)_total$/, "") : plain;
  const suffix = unit === undefined ? "" : `_${labelName(unit)}`;
  return suffix !== "_" && !base.endsWith(suffix) ? base + suffix : base;
}

export function labelName(name: string): string {
  return name.replace(/\W/g, "_");
}

/** Names of samples and families of a meter, in the text format and in OpenMetrics: no other meter may have them. */
export function prometheusClaims(
  { prometheus, type }: Pick<Meter, "prometheus" | "type">,
): string[] {
  return SUFFIXES[type].map((suffix) => prometheus + suffix);
}

// `_created` is what OpenMetrics keeps for the time at which counting began.
const RECORDED = ["", "_bucket", "_count", "_sum", "_created", "_max"];
const SUFFIXES: Readonly<Record<Meter["type"], readonly string[]>> = {
  counter: ["", "_total", "_created"],
  gauge: [""],
  timer: RECORDED,
  "distribution summary": RECORDED,
};
