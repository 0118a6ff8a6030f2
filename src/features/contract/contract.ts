import type { ApiContract, OperationContract } from "../client/mod.ts";
import { problemStatus, problemTypeOf } from "../../http/mod.ts";
import {
  Components,
  type DocumentOptions,
  problemSchema,
  queryParameters,
  SchemaNameError,
  valueSchema,
  versionHeaders,
} from "../openapi/mod.ts";
import { freeName, IDEMPOTENCY_KEY, isEventStream, isJson, isReadWhole } from "../../text/mod.ts";
import {
  type BinderInput,
  isPlaced,
  piecesOf,
  PLACES,
  type Route,
  type ServedRoute,
  servedRoute,
  takesNothing,
} from "../../web/mod.ts";
import { propertyName, union } from "../../text/typescript.ts";
import { TypeWriter } from "./typescript.ts";

/**
 * The parts of the routes that a typed client needs: method, path and parameters of each handler, by the names of class and method.
 * The client calls a handler with several methods or paths by the one that is tried first.
 *
 * @param options `jsonSchema` for schemas of queries whose library does not describe them
 * @throws {SchemaNameError} when two controllers have classes of one name
 */
export function contractOf(
  routes: readonly Route[],
  options: Pick<DocumentOptions, "jsonSchema"> = {},
): ApiContract {
  const components = new Components({ ...options, onUnknownSchema: () => {} });
  const contract: Record<string, Record<string, OperationContract>> = {};
  const owners = new Map<string, string>();
  const served = routes.map(servedRoute);
  for (const route of served) {
    const { method, path, controller, type, handler, problems } = route;
    const headers = { ...versionHeaders(route, served), ...bodyType(route) };
    const sent = sentTypes(route);
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
      path: piecesOf(path).map((piece) => piece.replace(/^(\{[^:]*):.*$/s, "$1}")).join(""),
      parameters: argumentsOf(route, components).map(({ input, key, query }) => ({
        in: sentIn(input, route),
        ...(input.name !== undefined && { name: input.name }),
        ...(key !== input.name && { as: key }),
        ...(query && { names: query.map(({ name }) => name) }),
      })),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(sent.length > 0 && sent.every(isEventStream) && { events: true }),
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

/** The arguments of a client: by a name, such as `id` or `body`, or by those of the query; a second `id` gets a number. */
function argumentsOf(route: ServedRoute, components: Components) {
  const all = route.binders.map(({ input }) => ({
    input,
    query: queryParameters(input, components, schemaLabel(route)),
  }));
  const taken = new Set(all.flatMap(({ query = [] }) => query.map(({ name }) => name)));
  return all.map(({ input, query }) => {
    const { in: place, name = place } = input;
    const key = isPlaced(input) && !query ? freeName(name, taken) : undefined;
    return { input, key, query };
  });
}

function schemaLabel({ controller, handler }: ServedRoute): string {
  return `${controller}_${handler}`;
}

function sentIn({ in: place, type }: BinderInput, { consumes }: ServedRoute): string {
  // Without a part or a file, a client would send an URL-encoded form.
  if (place === "form" && /^multipart\/[^,]*$/.test(consumes.join())) return "multipart";
  if (place !== "body" || typeof type !== "string") return place;
  // Text, bytes or a stream are sent without serialization.
  return type === "multipart" ? type : "raw";
}

/** The type of a body that the mapping has to consume; `fetch` writes the one of a form. */
function bodyType(route: ServedRoute): Readonly<Record<string, string>> | undefined {
  const { consumes: [type = "*", ...others], binders } = route;
  if (others.length > 0 || /\*|form|^application\/json$/.test(type)) return undefined;
  const isSent = binders.some(({ input }) => /^(?:body|raw)$/.test(sentIn(input, route)));
  return isSent ? { "Content-Type": type } : undefined;
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
  const contract = contractOf(routes, options);
  const components = new Components(options);
  const writer = new OperationWriter(components);
  const served = routes.map(servedRoute);
  const controllers = Object.entries(contract).map(([name, operations]) => {
    const texts = Object.keys(operations).map((handler) => {
      const route = served.find((one) => one.type.name === name && one.handler === handler)!;
      const types = writer.operation(route);
      return `    readonly ${propertyName(handler)}: { readonly "~types"?: ${types} };\n`;
    });
    return `  readonly ${propertyName(name)}: {\n${texts.join("")}  };\n`;
  });
  const { schemas, write } = components.named(controllers.join(""));
  const named = Object.entries(schemas).map(([name, json]) =>
    `export type ${writer.name(name)} = ${writer.write(json)};\n`
  );
  const types = write(controllers.join(""), (name) => writer.name(name));
  const files = types.includes(FILE) ? [`export type ${FILE} = ${FILES};\n`] : [];
  return [
    "// Written by 'irori contract'.\n// deno-fmt-ignore-file",
    `const operations = ${JSON.stringify(contract, null, 2)} as const;`,
    "",
    [...files, ...named].join("\n"),
    "/** The types of what is sent, for the compiler only. */",
    `export type ContractTypes = {\n${types}};`,
    "",
    "export const contract = operations as typeof operations & ContractTypes;",
  ].join("\n");
}

class OperationWriter extends TypeWriter {
  constructor(readonly components: Components) {
    super();
  }

  operation(route: ServedRoute): string {
    const label = schemaLabel(route);
    const problem = union(
      route.problems.map((one) => this.write(problemSchema(one, this.components, label))),
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
    const json = this.components.schema(returns, "output", `${label}_${status}`);
    const type = this.write(json);
    if (!takesNothing(returns)) return type;
    return type === "never" || type === "unknown" ? "undefined" : `${type} | undefined`;
  }

  #arguments(route: ServedRoute, label: string): string {
    const fields = argumentsOf(route, this.components).flatMap(({ input, key, query = [] }) => {
      if (key === undefined) {
        return query.map(({ name, required, schema }) => {
          const list = schema.type === "array" ? "readonly " : "";
          const type = this.write(schema);
          return `${propertyName(name)}${required ? "" : "?"}: ${list}${type}`;
        });
      }
      const type = this.#argument(input, `${label}_${key}`);
      const { required } = input;
      const isMade = input.in === "header" && IDEMPOTENCY_KEY.test(input.name ?? "");
      return [`${propertyName(key)}${required && !isMade ? "" : "?"}: ${type}`];
    });
    return fields.length > 0 ? `{ ${fields.join("; ")} }` : "Record<string, never>";
  }

  #argument(input: BinderInput, label: string): string {
    const { isJson, body } = PLACES[input.in];
    const { type = isJson ? `any ${body}` : "string", list } = input;
    const isWord = typeof type === "string";
    const sent = { ...input, type, list: list && !isWord, defaultValue: undefined };
    const one = isWord && SENT_TYPES[type] ||
      this.write(valueSchema(sent, this.components, label));
    return isWord && list ? `readonly (${one})[]` : one;
  }
}

/** A `File` has a name, a stream gets it beside it. */
const FILES =
  "Blob | ReadableStream<Uint8Array> | { readonly name: string; readonly type?: string; stream(): ReadableStream<Uint8Array> }";
const FILE = "FilePart";

/** The media types of a response, as far as the mapping and the kind of its method determine them. */
function sentTypes({ produces, type, handler }: ServedRoute): readonly string[] {
  if (produces.length > 0) return produces;
  const isGenerator = /Generator/.test(Object.prototype.toString.call(type.prototype[handler]));
  return isGenerator ? ["text/event-stream"] : [];
}

/** Types of texts for which clients send other types than documents describe. */
const SENT_TYPES: Readonly<Record<string, string>> = {
  "any field": FILE,
  multipart:
    "FormData | { readonly [name: string]: string | FilePart | readonly (string | FilePart)[] }",
  text: "string",
  bytes: "Blob | Uint8Array",
  stream: "Blob | Uint8Array | ReadableStream<Uint8Array>",
  bigint: "bigint | number",
  "date-time": "Date | string",
};
