import type { ProcessUsage } from "../../runtime/mod.ts";
import type { MeterRegistry } from "./meter_registry.ts";

export function processMeters(registry: MeterRegistry, usage: () => ProcessUsage): void {
  // One registry may serve several applications, of one process.
  if (measured.has(registry)) return;
  measured.add(registry);
  const gauge = (
    name: string,
    baseUnit: "seconds" | "bytes",
    description: string,
    value: (usage: ProcessUsage) => number,
  ) => registry.gauge(name, () => value(usage()), {}, { baseUnit, description });
  gauge("process.uptime", "seconds", "The uptime of the process", (u) => u.uptimeSeconds);
  gauge(
    "process.start.time",
    "seconds",
    "Start time of the process since the Unix epoch",
    (u) => Date.now() / 1000 - u.uptimeSeconds,
  );
  registry.functionCounter("process.cpu", () => usage().cpuSeconds, {}, {
    baseUnit: "seconds",
    description: "Processor time of the process",
  });
  gauge("process.resident.memory", "bytes", "Resident memory", (u) => u.residentBytes);
  gauge("process.heap", "bytes", "Size of the script engine's heap", (u) => u.heapBytes);
  gauge("process.heap.used", "bytes", "What is used of the heap", (u) => u.heapUsedBytes);
}

const measured = new WeakSet<MeterRegistry>();
