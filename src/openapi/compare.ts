import { compareContent, contentOf } from "./_compare_content.ts";
import { compareResponses } from "./_compare_responses.ts";
import { SchemaComparison } from "./_compare_schemas.ts";
import { compareSecurity } from "./_compare_security.ts";
import { type Found, type Json, type OperationIn, recordOf, schemaOf } from "./_compared.ts";
import { Findings, type OpenApiComparison } from "./_findings.ts";
import { change } from "./_schema_changes.ts";
import { operationsIn, parameterKey } from "./operations.ts";
import { isRecord, sameJson, SchemaReader } from "./schema_form.ts";

export type { OpenApiChange, OpenApiComparison } from "./_findings.ts";

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

function compareParameters(before: OperationIn, after: OperationIn, found: Found): void {
  const [older, newer] = [parametersOf(before), parametersOf(after)];
  for (const [key, parameter] of older) {
    const successor = newer.get(key);
    const where = `${parameter.in} '${parameter.name}'`;
    const add = (what: string, ours: unknown, theirs: unknown) =>
      found.findings.breaks(before, where, change("", what, ours, theirs));
    if (!successor) {
      add("removed", parameter.schema ?? "parameter", undefined);
      continue;
    }
    const isRequired = parameter.required === true;
    if (!isRequired && successor.required === true) add("required now", "optional", "required");
    const comparison = found.input;
    for (const keyword of ["style", "explode", "allowReserved", "content"]) {
      if (parameter[keyword] === undefined && successor[keyword] === undefined) continue;
      const [ours, theirs] = [parameter, successor].map((one) =>
        one[keyword] ?? usual(one, keyword)
      );
      if (!comparison.same(ours, theirs)) add(`${keyword} changed`, ours, theirs);
    }
    const [ours, theirs] = [schemaOf(parameter), schemaOf(successor)];
    found.findings.collect(before, where, comparison.compare(ours, theirs));
    const [old, given] = [before.reader.defaultOf(ours), after.reader.defaultOf(theirs)];
    if (!isRequired && !sameJson(old, given)) add("default changed", old, given);
  }
  for (const [key, parameter] of newer) {
    if (older.has(key)) continue;
    const isRequired = parameter.required === true;
    const what = isRequired ? "required input added" : "added";
    const added = change("", what, undefined, parameter.schema ?? "parameter");
    const where = `${parameter.in} '${parameter.name}'`;
    if (isRequired) found.findings.breaks(before, where, added);
    else found.findings.adds(before, where, added);
  }
}

/** What a parameter says that says nothing of it (OpenAPI 3.1, 4.8.12.2). */
function usual({ in: place, style, content }: Json, keyword: string): unknown {
  if (content !== undefined) return undefined;
  const usualStyle = place === "query" || place === "cookie" ? "form" : "simple";
  if (keyword === "style") return usualStyle;
  if (keyword === "explode") return (style ?? usualStyle) === "form";
  return keyword === "allowReserved" ? false : undefined;
}

/** By place and name; those of the path by where they stand in it. */
function parametersOf({ path, parameters }: OperationIn): ReadonlyMap<string, Json> {
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  return new Map(parameters.map((parameter) => {
    const { in: place, name } = parameter;
    const key = place === "path" ? `path ${names.indexOf(String(name))}` : parameterKey(parameter);
    return [key, parameter];
  }));
}

function compareBodies(before: OperationIn, after: OperationIn, found: Found): void {
  const [ours, theirs] = [before, after].map(({ body, reader }) =>
    body.requestBody === undefined ? undefined : reader.follow(body.requestBody)
  );
  const add = (what: string, old: unknown, given: unknown) =>
    found.findings.breaks(before, "body", change("", what, old, given));
  if (!theirs) {
    if (ours) add("removed", typesOf(ours), undefined);
    return;
  }
  const isRequired = theirs.required === true;
  if (!ours) {
    if (isRequired) add("required input added", undefined, typesOf(theirs));
    else found.findings.adds(before, "body", change("", "added", undefined, typesOf(theirs)));
    return;
  }
  if (isRequired && ours.required !== true) add("required now", "optional", "required");
  compareContent("input", [before, ours], [after, theirs], "body", found);
}

function typesOf(body: Json): string {
  return [...contentOf(body).keys()].join(", ");
}
