/** `application.yml` and the files beside it. Keys are those that the library reads; values may be placeholders. */
import { METRICS_KEYS } from "../../src/features/actuator/meter_settings.ts";
import { CORS_KEYS, DIRECTIVES, HEADER_KEYS } from "../../src/features/browser/settings.ts";
import { DEPRECATION_KEYS } from "../../src/app/api_version_settings.ts";
import { SERVER_KEYS } from "../../src/app/settings.ts";
import { READERS } from "../../src/features/configured.ts";
import { MIGRATION_FEATURES } from "../../src/features/migrations.ts";
import { loadFeatures } from "../../src/migrations/runner/mod.ts";
import { searchKeys } from "../../src/migrations/search/mod.ts";
import { datasourceKeys } from "../../src/migrations/sql/mod.ts";
import {
  ANY,
  FORMS,
  map,
  type Members,
  misspelt,
  object,
  ref,
  type Schema,
  words,
} from "./forms.ts";

const FEATURES = await loadFeatures(MIGRATION_FEATURES);
const seconds = ref("number");
const text = ref("text");
const texts = ref("texts");
const flag = ref("boolean");

const SERVER: Members = {
  address: text,
  "api-version.default": text,
  "api-version.deprecated": {
    type: ["array", "object"],
    items: object(
      keyed(DEPRECATION_KEYS, {
        version: text,
        since: text,
        sunset: text,
        link: text,
        "sunset-link": text,
      }),
      { required: ["version", "since"], closed: true },
    ),
  },
  "api-version.header": text,
  "api-version.path": text,
  "api-version.supported": texts,
  "context-path": text,
  "forwarded-header": words("X-Forwarded-For", "Forwarded"),
  "idle-timeout": seconds,
  "max-body-size": ref("integer"),
  "max-form-fields": ref("integer"),
  port: ref("integer"),
  "request-timeout": seconds,
  "shutdown-timeout": seconds,
  "sse.heartbeat": seconds,
  "trusted-proxies": texts,
};

const CORS: Members = {
  origin: texts,
  "allow-methods": texts,
  "allow-headers": texts,
  "max-age": ref("integer"),
  credentials: flag,
  "expose-headers": texts,
};

const PATHS: Schema = {
  type: ["array", "object"],
  items: object({ path: text, ...CORS }, { required: ["path"], closed: true }),
};

const SOURCES: Schema = { type: ["array", "boolean", "string", "null"], items: text };
const POLICY = object(
  Object.fromEntries(Object.keys(DIRECTIVES).map((name) => [name, SOURCES])),
  { closed: true },
);

const SECURITY_HEADERS: Members = {
  ...Object.fromEntries(
    Object.keys(HEADER_KEYS).map((name) => [name, { type: ["boolean", "string"] }]),
  ),
  "content-security-policy": POLICY,
  "content-security-policy-report-only": POLICY,
  "permissions-policy": map({ type: ["array", "boolean", "string"], items: text }),
  "report-to": { type: ["array", "object"] },
  "reporting-endpoints": {
    type: ["array", "object"],
    items: object({ name: text, url: text }, { required: ["name", "url"], closed: true }),
  },
};

/** A map of options, or whether there is one. */
function switched(members: Members): Schema {
  return { ...object(members, { closed: true }), type: ["boolean", "object", "null"] };
}

const METRICS: Members = {
  "distribution.maximum-expected-value": ANY,
  "distribution.minimum-expected-value": ANY,
  "distribution.percentiles-histogram": ANY,
  "distribution.slo": ANY,
  "max-tag-combinations": ref("integer"),
  tags: map(ANY),
};

const CONNECTION: Members = {
  name: text,
  username: text,
  password: text,
  connect_timeout: seconds,
  "migrations.enabled": flag,
  "migrations.on_change": words("reapply", "fail"),
  "migrations.placeholders": map(ANY),
};

const CLUSTER: Members = {
  username: text,
  password: text,
  connect_timeout: seconds,
  hosts: texts,
  api_key: text,
  bearer_token: text,
  auth: object({ type: words("aws"), region: text, service: words("es") }, {
    required: ["type"],
    closed: true,
  }),
  proxy: text,
  timeout: seconds,
  ssl_verification: flag,
  ca_cert: text,
  client_cert: text,
  client_key: text,
};

const SEARCH: Members = {
  ...CONNECTION,
  ...CLUSTER,
  "migrations.index_changes": words("keep", "reindex"),
  "migrations.write_pause": { type: ["number", "string"] },
  "migrations.requests_per_second": ref("number"),
  "migrations.old_indices": words("keep", "delete"),
  "migrations.reindex_pipeline": text,
  "migrations.policy_changes": words("keep", "apply"),
  "migrations.each": object({
    clusters: {
      type: ["object", "string"],
      additionalProperties: object(
        { ...CLUSTER, group: text, placeholders: map(ANY) },
        { closed: true },
      ),
    },
    parallel: ref("integer"),
    groups: texts,
    pause: { type: ["number", "string"] },
  }, { closed: true }),
  "migrations.template_changes": words("keep", "rollover"),
};

const DATASOURCE: Members = {
  ...CONNECTION,
  url: text,
  is_primary: ANY,
  ssl: {
    type: ["boolean", "object", "string"],
    properties: { ca: text, cert: text, key: text, verify: flag },
    additionalProperties: false,
  },
  statement_timeout: seconds,
  "migrations.url": text,
  "migrations.folder": text,
  "migrations.history_schema": text,
  "migrations.lock_timeout": seconds,
  "migrations.lint": words("warn", "error", "off"),
  "migrations.lint_from": text,
  "migrations.schema_file": text,
  "migrations.drift_ignore": texts,
  "migrations.each": object({
    schemas: texts,
    urls: { type: ["array", "object", "string"] },
    shared: texts,
    parallel: ref("integer"),
  }, { closed: true }),
};

/** @param described what the guide says of a key: `server.port`, `search.hosts` */
export function application(described: ReadonlyMap<string, string>): Schema {
  const used = ["boolean", "integer", "number", "text", "texts"];
  const definitions: Record<string, Schema> = {
    ...Object.fromEntries(used.map((name) => [name, FORMS[name]!])),
    level: LEVEL,
  };
  const nested = (prefix: string, members: Members, closed: boolean) =>
    treeOf(prefix, members, closed, described);
  const connections = (list: string, members: Members) => {
    const tree = nested(list, members, false);
    const names = Object.keys(tree.properties as Members).filter((name) => !name.includes("."));
    definitions[list] = { ...tree, patternProperties: shownAll(misspelt(names)) };
    return {
      if: { type: "array" },
      then: { items: ref(list) },
      else: ref(list),
    };
  };
  // Keys of features stand beside those of the core.
  const ofFeatures = Object.keys(READERS).map((key) => key.replace(/^server\./, ""));
  const server = keyed([...SERVER_KEYS, ...ofFeatures], {
    ...SERVER,
    cors: switched(keyed(Object.keys(CORS_KEYS), { ...CORS, paths: PATHS })),
    headers: switched(keyed(Object.keys(HEADER_KEYS), SECURITY_HEADERS)),
  });
  const properties: Members = {
    server: nested("server", server, true),
    "component-scan": describedAs(texts, described.get("component-scan")),
    profiles: nested("profiles", { active: texts }, false),
    search: connections("search", keyed(searchKeys(FEATURES), SEARCH)),
    datasource: connections("datasource", keyed(datasourceKeys(FEATURES), DATASOURCE)),
    logging: object({ format: words("json", "pretty"), level: ref("level") }),
    management: object({
      endpoints: object({
        include: texts,
        exclude: texts,
        web: object({ exposure: object({ include: texts, exclude: texts }), "base-path": text }),
      }),
      endpoint: object({
        health: object({
          "show-details": words("never", "always"),
          group: map(object({ include: texts })),
        }),
      }),
      metrics: nested("management.metrics", keyed(METRICS_KEYS, METRICS), true),
    }),
    openapi: object({ enabled: flag, title: text, version: text, description: text }),
    info: ANY,
  };
  const heads = Object.keys(server).flatMap((key) => [key, key.split(".", 1)[0]!])
    .concat("(?:cors|headers)\\..+");
  return {
    type: ["object", "null"],
    properties,
    patternProperties: {
      [`^server\\.(?!(?:${[...new Set(heads)].join("|")})$)`]: shown({
        not: {},
        errorMessage: "Unknown setting",
      }),
    },
    definitions,
  };
}

function shownAll(members: Members): Members {
  return Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, shown(schema)]));
}

/** Editors of YAML have a message of their own for `not`, and show this one beside it. */
function shown(schema: Schema): Schema {
  return { ...schema, deprecationMessage: schema.errorMessage };
}

const LEVEL: Schema = {
  ...words("OFF", "FATAL", "ERROR", "WARN", "INFO", "DEBUG", "TRACE"),
  type: ["string", "boolean", "object"],
  additionalProperties: ref("level"),
};

/** @throws {Error} if the keys that the code reads are not those that are described */
function keyed(keys: readonly string[], members: Members): Members {
  const differing = new Set(keys).symmetricDifference(new Set(Object.keys(members)));
  if (differing.size > 0) {
    throw new Error(`Keys differ from the code: ${[...differing].join(", ")}`);
  }
  return members;
}

/** Dotted keys mean the same as nested ones. */
function treeOf(
  prefix: string,
  members: Members,
  closed: boolean,
  described: ReadonlyMap<string, string>,
): Schema {
  const properties: Record<string, Schema> = {};
  const heads = Map.groupBy(Object.entries(members), ([name]) => name.split(".", 1)[0]!);
  for (const [head, found] of heads) {
    const below = found.filter(([name]) => name !== head);
    if (below.length === 0) {
      properties[head] = describedAs(found[0]![1], described.get(`${prefix}.${head}`));
      continue;
    }
    const rest = Object.fromEntries(
      below.map(([name, schema]) => [name.slice(head.length + 1), schema]),
    );
    // The loader refuses any other key of 'migrations' and of what is below 'server'.
    properties[head] = describedAs(
      treeOf(`${prefix}.${head}`, rest, true, described),
      described.get(`${prefix}.${head}`),
    );
    for (const [name, schema] of below) properties[name] = { ...schema, doNotSuggest: true };
  }
  return object(properties, { closed });
}

function describedAs(schema: Schema, description: string | undefined): Schema {
  // Beside a reference, nothing counts in draft 7.
  if (description === undefined) return schema;
  return schema.$ref ? { allOf: [schema], description } : { ...schema, description };
}
