import {
  field,
  isEmpty,
  isObject,
  type Json,
  listOf,
  mapValues,
  objectOf,
  omit,
  valueOf,
} from "../json/json_values.ts";
import { flatNames } from "./indices.ts";
import { withQuantities } from "./quantities.ts";
import type { Kind, KindFile } from "./types.ts";

export const LIFECYCLES: Kind = {
  ...namedKind("_ilm/policy", "lifecycle policy", "60-policies", (body) => ({
    policy: field(body, "policy"),
  })),
  list: { path: "/_ilm/policy", isBuiltIn: (body) => isManaged(field(body, "policy")) },
};

export const PIPELINES: Kind = {
  ...namedKind("_ingest/pipeline", "pipeline", "40-pipelines", withoutDates, {
    ending: "-pipeline",
    members: { array: ["processors"] },
  }),
  shown: "exactly",
};

export const SEARCH_PIPELINES: Kind = {
  ...namedKind("_search/pipeline", "search pipeline", "45-search-pipelines", (body) => body, {
    ending: "-search-pipeline",
    members: { array: ["request_processors", "response_processors", "phase_results_processors"] },
  }),
  shown: "exactly",
};

/** A file with `settings` makes an index (reference 4.4), so only requests make repositories. */
export const REPOSITORIES: Kind = {
  ...namedKind("_snapshot", "snapshot repository", "10-repositories", (body) => {
    const { settings, ...rest } = omit(objectOf(body), (_, key) => key === "uuid");
    if (isEmpty(settings) || settings === undefined) return rest;
    return { settings: isObject(settings) ? withQuantities(settings) : settings, ...rest };
  }),
  methods: ["PUT", "POST"],
};

/** Later versions of Elasticsearch add dates. */
export function withoutDates(body: unknown): Json {
  return omit(objectOf(body), (_, key) => /^(?:created|modified)_date(?:_millis)?$/.test(key));
}

export type Forms = Readonly<Record<string, (part: unknown, whole: Json) => unknown>>;

/** An object as clusters write it, without `null` and empty lists. A form is `null` where they do not keep a member. */
export function withForms(object: unknown, forms: Forms): Json {
  const whole = objectOf(object);
  const written = mapValues(whole, (part, name) => {
    return part !== null && Object.hasOwn(forms, name) ? forms[name]!(part, whole) : part;
  });
  return omit(written, (part) => part === null || (Array.isArray(part) && part.length === 0));
}

export function namedKind(
  prefix: string,
  noun: string,
  folder: string,
  state: (body: unknown) => unknown,
  file?: KindFile,
): Kind {
  return {
    ...kindAt(prefix, noun, folder),
    readsPatterns: true,
    wanted: state,
    read: (json) => Object.values(mapValues(objectOf(json), state)),
    ...(file && { file }),
    list: { path: `/${prefix}`, isBuiltIn: isManaged },
  };
}

export function kindAt(prefix: string, noun: string, folder: string) {
  return {
    pattern: new RegExp(`^/${prefix}/([^/]+)$`),
    methods: ["PUT"],
    effect: "whole",
    noun,
    path: (name: string) => `/${prefix}/${name}`,
    folder,
  } as const;
}

export function isManaged(body: unknown): boolean {
  return field(body, "_meta", "managed") === true ||
    field(body, "metadata", "_reserved") === true;
}

/** A request may name the context that a script is compiled for. */
export const SCRIPTS: Kind = {
  ...kindAt("_scripts", "script", "30-scripts"),
  pattern: /^\/_scripts\/([^/]+)(?:\/(?!_)[^/]+)?$/,
  methods: ["PUT", "POST"],
  shown: "exactly",
  wanted: (body) => scriptForm(field(body, "script")),
  read: (json) => field(json, "found") === true ? [scriptForm(field(json, "script"))] : [],
  file: { ending: "-script", members: { object: ["script"] } },
  list: {
    path: "/_cluster/state/metadata?filter_path=metadata.stored_scripts",
    within: ["metadata", "stored_scripts"],
    wrap: "script",
  },
};

/** Clusters accept the other members and drop them (recorded, 2.19 and 3.4). */
function scriptForm(script: unknown): unknown {
  const { lang, source, options } = objectOf(script);
  const { content_type: _, ...own } = objectOf(options);
  return {
    lang,
    // A search template may be sent as an object, and is stored as text.
    source: lang === "mustache" && !isObject(source) ? valueOf(String(source)) ?? source : source,
    ...(!isEmpty(own) && { options: own }),
  };
}

/** The matching template defines the content of a data stream. */
export const DATA_STREAMS: Kind = {
  ...kindAt("_data_stream", "data stream", "70-data-streams"),
  pattern: /^\/_data_stream\/([^/,*]+)$/,
  write: "once",
  wanted: () => ({}),
  read: (json) => listOf(field(json, "data_streams")).map(() => ({})),
  file: {
    ending: "-data-stream",
    isBody: (members) => members.length === 0,
    expected: "an empty object: the matching template defines the data stream",
    isEmpty: true,
    nameProblem: (name) => {
      if (name !== name.toLowerCase()) return `The name '${name}' must be lower case`;
      return indexNameProblem(name);
    },
  },
  list: {
    path: "/_data_stream",
    within: ["data_streams"],
    entryName: (entry) => entry.name,
    isBuiltIn: (body) => body.hidden === true || body.system === true || isManaged(body),
  },
};

/** A request is merged into the existing settings. */
export const CLUSTER_SETTINGS: Kind = {
  pattern: /^\/_cluster\/settings()$/,
  isSingle: true,
  isMerged: true,
  methods: ["PUT"],
  effect: "part",
  noun: "cluster settings",
  path: () => "/_cluster/settings",
  wanted: settingsForm,
  read: (json) => [settingsForm(json)],
  file: { ending: "-cluster-settings", members: { object: ["persistent"] } },
  folder: "20-cluster-settings",
  list: { path: "/_cluster/settings?flat_settings=true" },
};

/** Whether a user may have written a setting, not a plugin or the cluster itself. */
export function isOwnSetting(name: string): boolean {
  return !/^(?:archived|plugins\.index_state_management\.template_migration)\./.test(name);
}

function settingsForm(body: unknown): unknown {
  const groups = { persistent: field(body, "persistent"), transient: field(body, "transient") };
  return mapValues(
    omit(groups, (group) => group === undefined),
    // `null` removes all settings that match a pattern, and is not stored.
    (group) => withQuantities(omit(flatNames(objectOf(group)), (_, name) => name.includes("*"))),
  );
}

export function indexNameProblem(name: string): string | undefined {
  if (name === "" || name === "." || name === "..") return `'${name}' is not a valid index name`;
  if (/^%3c/i.test(name)) {
    return `The name '${name}' is encoded date math: write a request with it as 'path'`;
  }
  if (/^[-_+]/.test(name)) return `The index name '${name}' starts with '${name[0]}'`;
  const [bad] = /[\\/*?"<>| ,#:]/.exec(name) ?? [];
  if (bad !== undefined) return `The index name '${name}' has the character '${bad}'`;
  const bytes = new TextEncoder().encode(name).length;
  if (bytes > 255) return `The index name has ${bytes} bytes; 255 are allowed`;
}

export function templateNameProblem(name: string): string | undefined {
  if (name === "") return "The file name contains no name for the template";
  if (name !== name.toLowerCase()) return `The template name '${name}' must be lower case`;
  if (name.startsWith("_")) return `The template name '${name}' starts with '_'`;
  const [bad] = /[ ,#*]/.exec(name) ?? [];
  if (bad !== undefined) return `The template name '${name}' has the character '${bad}'`;
}
