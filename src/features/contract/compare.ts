import {
  addition,
  breaking,
  comparisonOf,
  type Found,
  type OpenApiChange,
  type OpenApiComparison,
  paired,
} from "./changes.ts";
import { OperationComparison, routeOf } from "./compare_operations.ts";
import { SchemaComparison } from "./compare_schemas.ts";
import { type DescribedOperation, operationsIn, SchemaReader } from "./reader.ts";
import { isRecord, type Json, recordOf } from "./schema_form.ts";

/**
 * Compares two OpenAPI documents, 3.0 or 3.1, as clients of the older one see them. Inputs may accept more than before, and
 * responses may have more fields; every other change, and a change that cannot be judged, is breaking. Names of path
 * variables, descriptions and order do not count.
 *
 * @param before the older document
 * @param after the newer one
 * @throws {TypeError} when one of them is not an OpenAPI 3.0 or 3.1 document
 */
export function compareOpenApi(before: unknown, after: unknown): OpenApiComparison {
  const readers = [readerOf(before, "first"), readerOf(after, "second")] as const;
  const [older, newer] = operationsOfBoth(readers);
  const schemas = {
    input: new SchemaComparison("input", ...readers),
    output: new SchemaComparison("output", ...readers),
  };
  return comparisonOf([...paired(older, newer)].flatMap(([key, ours, theirs]): readonly Found[] => {
    if (ours && theirs) return new OperationComparison(ours, theirs, schemas).run();
    const operation = (ours ?? theirs)!;
    const name = operation.body.operationId ?? key;
    const change = ours ? breaking("", "removed", name) : addition("", "added", undefined, name);
    return [{ route: routeOf(operation), where: "operation", change }];
  }));
}

type Operations = ReadonlyMap<string, DescribedOperation>;

/** By method and path, without the names of its variables. */
function operationsOf(reader: SchemaReader, isFull: boolean): Operations {
  return new Map(
    operationsIn(reader).map((operation) => {
      const one = isFull ? withFullPath(operation) : operation;
      return [routeOf(one).replace(/\{[^}]*\}/g, "{}"), one];
    }),
  );
}

/** An API may have a base path in its servers or in its paths: whichever way more operations are the same. */
function operationsOfBoth(
  readers: readonly [SchemaReader, SchemaReader],
): [Operations, Operations] {
  const [plain, full] = [false, true].map((isFull) => {
    const both = readers.map((reader) => operationsOf(reader, isFull)) as [Operations, Operations];
    return { both, same: [...both[0].keys()].filter((key) => both[1].has(key)).length };
  });
  return full!.same > plain!.same ? full!.both : plain!.both;
}

function withFullPath({ path, servers, ...others }: DescribedOperation): DescribedOperation {
  const all = (Array.isArray(servers) ? servers : []).map(withPathResolved);
  const [base = "", ...more] = new Set(all.map(({ url }) => url.replace(HOST, "")));
  if (base === "" || more.length > 0) return { path, servers, ...others };
  const hosts = all.map((server) => ({ ...server, url: server.url.slice(0, -base.length) }));
  return { ...others, path: base + path, servers: hosts };
}

/** With the defaults of the variables in its path, as an API without variables has them there. */
function withPathResolved(server: Json) {
  const variables = recordOf(server.variables);
  const host = HOST.exec(`${server.url}`)?.[0].length ?? -1;
  const url = `${server.url}`.replace(/\{([^}]*)\}/g, (text, name, at) => {
    const value = `${recordOf(variables[name]).default ?? text}`;
    return at > host || value.includes("/") ? value : text;
  });
  const left = Object.entries(variables).filter(([name]) => url.includes(`{${name}}`));
  const kept = left.length > 0 ? Object.fromEntries(left) : undefined;
  return { ...server, url: url.replace(/\/$/, ""), variables: kept };
}

const HOST = /^[a-z]+:\/\/[^/]*/i;

/**
 * The change for clients of a version of the API that is removed; `undefined` where the document has no such
 * version.
 *
 * @param before the document that had the version
 * @param supported the versions that remain
 */
export function versionRemoved(
  before: unknown,
  apiVersion: string,
  supported: readonly string[],
): OpenApiChange | undefined {
  if (!isRecord(before)) return undefined;
  const routes = operationsIn(new SchemaReader(before))
    .filter(({ parameters }) =>
      parameters.some(({ in: place, schema }) => {
        const values = place === "header" ? recordOf(schema).enum : undefined;
        return Array.isArray(values) && values.length === 1 && values[0] === apiVersion;
      })
    )
    .map(routeOf);
  if (routes.length === 0) return undefined;
  const after = supported.join(", ") || "none";
  return {
    routes,
    where: `version '${apiVersion}'`,
    what: "removed",
    before: apiVersion,
    after,
  };
}

/** @throws {TypeError} when it is not an OpenAPI 3.0 or 3.1 document */
function readerOf(document: unknown, which: string): SchemaReader {
  if (!isRecord(document) || typeof document.openapi !== "string") {
    throw new TypeError(`Cannot compare: the ${which} document is not an OpenAPI document`);
  }
  if (!/^3\.[01]\./.test(document.openapi)) {
    throw new TypeError(
      `Cannot compare: the ${which} document is OpenAPI ${document.openapi}, expected 3.0 or 3.1`,
    );
  }
  const isOld = document.openapi.startsWith("3.0.");
  return new SchemaReader(isOld ? upgraded(document) as object : document);
}

/** Rewrites the keywords in which OpenAPI 3.0 differs from JSON Schema (3.0.4, 4.7.24): null, bounds, and references. */
function upgraded(value: unknown, areNames = false): unknown {
  if (Array.isArray(value)) return value.map((one) => upgraded(one));
  if (!isRecord(value)) return value;
  if (!areNames && typeof value.$ref === "string") return { $ref: value.$ref };
  const members = Object.entries(value).map(([key, inner]) => [
    key,
    !areNames && VALUES.has(key) ? inner : upgraded(inner, !areNames && NAMED.has(key)),
  ]);
  const result: Record<string, unknown> = Object.fromEntries(members);
  if (areNames) return result;
  for (const [bound, exclusive] of BOUNDS) {
    if (typeof result[exclusive] !== "boolean") continue;
    const { [bound]: limit, [exclusive]: isExclusive } = result;
    delete result[exclusive];
    if (isExclusive && limit !== undefined) delete result[bound], result[exclusive] = limit;
  }
  const { nullable } = result;
  if (typeof nullable === "boolean") delete result.nullable;
  if (nullable !== true) return result;
  if (typeof result.type !== "string") return { anyOf: [result, { type: "null" }] };
  return { ...result, type: [result.type, "null"] };
}

const VALUES = new Set(["default", "enum", "example", "examples"]);
const NAMED = new Set(["properties", "schemas", "responses", "parameters", "headers", "paths"]);
const BOUNDS = [["minimum", "exclusiveMinimum"], ["maximum", "exclusiveMaximum"]] as const;
