import { Findings, type OpenApiChange, type OpenApiComparison, paired } from "./changes.ts";
import { OperationComparison } from "./compare_operations.ts";
import { SchemaComparison } from "./compare_schemas.ts";
import { type OperationIn, operationsIn, SchemaReader } from "./reader.ts";
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
  const schemas = {
    input: new SchemaComparison("input", ...readers),
    output: new SchemaComparison("output", ...readers),
  };
  for (const [key, ours, theirs] of paired(older, newer)) {
    if (ours && theirs) new OperationComparison(ours, theirs, findings, schemas).run();
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
  return new Map(
    operationsIn(reader).map((operation) => [
      `${operation.method} ${operation.path.replace(/\{[^}]*\}/g, "{}")}`,
      { ...operation, reader },
    ]),
  );
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
