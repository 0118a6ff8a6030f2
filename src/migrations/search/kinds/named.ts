import { field, mapValues, objectOf } from "../json_values.ts";
import type { Kind } from "./types.ts";

/** Lifecycle policies of Elasticsearch. */
export const LIFECYCLES: Kind = named("_ilm/policy", "lifecycle policy", (body) => ({
  policy: field(body, "policy"),
}));
/** Ingest pipelines, which clusters give back as they were put. */
export const PIPELINES: Kind = named("_ingest/pipeline", "pipeline", (body) => body);

/** Resources whose name is a key of the answer. */
function named(prefix: string, kind: string, state: (body: unknown) => unknown): Kind {
  return {
    pattern: new RegExp(`^/${prefix}/([^/]+)$`),
    methods: ["PUT"],
    effect: "whole",
    key: (name) => `${kind} ${name}`,
    path: (name) => `/${prefix}/${name}`,
    wanted: state,
    read: (json) => Object.values(mapValues(objectOf(json), state)),
  };
}
