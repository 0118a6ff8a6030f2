import type { ApiContract, OperationContract } from "../client/mod.ts";
import { problemStatus, problemTypeOf } from "../http/mod.ts";
import {
  Components,
  type DocumentOptions,
  piecesOf,
  problemSchema,
  SchemaNameError,
  valueSchema,
  versionHeaders,
} from "../openapi/mod.ts";
import { freeName, IDEMPOTENCY_KEY, isEventStream, isJson, isReadWhole } from "../text/mod.ts";
import {
  type BinderInput,
  type Route,
  type ServedRoute,
  servedRoute,
  takesNothing,
} from "../web/mod.ts";
import { propertyName, union } from "../text/typescript.ts";
import { TypeWriter } from "./typescript.ts";

/**
 * What a typed client needs of the routes: method, path and parameters of each handler, by the names of class and method.
 * Of a handler with several methods or paths, the client calls the one that is tried first.
 *
 * @throws {SchemaNameError} when two controllers have classes of one name
 */
export function contractOf(routes: readonly Route[]): ApiContract {
  const contract: Record<string, Record<string, OperationContract>> = {};
  const owners = new Map<string, string>();
  const served = routes.map(servedRoute);
  for (const route of served) {
    const { method, path, binders, controller, type, handler, problems } = route;
    const inputs = binders.map(({ input }) => input);
    const keys = argumentNames(inputs);
    const headers = { ...versionHeaders(route, served), ...bodyType(route, inputs) };
    const owner = owners.get(type.name) ?? controller;
    if (owner !== controller) {
      throw new SchemaNameError(
        `Cannot write the contract of '${controller}': '${owner}' has a class '${type.name}' too, ` +
          "expected unique names",
        type.name,
      );
    }
    owners.set(type.name, controller);
    const operations = contract[type.name] ??= {};
    if (Object.hasOwn(operations, handler)) continue; // Not `??=`: a handler may be named `toString`.
    operations[handler] = {
      method,
      path: withoutExpressions(path),
      parameters: inputs.map((input, index) => ({
        in: placeOf(input),
        ...(input.name !== undefined && { name: input.name }),
        ...(keys[index] !== input.name && { as: keys[index] }),
        ...(input.parameters && { names: Object.keys(input.parameters) }),
      })),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(sendsEvents(route) && { events: true }),
      ...(problems.length > 0 && {
        problems: problems.map((one) => ({
          status: problemStatus(one).value,
          type: problemTypeOf(one),
        })),
      }),
    };
  }
  return contract;
}

/** The names of the arguments, such as `id` and `body`; where two parameters have one name, the second gets a number. */
function argumentNames(inputs: readonly BinderInput[]): readonly (string | undefined)[] {
  const taken = new Set(inputs.flatMap(({ parameters = {} }) => Object.keys(parameters)));
  return inputs.map(({ in: place, name = place, parameters }) =>
    place === "custom" || parameters ? undefined : freeName(name, taken)
  );
}

function placeOf({ in: place, type }: BinderInput): string {
  if (place !== "body" || typeof type !== "string") return place;
  // Text, bytes or a stream are sent without serialization.
  return type === "multipart" ? type : "raw";
}

/** The type of a body that the mapping has to consume; `fetch` writes the one of a form. */
function bodyType(
  { consumes: [type = "*", ...others] }: ServedRoute,
  inputs: readonly BinderInput[],
): Readonly<Record<string, string>> | undefined {
  if (others.length > 0 || /\*|form|^application\/json$/.test(type)) return undefined;
  const isSent = inputs.some((input) => /^(?:body|raw)$/.test(placeOf(input)));
  return isSent ? { "Content-Type": type } : undefined;
}

function withoutExpressions(path: string): string {
  return piecesOf(path).map((piece) => piece.replace(/^(\{[^:]*):.*$/s, "$1}")).join("");
}

/**
 * A TypeScript module with the contract of the routes, as {@linkcode contractOf} returns it, and with the types of what
 * is sent: the inputs of request schemas, the outputs of `returns`, and the declared problems. `client()` takes its types
 * from the module, which imports nothing.
 *
 * @throws {SchemaNameError} when two schemas, or two controllers, would have one name
 */
export function contractModule(
  routes: readonly Route[],
  options: Pick<DocumentOptions, "jsonSchema" | "onUnknownSchema"> = {},
): string {
  const contract = contractOf(routes);
  const writer = new OperationWriter(options);
  const served = routes.map(servedRoute);
  const controllers = Object.entries(contract).map(([name, operations]) => {
    const texts = Object.keys(operations).map((handler) => {
      const route = served.find((one) => one.type.name === name && one.handler === handler)!;
      const types = writer.operation(route);
      return `    readonly ${propertyName(handler)}: { readonly "~types"?: ${types} };\n`;
    });
    return `  readonly ${propertyName(name)}: {\n${texts.join("")}  };\n`;
  });
  const files = controllers.some((text) => text.includes(FILE))
    ? [`export type ${FILE} = ${FILES};\n`]
    : [];
  return [
    "// Written by 'irori contract'.\n// deno-fmt-ignore-file",
    `const operations = ${JSON.stringify(contract, null, 2)} as const;`,
    "",
    [...files, ...writer.namedTypes()].join("\n"),
    "/** The types of what is sent, for the compiler only. */",
    `export type ContractTypes = {\n${controllers.join("")}};`,
    "",
    "export const contract = operations as typeof operations & ContractTypes;",
  ].join("\n");
}

class OperationWriter {
  readonly #components: Components;
  readonly #types = new TypeWriter(TAKEN);

  constructor(options: Pick<DocumentOptions, "jsonSchema" | "onUnknownSchema">) {
    this.#components = new Components(options);
  }

  namedTypes(): readonly string[] {
    return Object.entries(this.#components.schemas).map(([name, json]) =>
      `export type ${this.#types.nameOf(name)} = ${this.#types.textOf(json)};\n`
    );
  }

  operation(route: ServedRoute): string {
    const label = `${route.controller}_${route.handler}`;
    const problem = union(
      route.problems.map((one) => this.#types.textOf(problemSchema(one, this.#components, label))),
    );
    const inputs = this.#arguments(route, label);
    return `{ arguments: ${inputs}; result: ${this.#result(route, label)}; problem: ${problem} }`;
  }

  #result(route: ServedRoute, label: string): string {
    const { returns, status = 200 } = route;
    if (status === 204 || status === 205) return "undefined";
    const sent = sentTypes(route);
    if (sent.length > 0 && !sent.some(isJson)) {
      return union(sent.map((type) => isReadWhole(type) ? "string" : "Response"));
    }
    if (returns === undefined) return "unknown";
    const json = this.#components.schema(returns, "output", `${label}_${status}`);
    const type = this.#types.textOf(json);
    if (!takesNothing(returns)) return type;
    return type === "never" || type === "unknown" ? "undefined" : `${type} | undefined`;
  }

  #arguments(route: ServedRoute, label: string): string {
    const inputs = route.binders.map(({ input }) => input);
    const keys = argumentNames(inputs);
    const fields = inputs.flatMap((input, index) => {
      const { parameters = {}, required } = input;
      const several = Object.entries(parameters).map(([name, json]) =>
        `${propertyName(name)}?: ${json.type === "array" ? "readonly " : ""}${
          this.#types.textOf(json)
        }`
      );
      const key = keys[index];
      if (key === undefined) return several;
      const type = this.#argument(input, `${label}_${key}`);
      const isMade = input.in === "header" && IDEMPOTENCY_KEY.test(input.name ?? "");
      return [`${propertyName(key)}${required && !isMade ? "" : "?"}: ${type}`];
    });
    return fields.length > 0 ? `{ ${fields.join("; ")} }` : "Record<string, never>";
  }

  #argument(input: BinderInput, label: string): string {
    const { in: place, type = "string", list } = input;
    if (place === "body" && input.type === undefined) return "unknown";
    const many = (one: string) => list ? `readonly (${one})[]` : one;
    if (place === "part" && input.type === undefined) return many(FILE);
    if (typeof type === "string") {
      return many((place === "body" ? BODIES : SCALARS)[type] ?? "unknown");
    }
    const json = valueSchema({ ...input, defaultValue: undefined }, this.#components, label);
    return this.#types.textOf(json);
  }
}

/** A `File` has a name, a stream gets it beside it. */
const FILES =
  "Blob | ReadableStream<Uint8Array> | { readonly name: string; readonly type?: string; stream(): ReadableStream<Uint8Array> }";
const FILE = "FilePart";
const TAKEN = ["ContractTypes", "contract", "operations", FILE, "FormData"];

function sendsEvents(route: ServedRoute): boolean {
  const types = sentTypes(route);
  return types.length > 0 && types.every(isEventStream);
}

/** The media types of a response, as far as the mapping and the kind of its method determine them. */
function sentTypes({ produces, type, handler }: ServedRoute): readonly string[] {
  if (produces.length > 0) return produces;
  const isGenerator = /Generator/.test(Object.prototype.toString.call(type.prototype[handler]));
  return isGenerator ? ["text/event-stream"] : [];
}

const BODIES: Readonly<Record<string, string>> = {
  multipart:
    "FormData | { readonly [name: string]: string | FilePart | readonly (string | FilePart)[] }",
  text: "string",
  bytes: "Blob | Uint8Array",
  stream: "Blob | Uint8Array | ReadableStream<Uint8Array>",
};

const SCALARS: Readonly<Record<string, string>> = {
  string: "string",
  int: "number",
  bigint: "bigint | number",
  number: "number",
  boolean: "boolean",
  uuid: "string",
  date: "string",
  "date-time": "Date | string",
};
