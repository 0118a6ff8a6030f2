/** The schema of a file: by its name first, then by its content (reference 4.4). */
import { INDICES, MAPPINGS, SETTINGS } from "../../src/migrations/search/kinds/indices.ts";
import {
  CLUSTER_SETTINGS,
  DATA_STREAMS,
  LIFECYCLES,
  PIPELINES,
  REPOSITORIES,
  SCRIPTS,
  SEARCH_PIPELINES,
} from "../../src/migrations/search/kinds/named.ts";
import { POLICIES } from "../../src/migrations/search/kinds/policies.ts";
import { KINDS } from "../../src/migrations/search/kinds/resource.ts";
import {
  ACTION_GROUPS,
  ELASTIC_ROLE_MAPPINGS,
  ELASTIC_ROLES,
  ELASTIC_USERS,
  ROLE_MAPPINGS,
  ROLES,
  TENANTS,
  USERS,
} from "../../src/migrations/search/kinds/security.ts";
import {
  SNAPSHOT_LIFECYCLES,
  SNAPSHOT_POLICIES,
} from "../../src/migrations/search/kinds/snapshot_policies.ts";
import {
  COMPONENT_TEMPLATES,
  INDEX_TEMPLATES,
} from "../../src/migrations/search/kinds/templates.ts";
import type { Kind, KindFile } from "../../src/migrations/search/kinds/types.ts";
import {
  ANY,
  examples,
  list,
  map,
  type Members,
  object,
  ref,
  type Schema,
  words,
} from "./forms.ts";

/** The definition of the body of each kind. */
const BODIES: ReadonlyMap<Kind, string> = new Map([
  [INDEX_TEMPLATES, "template"],
  [COMPONENT_TEMPLATES, "component"],
  [POLICIES, "policy"],
  [LIFECYCLES, "policy"],
  [PIPELINES, "pipeline"],
  [SEARCH_PIPELINES, "searchPipeline"],
  [SCRIPTS, "storedScript"],
  [DATA_STREAMS, "nothing"],
  [CLUSTER_SETTINGS, "clusterSettings.file"],
  [REPOSITORIES, "repository"],
  [SNAPSHOT_POLICIES, "sm.policy"],
  [SNAPSHOT_LIFECYCLES, "slm.policy"],
  [ROLES, "role"],
  [ROLE_MAPPINGS, "roleMapping"],
  [ACTION_GROUPS, "actionGroup"],
  [TENANTS, "tenant"],
  [USERS, "user"],
  [ELASTIC_ROLES, "elasticsearch.role"],
  [ELASTIC_ROLE_MAPPINGS, "elasticsearch.roleMapping"],
  [ELASTIC_USERS, "elasticsearch.user"],
  [MAPPINGS, "mappings"],
  [SETTINGS, "settings.file"],
  [INDICES, "index"],
]);

const FILED = KINDS.filter((kind): kind is Kind & { readonly file: KindFile } => {
  return kind.file !== undefined;
});

/** Endings of the names of files without their dash; a file of another name is `other`. */
export const ENDINGS: readonly string[] = [
  "template",
  "policy",
  ...new Set(FILED.map(({ file }) => file.ending.slice(1))),
].sort();

export function files(): Members {
  const endings = Object.groupBy(FILED, ({ file }) => file.ending.slice(1));
  return {
    ...CONTENTS,
    request: request(),
    "file.template": unlessRequest(ref("templateFile")),
    "file.policy": unlessRequest(ref("policy")),
    ...Object.fromEntries(
      Object.entries(endings).map(([ending, kinds]) => [
        `file.${ending}`,
        unlessRequest(byContent(oneOf(kinds!))),
      ]),
    ),
    "file.other": {
      // Editors offer these in an empty file.
      ...object(
        Object.fromEntries(
          ["method", "path", "body", "name", "index_patterns", "template", "policy"]
            .concat(PARTS).map((name) => [name, ANY]),
        ),
      ),
      allOf: [unlessRequest(byContent({
        anyOf: [hasAny(["method", "path"]), hasAny(["index_patterns"]), hasAny(["policy"])]
          .concat(hasAny(PARTS)),
        errorMessage: "Expected a request ('method' and 'path'), an index template " +
          "('index_patterns'), a policy ('policy') or an index ('settings', 'mappings', 'aliases')",
      }))],
    },
  };
}

const PARTS = ["settings", "mappings", "aliases"];

function hasAny(names: readonly string[]): Schema {
  return names.length === 1
    ? { required: names }
    : { anyOf: names.map((name) => ({ required: [name] })) };
}

function unlessRequest(otherwise: Schema): Schema {
  return { if: hasAny(["method", "path"]), then: ref("request"), else: otherwise };
}

function byContent(otherwise: Schema): Schema {
  return {
    if: hasAny(["index_patterns"]),
    then: ref("templateFile"),
    else: {
      if: { required: ["policy"], properties: { policy: { type: "object" } } },
      then: ref("policy"),
      else: { if: hasAny(PARTS), then: ref("index"), else: otherwise },
    },
  };
}

/** The first kind that has one of its members; without any, the first kind. */
function oneOf([kind, ...others]: readonly (Kind & { readonly file: KindFile })[]): Schema {
  const own = ref(BODIES.get(kind!)!);
  const names = Object.values(kind!.file.members ?? {}).flat();
  if (others.length > 0) return { if: hasAny(names), then: own, else: alternatives(others, own) };
  return names.length > 0 ? { allOf: [own, hasAny(names)] } : own;
}

function alternatives(
  [kind, ...others]: readonly (Kind & { readonly file: KindFile })[],
  otherwise: Schema,
): Schema {
  if (kind === undefined) return otherwise;
  const names = Object.values(kind.file.members ?? {}).flat();
  return {
    if: names.length > 0 ? hasAny(names) : { required: ["schedule", "repository"] },
    then: ref(BODIES.get(kind)!),
    else: alternatives(others, otherwise),
  };
}

/** A body is checked where the path is that of a kind, with any query. */
function request(): Schema {
  const aliases = object({ actions: list(ref("aliasAction")) }, {
    required: ["actions"],
    closed: true,
  });
  return {
    ...object({
      method: words("PUT", "POST", "DELETE", "PATCH", "GET", "HEAD"),
      path: {
        type: "string",
        pattern: "^/(?!/)|\\$\\{",
        patternErrorMessage: "Expected a path that starts with '/'",
      },
      body: { type: ["object", "array", "string", "null"] },
      name: { type: "string" },
      backfill: { type: "boolean", enum: [true] },
    }, { required: ["method", "path"], closed: true }),
    // Remarks, which are not sent.
    patternProperties: { "^[_$]|comment|description|note|title": ANY },
    allOf: [
      ...KINDS.map((kind) => {
        const needsBody = kind !== INDICES && kind !== DATA_STREAMS;
        return bodyOf(kind.methods, kind.pattern, ref(BODIES.get(kind)!), needsBody);
      }),
      bodyOf(["POST"], /^\/_aliases$/, aliases),
    ],
  };
}

const JSON_TEXT: Schema = {
  type: "string",
  pattern: "^\\s*\\{|\\$\\{",
  patternErrorMessage: "Expected an object",
};

function bodyOf(
  methods: readonly string[],
  path: RegExp,
  body: Schema,
  needsBody = true,
): Schema {
  return {
    if: {
      required: ["method", "path"],
      properties: {
        method: { pattern: words(...methods).pattern },
        path: { pattern: path.source.replace(/\$$/, "/*(?:\\?.*)?$") },
      },
    },
    then: {
      ...(needsBody && { required: ["body"] }),
      properties: {
        body: {
          if: { type: "object" },
          then: body,
          else: needsBody ? JSON_TEXT : { type: ["string", "null"] },
        },
      },
    },
  };
}

const DATES: Members = Object.fromEntries(
  ["created_date", "created_date_millis", "modified_date", "modified_date_millis"]
    .map((name) => [name, ANY]),
);

const TEMPLATE: Members = {
  ...DATES,
  _meta: map(ANY),
  allow_auto_create: ref("boolean"),
  composed_of: list(ref("text")),
  context: map(ANY),
  data_stream: object({
    allow_custom_routing: ref("boolean"),
    failure_store: ref("boolean"),
    hidden: ref("boolean"),
    index_mode: ref("text"),
    timestamp_field: map(ANY),
  }, { closed: true }),
  deprecated: ref("boolean"),
  ignore_missing_component_templates: list(ref("text")),
  index_patterns: ref("texts"),
  priority: ref("integer"),
  template: ref("templateBody"),
  version: ref("number"),
};

const INDEX: Members = {
  settings: ref("settings"),
  mappings: ref("mappings"),
  aliases: map(ref("alias")),
};

const CONTENTS: Members = {
  nothing: object({}),
  alias: object({
    filter: ANY,
    index_routing: ref("text"),
    // ISM shows `null`.
    is_hidden: ref("setting.boolean"),
    is_write_index: ref("setting.boolean"),
    must_exist: ref("boolean"),
    routing: ref("text"),
    search_routing: ref("text"),
  }, { closed: true }),
  template: object(TEMPLATE, { required: ["index_patterns"], closed: true }),
  templateFile: {
    ...object({ ...TEMPLATE, ...INDEX }, { closed: true }),
    ...hasAny(["index_patterns", "template", ...PARTS]),
  },
  templateBody: object({ ...INDEX, lifecycle: map(ANY), data_stream_options: map(ANY) }, {
    closed: true,
  }),
  component: object({
    ...DATES,
    _meta: map(ANY),
    allow_auto_create: ref("boolean"),
    deprecated: ref("boolean"),
    template: ref("templateBody"),
    version: ref("number"),
  }, { required: ["template"], closed: true }),
  index: object({ ...INDEX, context: map(ANY) }, { closed: true }),
  policy: object({
    policy: {
      if: { required: ["phases"], not: { required: ["states"] } },
      then: ref("ilm.policy"),
      else: ref("ism.policy"),
    },
  }, { required: ["policy"] }),
  storedScript: object({
    script: object({
      lang: ref("language"),
      source: { type: ["string", "object"] },
      options: map(ANY),
    }, { required: ["lang", "source"] }),
  }, { required: ["script"] }),
  "clusterSettings.file": object({
    persistent: ref("clusterSettings"),
    transient: ref("clusterSettings"),
  }, { closed: true }),
  "settings.file": {
    if: { required: ["settings"] },
    then: object({ settings: ref("settings") }),
    else: ref("settings"),
  },
  repository: object({
    type: examples(["azure", "fs", "gcs", "hdfs", "s3", "source", "url"]),
    settings: object({
      base_path: ref("text"),
      bucket: ref("text"),
      chunk_size: ref("setting.size"),
      client: ref("text"),
      compress: ref("setting.boolean"),
      container: ref("text"),
      location: ref("setting.texts"),
      max_restore_bytes_per_sec: ref("setting.size"),
      max_snapshot_bytes_per_sec: ref("setting.size"),
      readonly: ref("setting.boolean"),
      region: ref("text"),
      server_side_encryption: ref("setting.boolean"),
      storage_class: ref("text"),
    }),
    verify: ref("boolean"),
    name: ref("text"),
    uuid: ref("text"),
  }, { required: ["type"], closed: true }),
};
