import type { StandardSchemaV1 } from "@standard-schema/spec";
import { HttpStatus, PROBLEM_JSON } from "../http/mod.ts";
import type { Route } from "../web/mod.ts";
import type { Components } from "./_components.ts";
import type {
  Content,
  JsonSchema,
  OperationOptions,
  ResponseDescription,
  ResponseObject,
} from "./types.ts";

/** The responses of a route: what it returns, what the library refuses, and any other error. */
export function responsesOf(
  route: Route,
  { responses = {} }: OperationOptions,
  refusals: readonly number[],
  components: Components,
  label: string,
): Readonly<Record<string, ResponseObject>> {
  const produced = route.produces.length > 0 ? route.produces : ["application/json"];
  const described = Object.entries(responses).flatMap(([status, response]) => {
    if (response === undefined) return [];
    const { description = reasonOf(status), schema, mediaType } = describe(response);
    const ok = status === "default" ? false : Number(status) < 400;
    const types = mediaType !== undefined ? [mediaType] : ok ? produced : ["application/json"];
    const json = schema && components.schema(schema, "output", `${label}_${status}`);
    return [[status, { description, ...(json && { content: contentOf(types, json) }) }] as const];
  });
  const known: Record<string, ResponseObject> = Object.fromEntries(described);
  const error = known.default?.content ?? problemContent(components);
  for (const status of refusals) {
    known[status] ??= { description: reasonOf(String(status)), content: error };
  }
  if (!described.some(([status]) => /^[123]/.test(status))) {
    const status = String(route.status ?? 200);
    known[status] = { description: reasonOf(status), ...returned(route, status) };
  }
  known.default ??= { description: "Any other error", content: error };
  return known;
}

/** Nothing is known of what a method returns; only `produces` says of which type it is. */
function returned({ produces }: Route, status: string): { readonly content?: Content } {
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
  return { [PROBLEM_JSON]: { schema: components.own("ProblemDetail", PROBLEM) } };
}

/** The body of errors (RFC 9457, 3.1), as `ProblemDetail` of the library writes it. */
const PROBLEM: JsonSchema = {
  type: "object",
  description: "What went wrong (RFC 9457)",
  properties: {
    type: { type: "string", format: "uri-reference" },
    title: { type: "string" },
    status: { type: "integer", minimum: 100, maximum: 599 },
    detail: { type: "string" },
    instance: { type: "string", format: "uri-reference" },
    errors: { type: "array", items: {} },
  },
  required: ["type", "title", "status"],
};
