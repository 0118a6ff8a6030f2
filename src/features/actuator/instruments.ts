import type {
  Attributes,
  Meter as OtelMeter,
  MeterProvider,
  ObservableCallback,
} from "@opentelemetry/api";
import { INSTRUMENTATION, meterProvider } from "../../runtime/mod.ts";
import { boundsOf } from "./buckets.ts";
import type { Measurement, Meter } from "./meter_types.ts";
import type { Sink } from "./recorder.ts";

/** @internal */
export interface Instruments {
  counter(meter: Meter): (tags: Measurement["tags"]) => Sink;
  histogram(meter: Meter): (tags: Measurement["tags"]) => Sink;
  /** Reads a gauge, or a counter that is only read, when it is time. @returns what ends that */
  observe(meter: Meter): () => void;
}

export function otelInstruments(): Instruments | undefined {
  const provider = meterProvider() as MeterProvider | undefined;
  const meter = provider?.getMeter(INSTRUMENTATION);
  return meter && instrumentsOf(meter);
}

function instrumentsOf(otel: OtelMeter): Instruments {
  return {
    counter(meter) {
      const counter = otel.createCounter(meter.name, optionsOf(meter));
      return (tags) => {
        const attributes = attributesOf(tags);
        return (value) => counter.add(value, attributes);
      };
    },
    histogram(meter) {
      // Those of SDKs are meant for milliseconds.
      const bounds = meter.type === "timer" && meter.bounds.length === 0 ? SECONDS : meter.bounds;
      const advice = bounds.length > 0 ? { advice: { explicitBucketBoundaries: [...bounds] } } : {};
      const histogram = otel.createHistogram(meter.name, { ...optionsOf(meter), ...advice });
      return (tags) => {
        const attributes = attributesOf(tags);
        return (value) => histogram.record(value, attributes);
      };
    },
    observe(meter) {
      const instrument = meter.type === "counter"
        ? otel.createObservableCounter(meter.name, optionsOf(meter))
        : otel.createObservableGauge(meter.name, optionsOf(meter));
      const read: ObservableCallback = (result) => {
        for (const { tags, statistics: { COUNT, VALUE } } of meter.measure()) {
          const value = COUNT ?? VALUE;
          if (Number.isFinite(value)) result.observe(value!, attributesOf(tags));
        }
      };
      instrument.addCallback(read);
      return () => instrument.removeCallback(read);
    },
  };
}

const SECONDS = boundsOf("timer", { publishPercentileHistogram: true });

const UCUM: Readonly<Record<string, string>> = { seconds: "s", milliseconds: "ms", bytes: "By" };

function optionsOf({ description, unit }: Meter): { description?: string; unit?: string } {
  return {
    ...(description !== undefined && { description }),
    ...(unit !== undefined && { unit: Object.hasOwn(UCUM, unit) ? UCUM[unit]! : unit }),
  };
}

function attributesOf(tags: Measurement["tags"]): Attributes {
  return Object.fromEntries(tags);
}
