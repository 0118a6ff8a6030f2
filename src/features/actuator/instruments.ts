import type {
  Attributes,
  Meter as OtelMeter,
  MeterProvider,
  MetricOptions,
  ObservableCallback,
} from "@opentelemetry/api";
import { INSTRUMENTATION, meterProvider } from "../../runtime/mod.ts";
import { defined } from "../../text/mod.ts";
import { boundsOf } from "./buckets.ts";
import type { Measurement, Meter } from "./meter_types.ts";
import type { Sink } from "./recorder.ts";

/** @internal */
export interface Instruments {
  sinks(meter: Meter): (tags: Measurement["tags"]) => Sink;
  /** Reads a gauge, or a counter that is only read, when it is time. @returns what ends that */
  observe(meter: Meter): () => void;
}

export function otelInstruments(): Instruments | undefined {
  const provider = meterProvider() as MeterProvider | undefined;
  const otel = provider?.getMeter(INSTRUMENTATION);
  if (otel === undefined) return undefined;
  return {
    sinks(meter) {
      const write = meter.type === "counter" ? counterOf(otel, meter) : histogramOf(otel, meter);
      return (tags) => {
        const attributes = Object.fromEntries(tags);
        return (value) => write(value, attributes);
      };
    },
    observe(meter) {
      const instrument = meter.type === "counter"
        ? otel.createObservableCounter(meter.name, metricOptions(meter))
        : otel.createObservableGauge(meter.name, metricOptions(meter));
      const read: ObservableCallback = (result) => {
        for (const { tags, statistics: { COUNT, VALUE } } of meter.measure()) {
          const value = COUNT ?? VALUE;
          if (Number.isFinite(value)) result.observe(value!, Object.fromEntries(tags));
        }
      };
      instrument.addCallback(read);
      return () => instrument.removeCallback(read);
    },
  };
}

type Write = (value: number, attributes: Attributes) => void;

function counterOf(otel: OtelMeter, meter: Meter): Write {
  const counter = otel.createCounter(meter.name, metricOptions(meter));
  return (value, attributes) => counter.add(value, attributes);
}

function histogramOf(otel: OtelMeter, meter: Meter): Write {
  // Those of SDKs are meant for milliseconds.
  const bounds = meter.type === "timer" && meter.bounds.length === 0 ? SECONDS : meter.bounds;
  const advice = bounds.length > 0 ? { advice: { explicitBucketBoundaries: [...bounds] } } : {};
  const histogram = otel.createHistogram(meter.name, { ...metricOptions(meter), ...advice });
  return (value, attributes) => histogram.record(value, attributes);
}

const SECONDS = boundsOf("timer", { publishPercentileHistogram: true });

const UCUM: ReadonlyMap<string | undefined, string> = new Map([
  ["seconds", "s"],
  ["milliseconds", "ms"],
  ["bytes", "By"],
]);

function metricOptions({ description, unit }: Meter): MetricOptions {
  return defined({ description, unit: UCUM.get(unit) ?? unit });
}
