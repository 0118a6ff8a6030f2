import type { StandardSchemaV1 } from "@standard-schema/spec";
import { HttpStatus, PROBLEM_JSON, type ProblemClass, problemStatus } from "../http/mod.ts";
import type { JsonSchema } from "../schema/mod.ts";
import { MappingError, type ServedRoute, takesNothing } from "../web/mod.ts";
import type { Components } from "./components.ts";
import type { Content, OperationOptions, ResponseDescription, ResponseObject } from "./types.ts";

/** The responses of a route: what it returns, what the library refuses, and any other error. */
export function responsesOf(
  route: ServedRoute,
  { responses = {} }: OperationOptions,
  refusals: readonly number[],
  components: Components,
  label: string,
): Readonly<Record<string, ResponseObject>> {
  const described = Object.entries(responses).flatMap(([status, response]) => {
    if (response === undefined) return [];
    const { description = reasonOf(status), schema, mediaType } = describe(response);
    const ok = status === "default" ? false : Number(status) < 400;
    const json = schema && components.schema(schema, "output", `${label}_${status}`);
    if (json === undefined) return [[status, { description }] as const];
    const types = mediaType !== undefined
      ? [mediaType]
      : ok
      ? typesOf(route, json, components)
      : ["application/json"];
    return [[status, { description, content: contentOf(types, json) }] as const];
  });
  refuseTwice(route, responses);
  const known: Record<string, ResponseObject> = Object.fromEntries(described);
  describeReturned(route, known, components, label);
  describeProblems(route, known, components, label);
  const error = known.default?.content ?? problemContent(components);
  for (const status of refusals) {
    known[status] ??= { description: reasonOf(String(status)), content: error };
  }
  // Described in words alone: their bodies are those of other errors.
  for (const [status, response] of Object.entries(known)) {
    if (/^[45]/.test(status)) known[status] = { content: error, ...response };
  }
  if (!Object.keys(known).some((status) => /^[123]/.test(status))) {
    const status = String(route.status ?? 200);
    known[status] = { description: reasonOf(status), ...returned(route, status) };
  }
  known.default ??= { description: "Any other error", content: error };
  describeFields(route, known);
  return known;
}

/** What would be described by two schemas. */
function refuseTwice(route: ServedRoute, responses: NonNullable<OperationOptions["responses"]>) {
  const { type, handler, returns, problems, status = 200 } = route;
  const label = `${type.name}.${handler}`;
  for (const [known, response] of Object.entries(responses)) {
    const schema = response && describe(response).schema;
    const option = known === String(status) && returns !== undefined
      ? "returns"
      : problems.some((one) => String(problemStatus(one).value) === known)
      ? "problems"
      : undefined;
    if (option === undefined || schema === undefined || schema === returns) continue;
    throw new MappingError(
      `Cannot describe '${label}': @Operation has a schema for the status ${known}, which the mapping's '${option}' ` +
        "describes; expected one of both",
      [label],
    );
  }
}

const DEPRECATIONS: Readonly<Record<string, string>> = {
  Deprecation: "Since when clients should leave it (RFC 9745)",
  Sunset: "From when on it may be gone (RFC 8594)",
  Link: "About that",
};

/** The header fields of what is returned that binders add, or that say that it is deprecated. */
function describeFields(
  { binders, deprecation }: ServedRoute,
  known: Record<string, ResponseObject>,
): void {
  const fields = [
    ...(deprecation?.fields ?? []).map(([name]) => [name, DEPRECATIONS[name] ?? ""] as const),
    ...binders.flatMap(({ fields }) => Object.entries(fields?.descriptions ?? {})),
  ];
  if (fields.length === 0) return;
  const headers = Object.fromEntries(
    fields.map(([name, description]) => [name, { description, schema: { type: "string" } }]),
  );
  for (const [status, response] of Object.entries(known)) {
    if (!/^2/.test(status)) continue;
    known[status] = { ...response, headers: { ...response.headers, ...headers } };
  }
}

/** What the schema of the mapping's `returns` gives; without a body where it is nothing. */
function describeReturned(
  route: ServedRoute,
  known: Record<string, ResponseObject>,
  components: Components,
  label: string,
): void {
  const { returns, status = 200 } = route;
  if (returns === undefined) return;
  const isBodiless = status === 204 || status === 205;
  const json = components.schema(returns, "output", `${label}_${status}`);
  const description = known[status]?.description ?? reasonOf(String(status));
  const onlyNothing = takesNothing(returns) && !gives(json);
  if (!onlyNothing) {
    const types = typesOf(route, json, components);
    known[status] = { description, ...(!isBodiless && { content: contentOf(types, json) }) };
  }
  if (takesNothing(returns)) {
    const empty = String(route.status ?? 204);
    known[empty] ??= { description: reasonOf(empty) };
  }
}

/** Those that the mapping names; else those in which such values are sent. */
function typesOf({ produces }: ServedRoute, json: JsonSchema, components: Components) {
  return produces.length > 0 ? produces : mediaTypesOf(json, components);
}

/** Zod describes `z.void()` as what never is, or as anything. */
function gives(json: JsonSchema): boolean {
  return Object.keys(json).length > 0 && json.not === undefined;
}

/** The declared problems; several of one status are told apart by their types. */
function describeProblems(
  route: ServedRoute,
  known: Record<string, ResponseObject>,
  components: Components,
  label: string,
): void {
  const schemas = problemSchemas(route, components, label);
  const byStatus = new Map<number, JsonSchema[]>();
  for (const [index, one] of route.problems.entries()) {
    const { value } = problemStatus(one);
    const schema = schemas[index] ?? {};
    byStatus.set(value, [...byStatus.get(value) ?? [], schema]);
  }
  for (const [status, schemas] of byStatus) {
    const [first = {}] = schemas;
    const schema = schemas.length === 1 ? first : { anyOf: schemas };
    const description = known[status]?.description ?? reasonOf(String(status));
    known[status] = { description, content: { [PROBLEM_JSON]: { schema } } };
  }
}

/** Of the declared problems, in their order. */
export function problemSchemas(
  { problems }: ServedRoute,
  components: Components,
  label: string,
): readonly JsonSchema[] {
  return problems.map((one) => {
    if ("problem" in one) return problemOf(one, components, label);
    const { properties, ...rest } = PROBLEM;
    const status = { type: "integer", const: one.value };
    const type = { type: "string", const: "about:blank" };
    return { ...rest, properties: { ...properties as object, type, status } };
  });
}

function problemOf(type: ProblemClass, components: Components, label: string): JsonSchema {
  const { schema, status, type: uri, title } = type.problem;
  const own = schema && components.schema(schema, "output", `${label}_${type.name}`);
  const { properties, required = [] } = components.resolved(own ?? {});
  return components.ofClass(type, {
    type: "object",
    description: title ?? status.reasonPhrase,
    properties: {
      ...properties ?? {},
      ...PROBLEM_PROPERTIES,
      type: { type: "string", const: uri },
      status: { type: "integer", const: status.value },
    },
    required: [...new Set(["type", "title", "status", ...required as string[]])],
  });
}

/** Nothing is known of what a method returns; only `produces` says of which type it is. */
function returned({ produces }: ServedRoute, status: string): { readonly content?: Content } {
  if (status === "204" || produces.length === 0) return {};
  return { content: contentOf(produces, {}) };
}

function contentOf(types: readonly string[], schema: JsonSchema): Content {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function describe(response: StandardSchemaV1 | ResponseDescription): ResponseDescription {
  return "~standard" in response ? { schema: response } : response;
}

function reasonOf(status: string): string {
  if (status === "default") return "Any other error";
  return HttpStatus.of(Number(status)).reasonPhrase || status;
}

function problemContent(components: Components): Content {
  return { [PROBLEM_JSON]: { schema: problemSchema(components) } };
}

function problemSchema(components: Components): JsonSchema {
  return components.own("ProblemDetail", PROBLEM);
}

const PROBLEM_PROPERTIES = {
  type: { type: "string", format: "uri-reference" },
  title: { type: "string" },
  status: { type: "integer", minimum: 100, maximum: 599 },
  detail: { type: "string" },
  instance: { type: "string", format: "uri-reference" },
};

/** The body of errors (RFC 9457, 3.1), as `ProblemDetail` of the library writes it. */
const PROBLEM: JsonSchema = {
  type: "object",
  description: "What went wrong (RFC 9457)",
  properties: {
    ...PROBLEM_PROPERTIES,
    errors: { type: "array", items: {} },
  },
  required: ["type", "title", "status"],
};

/** In which media types values of a schema are sent where nothing else is said: texts as they are, files, else JSON. */
export function mediaTypesOf(schema: JsonSchema, components: Components): readonly string[] {
  const found = new Set(kindsOf(schema, components, new Set()));
  return found.size > 0 ? [...found] : [JSON_TYPE];
}

const JSON_TYPE = "application/json";

function* kindsOf(
  schema: JsonSchema,
  components: Components,
  seen: Set<unknown>,
): Generator<string> {
  const json = components.resolved(schema);
  if (seen.has(json)) return;
  seen.add(json);
  const alternatives = json.anyOf ?? json.oneOf;
  const values = "const" in json ? [json.const] : json.enum;
  if (components.isDate(json)) yield JSON_TYPE;
  else if (Array.isArray(alternatives)) {
    for (const one of alternatives) yield* kindsOf(one, components, seen);
  } else if (Array.isArray(values)) {
    for (const value of values) yield typeof value === "string" ? "text/plain" : JSON_TYPE;
  } else {
    for (const type of [json.type].flat()) yield type === "string" ? textType(json) : JSON_TYPE;
  }
}

/** A file is a text of bytes to JSON Schema. */
function textType({ contentEncoding, contentMediaType, format }: JsonSchema): string {
  if (contentEncoding === undefined && format !== "binary") return "text/plain";
  return typeof contentMediaType === "string" ? contentMediaType : "application/octet-stream";
}
