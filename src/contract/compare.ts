import { Findings, type OpenApiChange, type OpenApiComparison, paired } from "./changes.ts";
import {
  compareBodies,
  compareParameters,
  compareResponses,
  type Found,
  type Json,
  type OperationIn,
} from "./compare_operations.ts";
import { SchemaComparison } from "./compare_schemas.ts";
import { compareSecurity } from "./compare_security.ts";
import { operationsIn, SchemaReader } from "./reader.ts";
import { isRecord, recordOf } from "./schema_form.ts";

/**
 * Compares two OpenAPI 3.1 documents as clients of the older one see them. Inputs may accept more than before, and
 * responses may have more fields; every other change, and a change that cannot be judged, is breaking. Names of path
 * variables, descriptions and order do not count.
 *
 * @param before the older document
 * @param after the newer one
 * @throws {TypeError} when one of them is not an OpenAPI 3.1 document
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
  for (const [key, ours, theirs] of paired(older, newer)) {
    if (ours && theirs) compareOperations(ours, theirs, found);
    else if (ours) findings.breaks(ours, "operation", "removed", ours.body.operationId ?? key);
    else if (theirs) {
      findings.adds(theirs, "operation", "added", undefined, theirs.body.operationId ?? key);
    }
  }
  return findings.comparison;
}

type Operations = ReadonlyMap<string, OperationIn>;

function readerOf(document: unknown, which: string): SchemaReader {
  if (!isRecord(document) || typeof document.openapi !== "string") {
    throw new TypeError(`Cannot compare: the ${which} document is not an OpenAPI document`);
  }
  if (!document.openapi.startsWith("3.1.")) {
    throw new TypeError(
      `Cannot compare: the ${which} document is OpenAPI ${document.openapi}, expected 3.1`,
    );
  }
  return new SchemaReader(document);
}

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
  compareServers(before, after, found);
  compareParameters(before, after, found);
  compareBodies(before, after, found);
  compareResponses(before, after, found);
  found.findings.collect(before, "security", compareSecurity(before, after));
  const [ours, theirs] = [before.body.callbacks, after.body.callbacks];
  if (!found.output.same(ours, theirs)) {
    found.findings.breaks(before, "callbacks", "changed", ours, theirs);
  }
}

function compareServers(before: OperationIn, after: OperationIn, { findings }: Found): void {
  const [older, newer] = [serversOf(before), serversOf(after)];
  for (const server of older) {
    const same = newer.filter(({ key }) => key === server.key);
    if (same.some((other) => takesValues(other, server))) continue;
    if (!same[0]) findings.breaks(before, "server", "removed", server.url);
    else findings.breaks(before, "server", "values removed", server.values, same[0].values);
  }
  for (const server of newer) {
    const same = older.filter(({ key }) => key === server.key);
    if (same.some((other) => takesValues(other, server))) continue;
    if (!same[0]) findings.adds(before, "server", "added", undefined, server.url);
    else findings.adds(before, "server", "values added", same[0].values, server.values);
  }
}

interface Server {
  readonly url: string;
  readonly key: string;
  /** Values of its variables; a variable without a list takes any. */
  readonly values: Readonly<Record<string, readonly unknown[] | undefined>>;
}

function takesValues({ values }: Server, other: Server): boolean {
  return Object.entries(values).every(([name, known]) =>
    known === undefined || other.values[name]?.every((value) => known.includes(value)) === true
  );
}

/** Without servers there is `/` (OpenAPI 3.1, 4.8.1). */
function serversOf({ servers }: OperationIn): readonly Server[] {
  const given: readonly Json[] = Array.isArray(servers) && servers.length > 0
    ? servers
    : [{ url: "/" }];
  const compared = (key: string, value: unknown) => {
    if (key === "description" || key === "enum") return undefined;
    return key === "url" ? String(value).replace(/\/$/, "") : value;
  };
  return given.map((server) => {
    const variables = Object.entries(recordOf(server.variables)).map(([name, variable]) => {
      const values = recordOf(variable).enum;
      return [name, Array.isArray(values) ? values : undefined];
    });
    const values = Object.fromEntries(variables);
    return { url: String(server.url), key: JSON.stringify(server, compared), values };
  });
}

/**
 * What clients of a version of the API lose when the version is removed; `undefined` where the document has no such
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
    .map(({ method, path }) => `${method} ${path}`);
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
