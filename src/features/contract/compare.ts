import { Findings, type OpenApiChange, type OpenApiComparison, paired } from "./changes.ts";
import { OperationComparison } from "./compare_operations.ts";
import { SchemaComparison } from "./compare_schemas.ts";
import { readerOf } from "./document.ts";
import { type DescribedOperation, type OperationIn, operationsIn, SchemaReader } from "./reader.ts";
import { isRecord, recordOf } from "./schema_form.ts";

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

/** By method and path, without the names of its variables. */
function operationsOf(reader: SchemaReader, isFull: boolean): Operations {
  return new Map(
    operationsIn(reader).map((operation) => {
      const { method, path, ...others } = isFull ? withFullPath(operation) : operation;
      return [`${method} ${path.replace(/\{[^}]*\}/g, "{}")}`, { method, path, ...others, reader }];
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
function withPathResolved(server: Readonly<Record<string, unknown>>) {
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
