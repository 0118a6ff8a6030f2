import {
  Components,
  type DocumentOptions,
  freeName,
  problemSchemas,
  valueSchema,
} from "../openapi/mod.ts";
import { isJson, isReadWhole } from "../text/mod.ts";
import {
  type BinderInput,
  type Route,
  type ServedRoute,
  servedRoute,
  takesNothing,
} from "../web/mod.ts";
import { contractOf } from "./contract.ts";
import { identifier, KEYWORDS, propertyName, TypeNames, typeText, union } from "./typescript.ts";

/**
 * A TypeScript module with the contract of the routes, as {@linkcode contractOf} gives it, and with the types of what is
 * on the wire: of requests by the inputs of their schemas, of answers by the outputs of `returns`, and of the problems
 * that are declared. `client()` takes its types from there; the module imports nothing.
 *
 * @throws {SchemaNameError} when two schemas, or two controllers, would have one name
 */
export function contractModule(
  routes: readonly Route[],
  options: Pick<DocumentOptions, "jsonSchema" | "onUnknownSchema"> = {},
): string {
  const contract = contractOf(routes);
  const components = new Components(options);
  const names = new TypeNames(["ContractTypes", "contract", "operations"]);
  const types = new Map<string, Map<string, string>>();
  for (const route of routes.map(servedRoute)) {
    const controller = types.get(route.type.name) ?? new Map<string, string>();
    types.set(route.type.name, controller);
    if (!controller.has(route.handler)) {
      controller.set(route.handler, operationText(route, components, names));
    }
  }
  const controllers = [...types].map(([name, operations]) => {
    const texts = [...operations].map(([handler, text]) =>
      `    readonly ${propertyName(handler)}: { readonly "~types"?: ${text} };\n`
    );
    return `  readonly ${propertyName(name)}: {\n${texts.join("")}  };\n`;
  });
  const named = Object.entries(components.schemas).map(([name, json]) =>
    `export type ${names.of(name)} = ${typeText(json, names)};\n`
  );
  return [
    "// Written by 'irori contract'.",
    `const operations = ${JSON.stringify(contract, null, 2)} as const;`,
    "",
    named.join("\n"),
    "/** What is on the wire: only for the compiler. */",
    `export interface ContractTypes {\n${controllers.join("")}}`,
    "",
    "export const contract = operations as typeof operations & ContractTypes;",
  ].join("\n");
}

function operationText(route: ServedRoute, components: Components, names: TypeNames): string {
  const label = `${route.controller}_${route.handler}`;
  const problems = problemSchemas(route, components, label).map((json) => typeText(json, names));
  return `{ arguments: ${argumentsText(route, components, names, label)}; ` +
    `result: ${resultText(route, components, names, label)}; ` +
    `problem: ${[...new Set(problems)].join(" | ") || "never"} }`;
}

function resultText(
  route: ServedRoute,
  components: Components,
  names: TypeNames,
  label: string,
): string {
  const { returns, status = 200 } = route;
  if (status === 204 || status === 205) return "undefined";
  const types = sentTypes(route);
  if (types.length > 0 && !types.some(isJson)) {
    return union(types.map((type) => isReadWhole(type) ? "string" : "Response"));
  }
  if (returns === undefined) return "unknown";
  const type = typeText(components.schema(returns, "output", `${label}_${status}`), names);
  if (!takesNothing(returns)) return type;
  return type === "never" || type === "unknown" ? "undefined" : `${type} | undefined`;
}

/** The media types of an answer, as far as the mapping and the kind of its method tell them. */
function sentTypes({ produces, type, handler }: ServedRoute): readonly string[] {
  if (produces.length > 0) return produces;
  const isGenerator = /Generator/.test(Object.prototype.toString.call(type.prototype[handler]));
  return isGenerator ? ["text/event-stream"] : [];
}

/** What may be missing at the end may be left out. */
function argumentsText(
  route: ServedRoute,
  components: Components,
  names: TypeNames,
  label: string,
): string {
  const inputs = route.binders.map(({ input }) => input);
  const last = inputs.findLastIndex(({ in: place, required }) => required && place !== "custom");
  const taken = new Set(KEYWORDS);
  const texts = inputs.map((input, index) => {
    const type = argumentText(input, components, names, `${label}_${input.name ?? input.in}`);
    const parameter = freeName(identifier(input.name ?? input.in), taken);
    if (index > last) return `${parameter}?: ${type}`;
    return `${parameter}: ${input.required ? type : `${type} | undefined`}`;
  });
  return `[${texts.join(", ")}]`;
}

function argumentText(
  input: BinderInput,
  components: Components,
  names: TypeNames,
  label: string,
): string {
  const { in: place, type = "string", list, parameters } = input;
  if (parameters) return typeText({ type: "object", properties: parameters }, names);
  if (place === "custom") return "undefined";
  if (place === "body" && input.type === undefined) return "unknown";
  const many = (one: string) => list ? `readonly (${one})[]` : one;
  if (place === "part" && input.type === undefined) return many("Blob");
  if (typeof type === "string") return many((place === "body" ? BODIES : WORDS)[type] ?? "unknown");
  return typeText(valueSchema({ ...input, defaultValue: undefined }, components, label), names);
}

const BODIES: Readonly<Record<string, string>> = {
  text: "string",
  bytes: "Uint8Array",
  stream: "ReadableStream<Uint8Array>",
};

/** What a client writes as the text of such a value. */
const WORDS: Readonly<Record<string, string>> = {
  string: "string",
  int: "number",
  bigint: "bigint | number",
  number: "number",
  boolean: "boolean",
  uuid: "string",
  date: "string",
  "date-time": "Date | string",
};
