/** The features of the web half that the command line knows. */
import type { Feature } from "../cli/mod.ts";
import { WEB_COMMANDS } from "../cli/web.ts";

export const WEB_FEATURES: readonly Feature[] = [
  { name: "web", commands: WEB_COMMANDS },
  {
    name: "jobs",
    after: "new",
    commands: { jobs: () => import("./jobs/command.ts") },
    schemas: {
      "jobs-schema": async (place) => (await import("./jobs/command.ts")).newSchema(place),
    },
    examples: {
      new: [["new jobs-schema", "the schema for @Job, or what a newer 'pg-boss' changes in it"]],
    },
  },
  {
    name: "scheduling",
    schemas: {
      "schedules-schema": async ({ kind }) =>
        textFor(kind, (await import("./scheduling/ticks_table.ts")).SCHEDULES_SCHEMA),
    },
    examples: { new: [["new schedules-schema", "the table for @Scheduled"]] },
  },
  {
    name: "idempotency",
    schemas: {
      "idempotency-schema": async ({ kind }) =>
        textFor(kind, (await import("./idempotency/keys_table.ts")).IDEMPOTENCY_SCHEMA),
    },
    examples: { new: [["new idempotency-schema", "the table for keys of requests"]] },
  },
  { name: "build", after: "scan", commands: { build: () => import("./build/command.ts") } },
  {
    name: "openapi",
    after: "routes",
    commands: { openapi: () => import("./openapi/command.ts") },
    reads: async (...found) => (await import("./openapi/exported.ts")).exportedOptions(...found),
  },
  {
    name: "contract",
    after: "openapi",
    commands: { contract: () => import("./contract/command.ts") },
  },
];

function textFor(kind: string, texts: Readonly<Record<string, string>>): string | undefined {
  return texts[kind];
}
