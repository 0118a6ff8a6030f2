import type { Meter, Tags } from "./meters.ts";

/** The media type of {@linkcode prometheusText}. */
export const PROMETHEUS = "text/plain;version=0.0.4;charset=utf-8";

/** Meters in the text format of Prometheus, version 0.0.4; a timer is a summary and a gauge of its maximum. */
export function prometheusText(meters: readonly Meter[]): string {
  return meters.flatMap((meter) => meter.type === "timer" ? timerLines(meter) : lines(meter))
    .map((line) => `${line}\n`).join("");
}

function lines({ prometheus: name, description, type, measure }: Meter): readonly string[] {
  return [
    ...head(name, type, description),
    ...measure().map(({ tags, statistics }) => sample(name, tags, statistics.VALUE)),
  ];
}

function timerLines(meter: Meter): readonly string[] {
  const { prometheus: name, description } = meter;
  const measured = meter.measure();
  return [
    ...head(name, "summary", description),
    ...measured.flatMap(({ tags, statistics }) => [
      sample(`${name}_count`, tags, statistics.COUNT),
      sample(`${name}_sum`, tags, statistics.TOTAL_TIME),
    ]),
    ...head(`${name}_max`, "gauge", description),
    ...measured.map(({ tags, statistics }) => sample(`${name}_max`, tags, statistics.MAX)),
  ];
}

function head(name: string, type: string, description: string): readonly string[] {
  return [`# HELP ${name} ${description}`, `# TYPE ${name} ${type}`];
}

function sample(name: string, tags: Tags, value = 0): string {
  const labels = Object.entries(tags).map(([tag, value]) => `${tag}="${escape(value)}"`).join(",");
  return `${name}${labels === "" ? "" : `{${labels}}`} ${value}`;
}

function escape(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
