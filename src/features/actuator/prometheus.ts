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

/** Prometheus 0.0.4 or OpenMetrics 1.0: histograms where there are bounds, else summaries with a maximum. */
export function prometheusText(meters: readonly Meter[], format = TEXT): string {
  const isOpen = format === OPENMETRICS;
  const lines = sorted(meters, ({ prometheus }) => prometheus)
    .flatMap((meter) => linesOf(meter, isOpen));
  return [...lines, ...isOpen ? ["# EOF"] : []].map((line) => `${line}\n`).join("");
}

function linesOf(meter: Meter, isOpen: boolean): readonly string[] {
  const { prometheus: name, type, description, unit } = meter;
  const head = (type: string, own = name) => {
    const family = isOpen || type !== "counter" ? own : `${own}_total`;
    const lines = [`# TYPE ${family} ${type}`];
    if (isOpen && unit !== undefined && own.endsWith(`_${labelName(unit)}`)) {
      lines.push(`# UNIT ${own} ${labelName(unit)}`);
    }
    if (description === undefined) return lines;
    if (isOpen) return [...lines, `# HELP ${family} ${escaped(description)}`];
    return [`# HELP ${family} ${escapedHelp(description)}`, ...lines];
  };
  const series = sorted(
    meter.measure().map((measurement) => ({ ...measurement, labels: labelsOf(measurement) })),
    ({ labels }) => labels,
  );
  const samples = (suffix: string, statistic: keyof Measurement["statistics"]) =>
    series.flatMap(({ labels, statistics }) => {
      const value = statistics[statistic];
      return value === undefined ? [] : [sample(name + suffix, labels, value)];
    });
  if (type === "counter") return [...head("counter"), ...samples("_total", "COUNT")];
  if (type === "gauge") return [...head("gauge"), ...samples("", "VALUE")];
  const isHistogram = meter.bounds.length > 0;
  return [
    ...head(isHistogram ? "histogram" : "summary"),
    ...series.flatMap(({ labels, statistics, buckets = [] }) => {
      const { COUNT = 0, TOTAL_TIME, TOTAL = TOTAL_TIME ?? 0 } = statistics;
      let below = 0;
      return [
        ...buckets.map((count, index) => {
          const limit = meter.bounds[index];
          const le = `le="${limit === undefined ? "+Inf" : boundOf(limit, isOpen)}"`;
          return sample(`${name}_bucket`, labels === "" ? le : `${labels},${le}`, below += count);
        }),
        sample(`${name}_count`, labels, COUNT),
        sample(`${name}_sum`, labels, TOTAL),
      ];
    }),
    ...head("gauge", `${name}_max`),
    ...samples("_max", "MAX"),
  ];
}

/** OpenMetrics has them as in its section "Considerations: Canonical Numbers". */
function boundOf(value: number, isOpen: boolean): string {
  return isOpen && Number.isInteger(value) && value < 1e21 ? `${value}.0` : String(value);
}

function sample(name: string, labels: string, value: number): string {
  return `${name}${labels === "" ? "" : `{${labels}}`} ${formatNumber(value)}`;
}

function formatNumber(value: number): string {
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
