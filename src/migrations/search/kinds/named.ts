import { hasMember } from "../json/json.ts";
import {
  field,
  isEmpty,
  isObject,
  type Json,
  mapValues,
  objectOf,
  omit,
} from "../json/json_values.ts";
import { withQuantities } from "./quantities.ts";
import type { Kind, KindFile } from "./types.ts";

/** Lifecycle policies of Elasticsearch. */
export const LIFECYCLES: Kind = {
  ...named("_ilm/policy", "lifecycle policy", "60-policies", (body) => ({
    policy: field(body, "policy"),
  })),
  list: { path: "/_ilm/policy", isBuiltIn: (body) => isManaged(field(body, "policy")) },
};

/** Ingest pipelines, which clusters give back as they were put. */
export const PIPELINES: Kind = {
  ...named(
    "_ingest/pipeline",
    "pipeline",
    "40-pipelines",
    withoutDates,
    {
      ending: "-pipeline",
      isBody: (json) => hasMember(json, "array", "processors"),
      expected: "a list 'processors'",
    },
  ),
  shown: "exactly",
};

/** Pipelines that searches go through. */
export const SEARCH_PIPELINES: Kind = {
  ...named("_search/pipeline", "search pipeline", "45-search-pipelines", (body) => body, {
    ending: "-search-pipeline",
    isBody: (json) => hasMember(json, "array", ...SEARCH_PROCESSORS),
    expected: "a list 'request_processors', 'response_processors' or 'phase_results_processors'",
  }),
  shown: "exactly",
};

const SEARCH_PROCESSORS = [
  "request_processors",
  "response_processors",
  "phase_results_processors",
];

/** Repositories of snapshots. A file with `settings` makes an index (reference 4.4), so only requests make them. */
export const REPOSITORIES: Kind = {
  ...named("_snapshot", "snapshot repository", "10-repositories", (body) => {
    const { settings, ...rest } = omit(objectOf(body), (key) => key === "uuid");
    if (isEmpty(settings) || settings === undefined) return rest;
    return { settings: isObject(settings) ? withQuantities(settings) : settings, ...rest };
  }),
  methods: ["PUT", "POST"],
};

/** The object without the dates that later versions of Elasticsearch add. */
export function withoutDates(body: unknown): Json {
  return omit(objectOf(body), (key) => /^(?:created|modified)_date(?:_millis)?$/.test(key));
}

/** Resources whose name is a key of the answer. */
export function named(
  prefix: string,
  noun: string,
  folder: string,
  state: (body: unknown) => unknown,
  file?: KindFile,
): Kind {
  return {
    pattern: new RegExp(`^/${prefix}/([^/]+)$`),
    methods: ["PUT"],
    effect: "whole",
    noun,
    path: (name) => `/${prefix}/${name}`,
    readsPatterns: true,
    wanted: state,
    read: (json) => Object.values(mapValues(objectOf(json), state)),
    ...(file && { file }),
    folder,
    list: { path: `/${prefix}`, isBuiltIn: isManaged },
  };
}

/** Whether who has made it says that it is not to be changed by others. */
export function isManaged(body: unknown): boolean {
  return field(field(body, "_meta"), "managed") === true ||
    // Of roles and users of Elasticsearch.
    field(field(body, "metadata"), "_reserved") === true;
}
