import { metrics, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { bootstrap, GetMapping, RestController } from "@irori/irori";
import { actuator } from "@irori/irori/actuator";
import { tracing } from "@irori/irori/tracing";

/** Says what it was given, a moment later; or never, as one whose collector does not answer. */
function exporter(what: string) {
  return {
    export(_: unknown, done: (result: { code: number }) => void) {
      if (process.env.IS_STUCK !== undefined) return;
      setTimeout(() => {
        console.log(`exported ${what}`);
        done({ code: 0 });
      }, 1);
    },
    shutdown: () => Promise.resolve(),
    forceFlush: () => Promise.resolve(),
    selectAggregationTemporality: () => AggregationTemporality.CUMULATIVE,
  };
}

// As those for production do: now and then, and not at once.
const spans = new BatchSpanProcessor(exporter("spans"), { scheduledDelayMillis: 3_600_000 });
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [spans] }));
const reader = new PeriodicExportingMetricReader({
  exporter: exporter("metrics"),
  exportIntervalMillis: 3_600_000,
});
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));

@RestController()
class Pages {
  @GetMapping("/page")
  page(): string {
    return "page";
  }
}

const app = await bootstrap({
  components: [Pages],
  config: { server: { port: 0, address: "127.0.0.1" } },
  extensions: [actuator(), tracing()],
});
const { url } = await app.listen();
console.log(`url ${url}`);
