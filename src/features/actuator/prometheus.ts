import { negotiate } from "../../web/mod.ts";
import type { Measurement, Meter } from "./meter_types.ts";
import { labelName } from "./prometheus_names.ts";

/** The two formats that Prometheus reads, by their media types as Spring Boot writes them. */
export const TEXT = "text/plain;version=0.0.4;charset=utf-8";
export const OPENMETRICS = "application/openmetrics-text;version=1.0.0;charset=utf-8";

/** The format that an `Accept` header prefers; text where it names neither, as other exporters have it. */
export function prometheusFormat(accept: string | null): string {
  // No name of a meter needs escaping, whichever kind of it the client offers.
  const offered = accept?.replace(/;\s*escaping=[\w-]+/g, "") ?? null;
  return negotiate([TEXT, OPENMETRICS], offered)?.type ?? TEXT;
}

/**
 * Meters in the text format of Prometheus 0.0.4, or in OpenMetrics 1.0: a timer or summary is a histogram where it has
 * bounds, else a summary, and beside it a gauge of its maximum.
 */
export function prometheusText(meters: readonly Meter[], format = TEXT): string {
  const write = format === OPENMETRICS ? openMetrics : text;
  const lines = sorted(meters, ({ prometheus }) => prometheus).flatMap((meter) =>
    linesOf(meter, write)
  );
  return [...lines, ...format === OPENMETRICS ? ["# EOF"] : []].map((line) => `${line}\n`).join("");
}

interface Writer {
  head(name: string, type: string, meter: Meter): readonly string[];
  bound(value: number): string;
}

const text: Writer = {
  head: (name, type, { description }) => {
    const family = type === "counter" ? `${name}_total` : name;
    const help = description === undefined ? [] : [`# HELP ${family} ${escapedHelp(description)}`];
    return [...help, `# TYPE ${family} ${type}`];
  },
  bound: String,
};

const openMetrics: Writer = {
  head: (name, type, { description, unit }) => {
    const isOfUnit = unit !== undefined && name.endsWith(`_${labelName(unit)}`);
    return [
      `# TYPE ${name} ${type}`,
      ...isOfUnit ? [`# UNIT ${name} ${labelName(unit)}`] : [],
      ...description === undefined ? [] : [`# HELP ${name} ${escaped(description)}`],
    ];
  },
  // As its section "Considerations: Canonical Numbers" has them.
  bound: (value) => Number.isInteger(value) && value < 1e21 ? `${value}.0` : String(value),
};

function linesOf(meter: Meter, { head, bound }: Writer): readonly string[] {
  const { prometheus: name, type } = meter;
  const series = sorted(
    meter.measure().map((measurement) => ({ ...measurement, labels: labelsOf(measurement) })),
    ({ labels }) => labels,
  );
  const samples = (suffix: string, statistic: keyof Measurement["statistics"]) =>
    series.flatMap(({ labels, statistics }) => {
      const value = statistics[statistic];
      return value === undefined ? [] : [sample(name + suffix, labels, value)];
    });
  if (type === "counter") return [...head(name, "counter", meter), ...samples("_total", "COUNT")];
  if (type === "gauge") return [...head(name, "gauge", meter), ...samples("", "VALUE")];
  const isHistogram = meter.bounds.length > 0;
  return [
    ...head(name, isHistogram ? "histogram" : "summary", meter),
    ...series.flatMap(({ labels, statistics, buckets = [] }) => {
      const { COUNT = 0, TOTAL_TIME, TOTAL = TOTAL_TIME ?? 0 } = statistics;
      let below = 0;
      return [
        ...buckets.map((count, index) => {
          const limit = meter.bounds[index];
          const le = `le="${limit === undefined ? "+Inf" : bound(limit)}"`;
          return sample(`${name}_bucket`, labels === "" ? le : `${labels},${le}`, below += count);
        }),
        sample(`${name}_count`, labels, COUNT),
        sample(`${name}_sum`, labels, TOTAL),
      ];
    }),
    ...head(`${name}_max`, "gauge", meter),
    ...samples("_max", "MAX"),
  ];
}

function sample(name: string, labels: string, value: number): string {
  return `${name}${labels === "" ? "" : `{${labels}}`} ${numberOf(value)}`;
}

function numberOf(value: number): string {
  if (value === Infinity) return "+Inf";
  return value === -Infinity ? "-Inf" : String(value);
}

function labelsOf({ tags }: Measurement): string {
  return [...tags].map(([tag, value]) => `${labelName(tag)}="${escaped(value)}"`).join(",");
}

function escaped(value: string): string {
  return escapedHelp(value).replaceAll('"', '\\"');
}

function escapedHelp(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

/** By code units, so that the order is the same on every machine. */
function sorted<T>(values: readonly T[], by: (value: T) => string): T[] {
  return values.toSorted((a, b) => by(a) < by(b) ? -1 : by(a) > by(b) ? 1 : 0);
}
