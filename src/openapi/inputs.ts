import { isSchema, type JsonSchema } from "../schema/mod.ts";
import type { BinderInput, ServedRoute } from "../web/mod.ts";
import type { Components } from "./components.ts";
import type { PathTemplate } from "./path.ts";
import type { Content, OperationObject, ParameterObject } from "./types.ts";

export function parametersOf(
  route: ServedRoute,
  path: PathTemplate,
  components: Components,
  label: string,
): readonly ParameterObject[] {
  const all = route.binders.flatMap(({ input }) => [
    ...Object.entries(input.parameters ?? {}).map(([name, schema]): ParameterObject => ({
      name,
      in: "query",
      required: false,
      schema,
    })),
    ...inputParameters(input, components, label),
  ]);
  // An object in the query has no name of its own.
  const parameters = new Map(all.map((one) => [`${one.in} ${one.style ? "" : one.name}`, one]));
  for (const name of path.names) {
    const key = `path ${name}`;
    const pattern = path.patterns.get(name);
    const schema = { ...parameters.get(key)?.schema ?? { type: "string" } };
    if (pattern !== undefined && schema.type === "string") schema.pattern = pattern;
    parameters.set(key, { name, in: "path", required: true, schema });
  }
  return [...parameters.values()];
}

function inputParameters(
  input: BinderInput,
  components: Components,
  label: string,
): readonly ParameterObject[] {
  const { in: place, name, required, type } = input;
  if (place === "query" && name === undefined && isSchema(type)) {
    const schema = components.schema(type, "input", `${label}_query`);
    const { required } = components.resolved(schema);
    // Without required fields the query may be empty.
    const isRequired = Array.isArray(required) && required.length > 0;
    const written = { style: "form", explode: true } as const;
    return [{ name: "query", in: "query", required: isRequired, ...written, schema }];
  }
  if (name === undefined || !isPlace(place)) return [];
  if (place === "header" && RESERVED.test(name)) return [];
  const schema = valueSchema(input, components, `${label}_${name}`);
  const empty = place === "query" && acceptsEmpty(input) && { allowEmptyValue: true as const };
  return [{ name, in: place, required, ...empty, schema }];
}

export function requestBodyOf(
  route: ServedRoute,
  components: Components,
  label: string,
): OperationObject["requestBody"] {
  const inputs = route.binders.map(({ input }) => input);
  const whole = inputs.find((input) =>
    input.in === "body" || input.in === "form" && input.name === undefined
  );
  if (whole === undefined) {
    const fields = inputs.filter((input) => input.in === "form" || input.in === "part");
    return fields.length === 0 ? undefined : formOf(fields, components, label);
  }
  const raw = typeof whole.type === "string" ? RAW[whole.type] : undefined;
  const fallback = whole.in === "form" ? [FORM, MULTIPART] : [raw?.type ?? "application/json"];
  const types = route.consumes.length > 0 ? route.consumes : fallback;
  const schema = isSchema(whole.type)
    ? components.schema(whole.type, "input", `${label}_body`)
    : raw?.schema ?? {};
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  return { required: whole.required, content };
}

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";

const RAW: Readonly<Record<string, { readonly type: string; readonly schema: JsonSchema }>> = {
  text: { type: "text/plain", schema: { type: "string" } },
  bytes: { type: "application/octet-stream", schema: {} },
  stream: { type: "application/octet-stream", schema: {} },
  multipart: { type: MULTIPART, schema: { type: "object" } },
};

/** Header parameters that OpenAPI ignores (OpenAPI 3.1, 4.8.12.1). */
const RESERVED = /^(?:accept|content-type|authorization)$/i;

function formOf(
  fields: readonly BinderInput[],
  components: Components,
  label: string,
): OperationObject["requestBody"] {
  const required = fields.filter((input) => input.required).map(({ name = "" }) => name);
  const properties = fields.map((input) => {
    const { name = "" } = input;
    return [name, fieldSchema(input, components, `${label}_${name}`)];
  });
  const schema = {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
  const parts = fields.filter((input) => input.in === "part");
  const json = parts.filter(({ type }) => isSchema(type))
    .map(({ name = "" }) => [name, { contentType: "application/json" }]);
  const encoding = json.length > 0 && { encoding: Object.fromEntries(json) };
  const urlEncoded = parts.length === 0 && { [FORM]: { schema } };
  const content: Content = { ...urlEncoded, [MULTIPART]: { schema, ...encoding } };
  return { required: required.length > 0, content };
}

function fieldSchema(input: BinderInput, components: Components, label: string): JsonSchema {
  if (input.in === "form") return valueSchema(input, components, label);
  const schema = isSchema(input.type)
    ? components.schema(input.type, "input", label)
    : { type: "string", format: "binary" };
  return input.list ? { type: "array", items: schema } : schema;
}

export function valueSchema(input: BinderInput, components: Components, label: string): JsonSchema {
  const { in: place, type = "string", list, defaultValue } = input;
  const one = typeof type === "string"
    ? SCALARS[type] ?? {}
    : isSchema(type)
    ? components.schema(type, "input", label)
    : { type: "string", enum: [...type] };
  const all = list ? { type: "array", items: one } : one;
  // Only parameters of the query may have `allowEmptyValue` (OpenAPI 3.1, 4.8.12.2).
  const isDescribed = place === "query" || type === "string" || !acceptsEmpty(input);
  return {
    ...(isDescribed ? all : { anyOf: [all, { const: "" }] }),
    ...(defaultValue !== undefined && { default: asJson(defaultValue) }),
  };
}

function acceptsEmpty({ list, defaultValue }: BinderInput): boolean {
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

/** Dates become text, and so do integers that JSON cannot hold exactly. */
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
