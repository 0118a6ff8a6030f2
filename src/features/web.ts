/** The features of the web half that the command line knows. A line, a folder: nothing is loaded before it is needed. */
import type { Half } from "../cli/mod.ts";
import { WEB_COMMANDS } from "../cli/web.ts";

export const WEB: Half = {
  commands: WEB_COMMANDS,
  features: [
    {
      name: "jobs",
      after: "new",
      commands: { jobs: () => import("./jobs/command.ts") },
      schemas: {
        "jobs-schema": async (place) => (await import("./jobs/command.ts")).newSchema(place),
      },
    },
    {
      name: "scheduling",
      schemas: {
        "schedules-schema": async ({ kind }) =>
          (await import("./scheduling/schema.ts")).SCHEDULES_SCHEMA[kind],
      },
    },
    {
      name: "idempotency",
      schemas: {
        "idempotency-schema": async ({ kind }) =>
          (await import("./idempotency/schema.ts")).IDEMPOTENCY_SCHEMA[kind],
      },
    },
    { name: "build", after: "scan", commands: { build: () => import("./build/command.ts") } },
    {
      name: "openapi",
      after: "routes",
      commands: { openapi: () => import("./openapi/command.ts") },
    },
    {
      name: "contract",
      after: "openapi",
      commands: { contract: () => import("./contract/command.ts") },
    },
  ],
};
