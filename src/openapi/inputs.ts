import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonSchema } from "../schema/mod.ts";
import type { BinderInput, ServedRoute } from "../web/mod.ts";
import type { Components } from "./components.ts";
import type { PathTemplate } from "./path.ts";
import type { Content, OperationObject, ParameterObject } from "./types.ts";

/** The parameters of a route; those that a client cannot choose freely are not described as such. */
export function parametersOf(
  route: ServedRoute,
  path: PathTemplate,
  components: Components,
  label: string,
): readonly ParameterObject[] {
  const inputs = route.binders.map(({ input }) => input);
  const parameters = new Map<string, ParameterObject>();
  for (const input of inputs) {
    const { in: place, name, required } = input;
    for (const [name, schema] of Object.entries(input.parameters ?? {})) {
      parameters.set(`query ${name}`, { name, in: "query", required: false, schema });
    }
    if (place === "query" && name === undefined && isSchema(input.type)) {
      const schema = components.schema(input.type, "input", `${label}_query`);
      // No field at all is no query.
      parameters.set("query", {
        name: "query",
        in: "query",
        required: asksForFields(components.resolved(schema)),
        style: "form",
        explode: true,
        schema,
      });
    }
    if (name === undefined || !isPlace(place)) continue;
    if (place === "header" && RESERVED.test(name)) continue;
    const schema = valueSchema(input, components, `${label}_${name}`);
    const allowEmptyValue = place === "query" && takesEmpty(input);
    const parameter = { name, in: place, required, ...(allowEmptyValue && { allowEmptyValue }) };
    parameters.set(`${place} ${name}`, { ...parameter, schema });
  }
  for (const name of path.names) {
    const key = `path ${name}`;
    const known = parameters.get(key);
    const pattern = path.patterns.get(name);
    const schema = { ...known?.schema ?? { type: "string" } };
    if (pattern !== undefined && schema.type === "string") schema.pattern = pattern;
    parameters.set(key, { name, in: "path", required: true, schema });
  }
  return [...parameters.values()];
}

/** The body of a route, or `undefined` when it takes none. */
export function requestBodyOf(
  route: ServedRoute,
  components: Components,
  label: string,
): OperationObject["requestBody"] {
  const inputs = route.binders.map(({ input }) => input);
  const whole = inputs.find((input) =>
    input.in === "body" || input.in === "form" && input.name === undefined
  );
  if (whole !== undefined) {
    const raw = typeof whole.type === "string" ? RAW[whole.type] : undefined;
    const fallback = whole.in === "form" ? [FORM, MULTIPART] : [raw?.type ?? "application/json"];
    const types = route.consumes.length > 0 ? route.consumes : fallback;
    const schema = isSchema(whole.type)
      ? components.schema(whole.type, "input", `${label}_body`)
      : raw?.schema ?? {};
    const content = Object.fromEntries(types.map((type) => [type, { schema }]));
    return { required: whole.required, content };
  }
  const fields = inputs.filter((input) => input.in === "form" || input.in === "part");
  return fields.length === 0 ? undefined : formOf(fields, components, label);
}

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";

/** Bodies that no schema describes. */
const RAW: Readonly<Record<string, { readonly type: string; readonly schema: JsonSchema }>> = {
  text: { type: "text/plain", schema: { type: "string" } },
  bytes: { type: "application/octet-stream", schema: {} },
  stream: { type: "application/octet-stream", schema: {} },
  multipart: { type: MULTIPART, schema: { type: "object" } },
};

/** OpenAPI 3.1, 4.8.12.1: these are described elsewhere, and ignored here. */
const RESERVED = /^(?:accept|content-type|authorization)$/i;

function formOf(
  fields: readonly BinderInput[],
  components: Components,
  label: string,
): OperationObject["requestBody"] {
  const named = fields.map((input) => ({ ...input, name: input.name ?? "" }));
  const required = named.filter((input) => input.required).map(({ name }) => name);
  const schema = {
    type: "object",
    properties: Object.fromEntries(
      named.map((input) => [input.name, fieldSchema(input, components, `${label}_${input.name}`)]),
    ),
    ...(required.length > 0 && { required }),
  };
  const json = named.filter((input) => input.in === "part" && isSchema(input.type));
  const encoding = Object.fromEntries(
    json.map(({ name }) => [name, { contentType: "application/json" }]),
  );
  const multipart = { schema, ...(json.length > 0 && { encoding }) };
  const hasParts = named.some((input) => input.in === "part");
  const content: Content = { ...(!hasParts && { [FORM]: { schema } }), [MULTIPART]: multipart };
  return { required: required.length > 0, content };
}

function fieldSchema(input: BinderInput, components: Components, label: string): JsonSchema {
  if (input.in === "form") return valueSchema(input, components, label);
  const schema = isSchema(input.type)
    ? components.schema(input.type, "input", label)
    : { type: "string", format: "binary" };
  return input.list ? { type: "array", items: schema } : schema;
}

/** Of one value, or of the list where all are taken. */
export function valueSchema(input: BinderInput, components: Components, label: string): JsonSchema {
  const { in: place, type = "string", list, defaultValue } = input;
  const one = typeof type === "string"
    ? SCALARS[type] ?? {}
    : isSchema(type)
    ? components.schema(type, "input", label)
    : { type: "string", enum: [...type] };
  const all = list ? { type: "array", items: one } : one;
  // Only parameters of the query have `allowEmptyValue` (OpenAPI 3.1, 4.8.12.2).
  const isTold = place === "query" || type === "string" || !takesEmpty(input);
  return {
    ...(isTold ? all : { anyOf: [all, { const: "" }] }),
    ...(defaultValue !== undefined && { default: asJson(defaultValue) }),
  };
}

function asksForFields({ required }: JsonSchema): boolean {
  return Array.isArray(required) && required.length > 0;
}

/** Whether an empty text is no value, whatever the type: one with a default, and a list without items. */
function takesEmpty({ list, defaultValue }: BinderInput): boolean {
  return list === true || defaultValue !== undefined;
}

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  string: { type: "string" },
  int: { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  bigint: { type: "integer" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  uuid: { type: "string", format: "uuid" },
  date: { type: "string", format: "date" },
  "date-time": { type: "string", format: "date-time" },
};

/** Dates become texts; integers that JSON cannot write exactly too. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, inner) => {
    if (typeof inner !== "bigint") return inner;
    const number = Number(inner);
    return Number.isSafeInteger(number) ? number : String(inner);
  }));
}

function isPlace(place: BinderInput["in"]): place is ParameterObject["in"] {
  return place === "path" || place === "query" || place === "header" || place === "cookie";
}

function isSchema(type: BinderInput["type"]): type is StandardSchemaV1 {
  return type !== undefined && typeof type !== "string" && "~standard" in type;
}
