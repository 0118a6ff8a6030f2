import {
  change,
  Findings,
  type OpenApiChange,
  type OpenApiComparison,
  type SchemaDifferences,
} from "./changes.ts";
import {
  compareBodies,
  compareParameters,
  compareResponses,
  type Found,
  type Json,
  type OperationIn,
} from "./compare_operations.ts";
import { SchemaComparison } from "./compare_schemas.ts";
import { operationsIn, SchemaReader } from "./reader.ts";
import { isRecord, recordOf } from "./schema_form.ts";

/**
 * Compares two OpenAPI 3.1 documents as clients of the older one see them. Inputs may take more than they did, and
 * answers may hold more fields; everything else, and what cannot be told, is a break. Names of path variables,
 * descriptions and the order of things do not count.
 *
 * @param before the older document
 * @param after the newer one
 * @throws {TypeError} when one of them is no OpenAPI 3.1 document
 */
export function compareOpenApi(before: unknown, after: unknown): OpenApiComparison {
  const readers = [readerOf(before, "first"), readerOf(after, "second")] as const;
  const [older, newer] = readers.map(operationsOf) as [Operations, Operations];
  const findings = new Findings();
  const found: Found = {
    findings,
    input: new SchemaComparison("input", ...readers),
    output: new SchemaComparison("output", ...readers),
  };
  for (const [key, operation] of older) {
    const successor = newer.get(key);
    if (successor) compareOperations(operation, successor, found);
    else {
      const gone = change("", "removed", operation.body.operationId ?? key, undefined);
      findings.breaks(operation, "operation", gone);
    }
  }
  for (const [key, operation] of newer) {
    if (older.has(key)) continue;
    const added = change("", "added", undefined, operation.body.operationId ?? key);
    findings.adds(operation, "operation", added);
  }
  return findings.comparison;
}

type Operations = ReadonlyMap<string, OperationIn>;

/** @throws {TypeError} when it is no OpenAPI 3.1 document */
function readerOf(document: unknown, which: string): SchemaReader {
  if (!isRecord(document) || typeof document.openapi !== "string") {
    throw new TypeError(`Cannot compare: the ${which} document is no OpenAPI document`);
  }
  if (!document.openapi.startsWith("3.1.")) {
    throw new TypeError(
      `Cannot compare: the ${which} document is OpenAPI ${document.openapi}, expected 3.1`,
    );
  }
  return new SchemaReader(document);
}

/** By method and path, names of variables left out. */
function operationsOf(reader: SchemaReader): Operations {
  const document: Json = { ...reader.document };
  return new Map(
    operationsIn(reader).map((operation) => [
      `${operation.method} ${operation.path.replace(/\{[^}]*\}/g, "{}")}`,
      { ...operation, document, reader },
    ]),
  );
}

function compareOperations(before: OperationIn, after: OperationIn, found: Found): void {
  const pair = [before, after] as const;
  compareServers(...pair, found);
  compareParameters(...pair, found);
  compareBodies(...pair, found);
  compareResponses(...pair, found);
  const security = compareSecurity(
    { operation: before.body, document: before.document },
    { operation: after.body, document: after.document },
  );
  found.findings.collect(before, "security", security);
  const comparison = found.output;
  if (!comparison.same(before.body.callbacks, after.body.callbacks)) {
    const { callbacks } = before.body;
    const changed = change("", "changed", callbacks, after.body.callbacks);
    found.findings.breaks(before, "callbacks", changed);
  }
}

function compareServers(before: OperationIn, after: OperationIn, { findings }: Found): void {
  const [older, newer] = [serversOf(before), serversOf(after)];
  for (const server of older) {
    const same = newer.filter(({ key }) => key === server.key);
    if (same.some((other) => takesValues(other, server))) continue;
    const removed = same[0]
      ? change("", "values removed", server.values, same[0].values)
      : change("", "removed", server.url, undefined);
    findings.breaks(before, "server", removed);
  }
  for (const server of newer) {
    const same = older.filter(({ key }) => key === server.key);
    if (same.some((other) => takesValues(other, server))) continue;
    const added = same[0]
      ? change("", "values added", same[0].values, server.values)
      : change("", "added", undefined, server.url);
    findings.adds(before, "server", added);
  }
}

interface Server {
  readonly url: string;
  /** All that counts of it but the values of its variables. */
  readonly key: string;
  /** Of its variables; one without a list takes any. */
  readonly values: Readonly<Record<string, readonly unknown[] | undefined>>;
}

/** Whether the one takes all values of variables that the other does. */
function takesValues({ values }: Server, other: Server): boolean {
  return Object.entries(values).every(([name, known]) =>
    known === undefined || other.values[name]?.every((value) => known.includes(value)) === true
  );
}

/** Without any there is `/` (OpenAPI 3.1, 4.8.1). */
function serversOf({ servers }: OperationIn): readonly Server[] {
  const given: readonly Json[] = Array.isArray(servers) && servers.length > 0
    ? servers
    : [{ url: "/" }];
  const said = (key: string, value: unknown) =>
    key === "description" || key === "enum"
      ? undefined
      : key === "url"
      ? String(value).replace(/\/$/, "")
      : value;
  return given.map((server) => {
    const variables = Object.entries(recordOf(server.variables)).map(([name, variable]) => {
      const values = recordOf(variable).enum;
      return [name, Array.isArray(values) ? values : undefined];
    });
    const values = Object.fromEntries(variables);
    return { url: String(server.url), key: JSON.stringify(server, said), values };
  });
}

/** An operation and the document that it stands in. */
export interface Secured {
  readonly operation: Json;
  readonly document: Json;
}

/**
 * Compares the ways in which clients may authenticate (OpenAPI 3.1, 4.8.30): losing one is a break, a new one is an
 * addition. Schemes are compared by what they are, not by their names.
 */
export function compareSecurity(before: Secured, after: Secured): SchemaDifferences {
  const [older, newer] = [waysOf(before), waysOf(after)];
  const isIn = (ways: readonly Way[]) => (way: Way) => ways.some((other) => suffices(way, other));
  const isKept = older.every(isIn(newer));
  if (isKept && newer.every(isIn(older))) return { breaking: [], additions: [] };
  const what = isKept ? "relaxed" : "changed";
  const [old, given] = [textOf(before), textOf(after)];
  // The same names may stand for other schemes.
  const found = old === given
    ? change("", `scheme ${what}`, schemesText(older), schemesText(newer))
    : change("", what, old, given);
  return { breaking: isKept ? [] : [found], additions: isKept ? [found] : [] };
}

/** Scopes or roles, by what their scheme is. */
type Way = ReadonlyMap<string, ReadonlySet<string>>;

/** Whether whoever has what `one` asks for has what `other` asks for. */
function suffices(one: Way, other: Way): boolean {
  return [...other].every(([scheme, scopes]) => {
    const given = one.get(scheme);
    return given !== undefined && scopes.isSubsetOf(given);
  });
}

function waysOf({ operation, document }: Secured): readonly Way[] {
  const reader = new SchemaReader(document);
  const components = isRecord(document.components) ? document.components : {};
  const schemes = isRecord(components.securitySchemes) ? components.securitySchemes : {};
  const requirements = requirementsOf({ operation, document });
  if (requirements.length === 0) return [new Map()];
  return requirements.flatMap((requirement) => {
    let ways: readonly Way[] = [new Map()];
    for (const [name, given] of Object.entries(requirement)) {
      const scopes = new Set(Array.isArray(given) ? given.map(String) : []);
      const all = schemes[name] === undefined ? [name] : flowsOf(reader.follow(schemes[name]));
      ways = ways.flatMap((way) => all.map((one) => new Map([...way, [one, scopes]])));
    }
    return ways;
  });
}

/** A scheme by all that counts of it, once for each of its OAuth flows: one flow suffices. */
function flowsOf(scheme: Json): readonly string[] {
  const flows = isRecord(scheme.flows) ? Object.entries(scheme.flows) : [];
  if (flows.length === 0) return [identity(scheme)];
  return flows.map(([name, flow]) => identity({ ...scheme, flows: { [name]: flow } }));
}

function requirementsOf({ operation, document }: Secured): readonly Json[] {
  const security = operation.security ?? document.security;
  return Array.isArray(security) ? security.filter(isRecord) : [];
}

/** What counts of a scheme: neither its text nor which scopes there are. */
function identity(scheme: Json): string {
  const sorted = (value: unknown): unknown => {
    if (!isRecord(value)) return value;
    const keys = Object.keys(value).filter((key) => !UNSAID.has(key)).sort();
    return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
  };
  // Names of headers have no upper case (RFC 9110, 5.1).
  const name = scheme.in === "header" ? String(scheme.name).toLowerCase() : scheme.name;
  return JSON.stringify(sorted({ ...scheme, name }));
}

const UNSAID = new Set(["description", "bearerFormat", "scopes"]);

function textOf(secured: Secured): string {
  const texts = requirementsOf(secured).map((requirement) =>
    Object.entries(requirement).map(([name, scopes]) => {
      const list = Array.isArray(scopes) && scopes.length > 0 ? ` (${scopes.join(", ")})` : "";
      return `${name}${list}`;
    }).join(" and ") || "anybody"
  );
  return texts.length === 0 ? "anybody" : texts.join(" or ");
}

function schemesText(ways: readonly Way[]): string {
  return ways.map((way) => [...way.keys()].join(" and ")).join(" or ");
}

/**
 * What clients of a version of the API lose that is not there any more; `undefined` where the document knows none such.
 *
 * @param before the document that the version had
 * @param supported the versions that there are
 */
export function versionRemoved(
  before: unknown,
  apiVersion: string,
  supported: readonly string[],
): OpenApiChange | undefined {
  if (!isRecord(before)) return undefined;
  const routes = operationsIn(new SchemaReader(before))
    .filter(({ parameters }) => parameters.some((parameter) => saysVersion(parameter, apiVersion)))
    .map(({ method, path }) => `${method} ${path}`);
  if (routes.length === 0) return undefined;
  return {
    routes,
    where: `version '${apiVersion}'`,
    what: "removed",
    before: apiVersion,
    after: supported.join(", ") || "none",
  };
}

/** The header of a version takes that one alone. */
function saysVersion(parameter: Readonly<Record<string, unknown>>, version: string): boolean {
  const { in: place, schema } = parameter;
  if (place !== "header" || !isRecord(schema) || !Array.isArray(schema.enum)) return false;
  return schema.enum.length === 1 && schema.enum[0] === version;
}
