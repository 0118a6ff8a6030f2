import type { MigrationFeature } from "../../migrations/runner/mod.ts";
import { tracerProvider } from "../../runtime/mod.ts";

/** Spans of runs and of their files, where an SDK for traces is registered. */
export const feature: MigrationFeature = {
  name: "monitoring",
  async run(target, work) {
    if (tracerProvider() === undefined) return await work();
    return await (await import("./spans.ts")).runSpan(target, work);
  },
  async file(file, work) {
    if (tracerProvider() === undefined) return await work();
    return await (await import("./spans.ts")).fileSpan(file, work);
  },
};
