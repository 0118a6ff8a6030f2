import { change, SchemaComparison, type SchemaDifferences } from "./_compare_schemas.ts";
import { compareSecurity } from "./_compare_security.ts";
import { isRecord, isSchema, sameJson, type Schema, SchemaReader } from "./schema_form.ts";
import type { Direction } from "./types.ts";

/** One difference between two documents. */
export interface OpenApiChange {
  /** In upper case, such as `GET`. */
  readonly method: string;
  /** As the older document has it, such as `/users/{id}`. */
  readonly path: string;
  /** Which part: `query 'limit'`, `body application/json /name`, `200 application/json /data/email`. */
  readonly where: string;
  /** What happened to it, such as `removed` or `type narrowed`. */
  readonly what: string;
  /** What the older document says, in short; `none` where that is nothing. */
  readonly before: string;
  /** What the newer one says. */
  readonly after: string;
}

/** What two documents differ in. */
export interface OpenApiComparison {
  /** What may break a client that was written for the older one. */
  readonly breaking: readonly OpenApiChange[];
  /** What is new, and asks nothing of such a client. */
  readonly additions: readonly OpenApiChange[];
}

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
  const breaking: OpenApiChange[] = [];
  const additions: OpenApiChange[] = [];
  const found: Found = {
    breaking,
    additions,
    input: new SchemaComparison("input", ...readers),
    output: new SchemaComparison("output", ...readers),
  };
  for (const [key, operation] of older) {
    const successor = newer.get(key);
    if (successor) compareOperations(operation, successor, found);
    else {
      const gone = change("", "removed", operation.body.operationId ?? key, undefined);
      found.breaking.push(at(operation, "operation", gone));
    }
  }
  for (const [key, operation] of newer) {
    if (older.has(key)) continue;
    const added = change("", "added", undefined, operation.body.operationId ?? key);
    found.additions.push(at(operation, "operation", added));
  }
  return { breaking, additions };
}

type Json = Readonly<Record<string, unknown>>;

/** What was found so far, and what compares the schemas of all operations, which they share. */
interface Found {
  readonly breaking: OpenApiChange[];
  readonly additions: OpenApiChange[];
  readonly input: SchemaComparison;
  readonly output: SchemaComparison;
}

type Operations = ReadonlyMap<string, OperationIn>;

/** An operation with the document that it stands in. */
interface OperationIn {
  readonly method: string;
  readonly path: string;
  readonly body: Json;
  /** With those of its path. */
  readonly parameters: readonly Json[];
  readonly document: Json;
  readonly reader: SchemaReader;
}

/** What names and numbers of methods are (OpenAPI 3.1, 4.8.9). */
const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

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
  const operations = new Map<string, OperationIn>();
  for (const [path, value] of Object.entries(isRecord(document.paths) ? document.paths : {})) {
    const item = reader.follow(value);
    for (const method of METHODS) {
      const body = item[method];
      if (!isRecord(body)) continue;
      const parameters = [...listOf(item.parameters), ...listOf(body.parameters)]
        .map((parameter) => reader.follow(parameter));
      const own = { method: method.toUpperCase(), path, body, parameters, document, reader };
      operations.set(`${own.method} ${path.replace(/\{[^}]*\}/g, "{}")}`, own);
    }
  }
  return operations;
}

function compareOperations(before: OperationIn, after: OperationIn, found: Found): void {
  const pair = [before, after] as const;
  compareParameters(...pair, found);
  compareBodies(...pair, found);
  compareResponses(...pair, found);
  const security = compareSecurity(
    { operation: before.body, document: before.document },
    { operation: after.body, document: after.document },
  );
  if (security) found.breaking.push(at(before, "security", security));
  const comparison = found.output;
  if (!comparison.same(before.body.callbacks, after.body.callbacks)) {
    const { callbacks } = before.body;
    found.breaking.push(
      at(before, "callbacks", change("", "changed", callbacks, after.body.callbacks)),
    );
  }
}

function compareParameters(before: OperationIn, after: OperationIn, found: Found): void {
  const [older, newer] = [parametersOf(before), parametersOf(after)];
  for (const [key, parameter] of older) {
    const successor = newer.get(key);
    const where = `${parameter.in} '${parameter.name}'`;
    const add = (what: string, ours: unknown, theirs: unknown) =>
      found.breaking.push(at(before, where, change("", what, ours, theirs)));
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
    collect(before, where, comparison.compare(ours, theirs), found);
    const [old, given] = [before.reader.defaultOf(ours), after.reader.defaultOf(theirs)];
    if (!isRequired && !sameJson(old, given)) add("default changed", old, given);
  }
  for (const [key, parameter] of newer) {
    if (older.has(key)) continue;
    const isRequired = parameter.required === true;
    const what = isRequired ? "required input added" : "added";
    const added = change("", what, undefined, parameter.schema ?? "parameter");
    const where = `${parameter.in} '${parameter.name}'`;
    (isRequired ? found.breaking : found.additions).push(at(before, where, added));
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

/** By place and name; those of the path by where they stand in it, and names of headers in lower case. */
function parametersOf({ path, parameters }: OperationIn): ReadonlyMap<string, Json> {
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  return new Map(parameters.map((parameter) => {
    const name = String(parameter.name);
    if (parameter.in === "path") return [`path ${names.indexOf(name)}`, parameter];
    const key = parameter.in === "header" ? name.toLowerCase() : name;
    return [`${parameter.in} ${key}`, parameter];
  }));
}

function compareBodies(before: OperationIn, after: OperationIn, found: Found): void {
  const [ours, theirs] = [before, after].map(({ body, reader }) =>
    body.requestBody === undefined ? undefined : reader.follow(body.requestBody)
  );
  const add = (what: string, old: unknown, given: unknown, list = found.breaking) =>
    list.push(at(before, "body", change("", what, old, given)));
  if (!theirs) {
    if (ours) add("removed", typesOf(ours), undefined);
    return;
  }
  const isRequired = theirs.required === true;
  if (!ours) {
    if (isRequired) add("required input added", undefined, typesOf(theirs));
    else add("added", undefined, typesOf(theirs), found.additions);
    return;
  }
  if (isRequired && ours.required !== true) add("required now", "optional", "required");
  compareContent("input", [before, ours], [after, theirs], "body", found);
}

function compareResponses(before: OperationIn, after: OperationIn, found: Found): void {
  const [older, newer] = [recordOf(before.body.responses), recordOf(after.body.responses)];
  for (const [status, response] of Object.entries(older)) {
    const ours = before.reader.follow(response);
    if (newer[status] === undefined) {
      found.breaking.push(
        at(before, status, change("", "removed", ours.description ?? status, undefined)),
      );
      continue;
    }
    compareResponse([before, ours], [after, after.reader.follow(newer[status])], status, found);
  }
  for (const [status, response] of Object.entries(newer)) {
    if (older[status] !== undefined) continue;
    const theirs = after.reader.follow(response);
    const general = older[`${status[0]}XX`] ?? (/^[45]/.test(status) ? older.default : undefined);
    const added = change("", "added", undefined, theirs.description ?? status);
    const withBody = Object.keys(older).find((known) =>
      /^2/.test(known) && contentOf(before.reader.follow(older[known])).size > 0
    );
    // Who reads the body of every answer finds none.
    if (/^20[45]$/.test(status) && withBody) {
      found.breaking.push(at(before, status, change("", "changed", withBody, status)));
    } else found.additions.push(at(before, status, added));
    // What was not said of this status was said of all.
    if (general === undefined) continue;
    compareResponse([before, before.reader.follow(general)], [after, theirs], status, found);
  }
}

type Owned = readonly [OperationIn, Json];

function compareResponse(before: Owned, after: Owned, status: string, found: Found): void {
  compareContent("output", before, after, status, found);
  const [[operation, ours], [, theirs]] = [before, after];
  const headers = new Map(
    Object.entries(recordOf(theirs.headers)).map(([name, header]) => [name.toLowerCase(), header]),
  );
  for (const [name, header] of Object.entries(recordOf(ours.headers))) {
    const where = `${status} header '${name}'`;
    const old = operation.reader.follow(header);
    const given = headers.get(name.toLowerCase());
    if (given === undefined) {
      found.breaking.push(at(operation, where, change("", "removed", old.schema, undefined)));
      continue;
    }
    const successor = after[0].reader.follow(given);
    if (old.required === true && successor.required !== true) {
      const what = "no longer required";
      found.breaking.push(at(operation, where, change("", what, "required", "optional")));
    }
    const comparison = found.output;
    collect(operation, where, comparison.compare(schemaOf(old), schemaOf(successor)), found);
  }
}

/** Bodies of the same media type. */
function compareContent(
  direction: Direction,
  [before, ours]: Owned,
  [, theirs]: Owned,
  where: string,
  found: Found,
): void {
  const [older, newer] = [contentOf(ours), contentOf(theirs)];
  for (const [type, media] of older) {
    const successor = newer.get(type);
    const place = `${where} ${type}`;
    if (!successor) {
      found.breaking.push(
        at(before, place, change("", "removed", type, [...newer.keys()].join(", ") || undefined)),
      );
      continue;
    }
    const comparison = found[direction];
    collect(before, place, comparison.compare(schemaOf(media), schemaOf(successor)), found);
    if (!comparison.same(media.encoding, successor.encoding)) {
      const changed = change("", "encoding changed", media.encoding, successor.encoding);
      found.breaking.push(at(before, place, changed));
    }
  }
  for (const type of newer.keys()) {
    if (older.has(type)) continue;
    found.additions.push(at(before, `${where} ${type}`, change("", "added", undefined, type)));
  }
}

/** By media type, which has no upper case and no blanks here; JSON is UTF-8 anyway (RFC 8259, 8.1). */
function contentOf({ content }: Json): ReadonlyMap<string, Json> {
  return new Map(
    Object.entries(recordOf(content)).map((
      [type, media],
    ) => [
      type.toLowerCase().replace(/\s/g, "").replace(/^([^;]*[/+]json);charset="?utf-8"?$/, "$1"),
      recordOf(media),
    ]),
  );
}

function collect(
  operation: OperationIn,
  where: string,
  { breaking, additions }: SchemaDifferences,
  found: Found,
): void {
  found.breaking.push(...breaking.map((one) => at(operation, where, one)));
  found.additions.push(...additions.map((one) => at(operation, where, one)));
}

function at(
  { method, path }: OperationIn,
  where: string,
  { pointer, what, before, after }: SchemaDifferences["breaking"][number],
): OpenApiChange {
  return {
    method,
    path,
    where: pointer === "" ? where : `${where} ${pointer}`,
    what,
    before,
    after,
  };
}

function schemaOf({ schema }: Json): Schema {
  return isSchema(schema) ? schema : true;
}

function typesOf(body: Json): string {
  return [...contentOf(body).keys()].join(", ");
}

function recordOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
