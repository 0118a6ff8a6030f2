import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  BYTES,
  DATA,
  HttpStatus,
  PROBLEM_JSON,
  type ProblemClass,
  problemStatus,
  problemTypeOf,
  TEXT,
} from "../../http/mod.ts";
import type { JsonSchema } from "../../schema/mod.ts";
import { isJson, isXml } from "../../text/mod.ts";
import { MappingError, type ServedRoute, takesNothing } from "../../web/mod.ts";
import type { Components } from "./components.ts";
import type { Content, OperationOptions, ResponseDescription, ResponseObject } from "./types.ts";

export function responsesOf(
  route: ServedRoute,
  { responses = {} }: OperationOptions,
  refusals: readonly number[],
  components: Components,
  label: string,
): Readonly<Record<string, ResponseObject>> {
  const writer = new ResponseWriter(route, components, label);
  writer.addDescribed(responses);
  writer.addReturned();
  writer.addProblems(refusals);
  writer.addErrors(refusals);
  writer.addFields();
  return writer.responses;
}

export function preconditionStatuses({ binders }: ServedRoute): readonly number[] {
  return binders.flatMap(({ input }) => input.statuses ?? []);
}

class ResponseWriter {
  readonly responses: Record<string, ResponseObject> = {};

  constructor(
    readonly route: ServedRoute,
    readonly components: Components,
    readonly label: string,
  ) {}

  addDescribed(responses: NonNullable<OperationOptions["responses"]>): void {
    for (const [status, response] of Object.entries(responses)) {
      if (response === undefined) continue;
      const described: ResponseDescription = "~standard" in response
        ? { schema: response }
        : response;
      const { description = statusText(status), schema, mediaType } = described;
      if (schema && schema !== this.route.returns) this.#refuseSecond(status);
      const content = schema && { content: this.#content(schema, status, mediaType) };
      this.responses[status] = { description, ...content };
    }
  }

  #refuseSecond(known: string): void {
    const { type, handler, returns, problems, status = 200 } = this.route;
    const isReturned = known === String(status) && returns !== undefined;
    if (!isReturned && !problems.some((one) => `${problemStatus(one).value}` === known)) return;
    const label = `${type.name}.${handler}`;
    throw new MappingError(
      `Cannot describe '${label}': @Operation has a schema for the status ${known}, which the mapping's ` +
        `'${isReturned ? "returns" : "problems"}' describes; expected only one of them`,
      [label],
    );
  }

  #content(schema: StandardSchemaV1, status: string, mediaType: string | undefined): Content {
    const json = this.components.schema(schema, "output", `${this.label}_${status}`);
    if (mediaType !== undefined) return contentWith([mediaType], json);
    const isError = status === "default" || Number(status) >= 400;
    return contentWith(isError ? [DATA.type] : this.#typesOf(json), json);
  }

  #typesOf(json: JsonSchema): readonly string[] {
    const { produces } = this.route;
    return produces.length > 0 ? produces : mediaTypesOf(json, this.components);
  }

  addReturned(): void {
    const { returns, status = 200 } = this.route;
    if (returns === undefined) return;
    const json = this.components.schema(returns, "output", `${this.label}_${status}`);
    // Zod describes `z.void()` by `not`, or as any value.
    const isNothing = Object.keys(json).length === 0 || json.not !== undefined;
    if (!takesNothing(returns) || !isNothing) {
      const content = status !== 204 && status !== 205 &&
        { content: contentWith(this.#typesOf(json), json) };
      this.responses[status] = { description: this.#descriptionOf(status), ...content };
    }
    if (takesNothing(returns)) {
      const empty = String(this.route.status ?? 204);
      this.responses[empty] ??= { description: statusText(empty) };
    }
  }

  #descriptionOf(status: number): string {
    return this.responses[status]?.description ?? statusText(String(status));
  }

  addProblems(refusals: readonly number[]): void {
    const { problems, failed } = this.route;
    const sent = refusals.flatMap((status) => failed?.http?.(HttpStatus.of(status)) ?? [])
      .filter(({ problem: { status } }) => !this.responses[status.value]?.content);
    const all = new Set([...problems, ...sent]);
    for (const [status, group] of Map.groupBy(all, (one) => problemStatus(one).value)) {
      this.responses[status] = this.#described(group, this.#descriptionOf(status));
    }
  }

  #described(problems: ServedRoute["problems"], description: string): ResponseObject {
    const [one] = problems as readonly [ProblemClass];
    const { refused, failed } = this.route;
    const { type, status } = one.problem ?? {};
    const isHandled = one === refused || status && (!type || one === failed?.http?.(status));
    const content = this.#contentOf(problems);
    return problems.length === 1 && isHandled
      ? { $ref: this.components.response(one, content), description }
      : { description, content };
  }

  /** The types of bodies of handlers; a request that accepts none of the types gets JSON. */
  #dataTypes({ value: status }: HttpStatus): readonly string[] {
    const { produces, failed } = this.route;
    const types = produces.filter((type) => status !== 406 && (isJson(type) || isXml(type)));
    const unacceptable = failed?.http?.(HttpStatus.NOT_ACCEPTABLE).problem.status.value;
    return status === unacceptable || types.length === 0 ? [...types, DATA.type] : types;
  }

  #contentOf(problems: ServedRoute["problems"]): Content {
    const schemas = problems.map((one) => problemSchema(one, this.components, this.label));
    const types = problems.flatMap((one, index) =>
      problemTypeOf(one) === undefined
        ? mediaTypesOf(schemas[index]!, this.components)
          .flatMap((type) => type === DATA.type ? this.#dataTypes(problemStatus(one)) : type)
        : [PROBLEM_JSON]
    );
    return contentWith(types, schemas.length === 1 ? schemas[0]! : { anyOf: schemas });
  }

  addErrors(refusals: readonly number[]): void {
    const known = this.responses;
    const { http, any } = this.route.failed ?? {};
    const bodyOf = (sent: typeof any) => sent && this.#contentOf([sent()]);
    const problem = contentWith([PROBLEM_JSON], this.components.own("ProblemDetail", PROBLEM));
    const content = known.default?.content ?? bodyOf(http) ?? problem;
    for (const status of http ? [] : refusals) {
      known[status] ??= { description: statusText(String(status)), content };
    }
    // Errors that are described only by a text have the body of other errors.
    for (const [status, response] of Object.entries(known)) {
      if (/^[45]/.test(status) && !response.$ref) known[status] = { content, ...response };
    }
    const description = statusText("default");
    known.default ??= any && any === http
      ? this.#described([any()], description)
      : { description, content: { ...bodyOf(http), ...(bodyOf(any) ?? problem) } };
    if (!Object.keys(known).some((status) => /^[123]/.test(status))) {
      const { status = 200, produces } = this.route;
      // The schema of what the handler returns is unknown; `produces` names the media types.
      const types = produces.map((type) =>
        [type, { schema: type.startsWith("text/") ? { type: "string" } : {} }] as const
      );
      const body = status !== 204 && types.length > 0 && { content: Object.fromEntries(types) };
      known[status] = { description: statusText(String(status)), ...body };
    }
  }

  addFields(): void {
    const { method, binders, deprecation } = this.route;
    const statuses = preconditionStatuses(this.route);
    if (method === "GET" && statuses.includes(304)) {
      this.responses[304] ??= { description: statusText("304") };
    }
    const fields = [
      ...(statuses.length > 0 ? [["ETag", "The version of the resource (RFC 9110, 8.8.3)"]] : []),
      ...(deprecation ?? []).map(([name]) => [name, DEPRECATION_FIELDS[name] ?? ""]),
      ...binders.flatMap(({ fields }) => Object.entries(fields?.descriptions ?? {})),
    ];
    if (fields.length === 0) return;
    const added = Object.fromEntries(
      fields.map(([name, description]) => [name, { description, schema: { type: "string" } }]),
    );
    for (const [status, response] of Object.entries(this.responses)) {
      if (!/^(?:2|304)/.test(status)) continue;
      this.responses[status] = { ...response, headers: { ...response.headers, ...added } };
    }
  }
}

const DEPRECATION_FIELDS: Readonly<Record<string, string>> = {
  Deprecation: "The date from which the operation is deprecated (RFC 9745)",
  Sunset: "The date from which the operation may be removed (RFC 8594)",
  Link: "Documentation of the deprecation",
};

export function problemSchema(
  one: ProblemClass | HttpStatus,
  components: Components,
  label: string,
): JsonSchema {
  if ("problem" in one) return schemaOfProblem(one, components, label);
  const { properties, ...rest } = PROBLEM;
  const status = { type: "integer", const: one.value };
  const type = { type: "string", const: "about:blank" };
  return { ...rest, properties: { ...properties as object, type, status } };
}

function schemaOfProblem(type: ProblemClass, components: Components, label: string): JsonSchema {
  const { schema, status, type: uri, title } = type.problem;
  const own = schema && components.schema(schema, "output", `${label}_${type.name}`);
  if (uri === undefined) return own ?? {};
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

function contentWith(types: readonly string[], schema: JsonSchema): Content {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function statusText(status: string): string {
  if (status === "default") return "Any other error";
  return HttpStatus.of(Number(status)).reasonPhrase || status;
}

const PROBLEM_PROPERTIES = {
  type: { type: "string", format: "uri-reference" },
  title: { type: "string" },
  status: { type: "integer", minimum: 100, maximum: 599 },
  detail: { type: "string" },
  instance: { type: "string", format: "uri-reference" },
};

/** The body of errors (RFC 9457, 3.1), as the library's `ProblemDetail` writes it. */
const PROBLEM: JsonSchema = {
  type: "object",
  description: "What went wrong (RFC 9457)",
  properties: {
    ...PROBLEM_PROPERTIES,
    errors: { type: "array", items: {} },
  },
  required: ["type", "title", "status"],
};

function mediaTypesOf(schema: JsonSchema, components: Components): readonly string[] {
  const found = [...new Set(typesOf(schema, components, new Set()))];
  return found.length > 0 ? found : [DATA.type];
}

function typesOf(
  schema: JsonSchema,
  components: Components,
  seen: Set<unknown>,
): readonly string[] {
  const json = components.resolved(schema);
  if (seen.has(json)) return [];
  seen.add(json);
  if (components.isDate(json)) return [DATA.type];
  const alternatives = json.anyOf ?? json.oneOf;
  if (Array.isArray(alternatives)) {
    return alternatives.flatMap((one) => typesOf(one, components, seen));
  }
  const values = "const" in json ? [json.const] : json.enum;
  if (Array.isArray(values)) {
    return values.map((value) => typeof value === "string" ? TEXT.type : DATA.type);
  }
  return [json.type].flat().map((type) => type === "string" ? textTypeOf(json) : DATA.type);
}

/** In JSON Schema a file is a text of bytes. */
function textTypeOf({ contentEncoding, contentMediaType, format }: JsonSchema): string {
  if (contentEncoding === undefined && format !== "binary") return TEXT.type;
  return typeof contentMediaType === "string" ? contentMediaType : BYTES.type;
}
