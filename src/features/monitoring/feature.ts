import type { MigrationFeature } from "../../migrations/runner/mod.ts";
import { tracerProvider } from "../../runtime/mod.ts";

/** Spans of runs and of their files, where an SDK for traces is registered. */
export const feature: MigrationFeature = {
  name: "monitoring",
  run: async (target, work) =>
    await (tracerProvider() ? (await import("./spans.ts")).runSpan(target, work) : work()),
  file: async (file, work) =>
    await (tracerProvider() ? (await import("./spans.ts")).fileSpan(file, work) : work()),
};
