import { isSchema, type JsonSchema } from "../../schema/mod.ts";
import { type BinderInput, isPlaced, PLACES, type ServedRoute } from "../../web/mod.ts";
import type { Components } from "./components.ts";
import type { Content, MediaTypeObject, OperationObject, ParameterObject } from "./types.ts";

export class InputWriter {
  readonly #inputs: readonly BinderInput[];

  constructor(
    readonly route: ServedRoute,
    readonly components: Components,
    readonly label: string,
  ) {
    this.#inputs = route.binders.map(({ input }) => input);
  }

  /** @param patterns the regular expressions of variables of the path */
  parameters(
    names: readonly string[],
    patterns: ReadonlyMap<string, string>,
  ): readonly ParameterObject[] {
    const all = this.#inputs.flatMap((input) =>
      queryParameters(input, this.components, this.label) ?? this.#parameter(input)
    );
    // An object in the query has no name of its own.
    const known = new Map(all.map((one) => [`${one.in} ${one.style ? "" : one.name}`, one]));
    for (const name of names) {
      const key = `path ${name}`;
      const pattern = patterns.get(name);
      const schema = { ...known.get(key)?.schema ?? { type: "string" } };
      if (pattern !== undefined && schema.type === "string") schema.pattern = pattern;
      known.set(key, { name, in: "path", required: true, schema });
    }
    return [...known.values()];
  }

  #parameter(input: BinderInput): readonly ParameterObject[] {
    const { in: place, name = "query", required, type } = input;
    if (!isParameter(place) || place === "header" && IGNORED.test(name)) return [];
    if (input.name === undefined && isSchema(type)) {
      const schema = this.components.schema(type, "input", `${this.label}_${name}`);
      const isRequired = this.#needsFields(schema);
      return [{ name, in: place, required: isRequired, style: "form", explode: true, schema }];
    }
    const schema = valueSchema(input, this.components, `${this.label}_${name}`);
    const empty = place === "query" && acceptsEmpty(input) && { allowEmptyValue: true as const };
    return [{ name, in: place, required, ...empty, schema }];
  }

  body(): OperationObject["requestBody"] {
    const sent = this.#inputs.filter((input) => PLACES[input.in].body);
    const whole = sent.find(({ name }) => name === undefined);
    if (whole === undefined) return sent.length === 0 ? undefined : this.#form(sent);
    const raw = typeof whole.type === "string" ? RAW[whole.type] : undefined;
    const isForm = PLACES[whole.in].body === "field";
    const fallback = isForm ? [FORM, MULTIPART] : [raw?.type ?? "application/json"];
    const schema = isSchema(whole.type)
      ? this.components.schema(whole.type, "input", `${this.label}_body`)
      : raw?.schema ?? {};
    const required = whole.required && (!isForm || this.#needsFields(schema));
    return { required, content: this.#content(fallback, { schema }) };
  }

  #content(fallback: readonly string[], media: MediaTypeObject): Content {
    const { consumes } = this.route;
    const types = consumes.length > 0 ? consumes : fallback;
    return Object.fromEntries(types.map((type) => [type, media]));
  }

  /** Whether an object without fields is refused, so that a query or a form must be sent. */
  #needsFields(json: JsonSchema): boolean {
    const { required = [], anyOf, oneOf = anyOf, allOf = [] } = this.components.resolved(
      json,
    ) as Record<string, readonly JsonSchema[]>;
    const needs = (part: JsonSchema) => this.#needsFields(part);
    return required.length > 0 || allOf.some(needs) || oneOf?.every(needs) === true;
  }

  #form(fields: readonly BinderInput[]): OperationObject["requestBody"] {
    const required = fields.filter((input) => input.required).map(({ name = "" }) => name);
    const properties = fields.map((input) => [input.name ?? "", this.#field(input)]);
    const schema = {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
    };
    const parts = fields.filter((input) => PLACES[input.in].isJson);
    const json = parts.filter(({ type }) => isSchema(type))
      .map(({ name = "" }) => [name, { contentType: "application/json" }]);
    const encoding = json.length > 0 && { encoding: Object.fromEntries(json) };
    const fallback = parts.length === 0 ? [FORM, MULTIPART] : [MULTIPART];
    const content = this.#content(fallback, { schema, ...encoding });
    return { required: required.length > 0, content };
  }

  #field(input: BinderInput): JsonSchema {
    const label = `${this.label}_${input.name ?? ""}`;
    if (!PLACES[input.in].isJson) return valueSchema(input, this.components, label);
    const schema = isSchema(input.type)
      ? this.components.schema(input.type, "input", label)
      : { type: "string", format: "binary" };
    return input.list ? { type: "array", items: schema } : schema;
  }
}

/** The parameters of the query that one binder reads by name; `undefined` for alternatives and dictionaries. */
export function queryParameters(
  { in: place, name, type, parameters }: BinderInput,
  components: Components,
  label: string,
): readonly ParameterObject[] | undefined {
  const at = (name: string, required: boolean, schema: JsonSchema): ParameterObject => {
    const { description, ...rest } = schema;
    const about = typeof description === "string" && { description };
    return { name, in: "query", required, ...about, schema: rest };
  };
  if (parameters) return Object.entries(parameters).map(([name, json]) => at(name, false, json));
  if (place !== "query" || name !== undefined || !isSchema(type)) return undefined;
  const json = components.resolved(components.schema(type, "input", `${label}_query`));
  const { properties, required = [], additionalProperties: others } = json;
  const isDictionary = typeof others === "object" && Object.keys(others ?? {}).length > 0;
  if (!properties || isDictionary || CHOICES.some((keyword) => keyword in json)) return undefined;
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) =>
    at(name, (required as readonly string[]).includes(name), schema)
  );
}

const CHOICES =
  "allOf anyOf oneOf not if patternProperties propertyNames minProperties maxProperties"
    .split(" ");

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";

const RAW: Readonly<Record<string, { readonly type: string; readonly schema: JsonSchema }>> = {
  text: { type: "text/plain", schema: { type: "string" } },
  bytes: { type: "application/octet-stream", schema: {} },
  stream: { type: "application/octet-stream", schema: {} },
  multipart: { type: MULTIPART, schema: { type: "object", additionalProperties: {} } },
};

/** Header fields that are no parameters (OpenAPI 3.1, 4.8.12.1). */
const IGNORED = /^(?:accept|content-type|authorization)$/i;

function isParameter(place: BinderInput["in"]): place is ParameterObject["in"] {
  return isPlaced({ in: place }) && PLACES[place].body === undefined;
}

export function valueSchema(input: BinderInput, components: Components, label: string): JsonSchema {
  const { in: place, type = "string", list, defaultValue } = input;
  const one = typeof type === "string"
    ? SCALARS[type] ?? {}
    : isSchema(type)
    ? components.schema(type, "input", label)
    : { type: "string", enum: [...type] };
  const all = list ? { type: "array", items: one } : one;
  const isSaid = place === "query" || type === "string" || !acceptsEmpty(input);
  return {
    ...(isSaid ? all : { anyOf: [all, { const: "" }] }),
    ...(defaultValue !== undefined && { default: asJson(defaultValue) }),
  };
}

function acceptsEmpty({ list, defaultValue }: BinderInput): boolean {
  return list === true || defaultValue !== undefined;
}

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  string: { type: "string" },
  int: {
    type: "integer",
    format: "int64",
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
  },
  bigint: { type: "integer", format: "int64" },
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
