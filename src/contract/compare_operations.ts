import type { Direction } from "../schema/mod.ts";
import { essence, isJson, PROBLEM_JSON } from "../text/mod.ts";
import { change, type Findings } from "./changes.ts";
import type { SchemaComparison } from "./compare_schemas.ts";
import { type DescribedOperation, parameterKey, type SchemaReader } from "./reader.ts";
import { isSchema, recordOf, sameJson, type Schema } from "./schema_form.ts";

/** Compares parameters by place and name. */
export function compareParameters(before: OperationIn, after: OperationIn, found: Found): void {
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

/** Compares the bodies of requests. */
export function compareBodies(before: OperationIn, after: OperationIn, found: Found): void {
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

/** Compares what is answered, by status. */
export function compareResponses(before: OperationIn, after: OperationIn, found: Found): void {
  const [older, newer] = [recordOf(before.body.responses), recordOf(after.body.responses)];
  for (const [status, response] of Object.entries(older)) {
    const ours = before.reader.follow(response);
    const gone = change("", "removed", ours.description ?? status, undefined);
    if (newer[status] === undefined) found.findings.breaks(before, status, gone);
    else {compareResponse(
        [before, ours],
        [after, after.reader.follow(newer[status])],
        status,
        found,
      );}
  }
  for (const [status, response] of Object.entries(newer)) {
    if (older[status] !== undefined) continue;
    const theirs = after.reader.follow(response);
    const general = older[`${status[0]}XX`] ?? (/^[45]/.test(status) ? older.default : undefined);
    const isBreak = general === undefined && /^2/.test(status) &&
      compareSuccess(before, theirs, status, found);
    const added = change("", "added", undefined, theirs.description ?? status);
    if (!isBreak) found.findings.adds(before, status, added);
    // What was not said of this status was said of all.
    if (general === undefined) continue;
    const ours = before.reader.follow(general);
    const areProblems = general === older.default && isProblem(ours) && isProblem(theirs);
    if (!areProblems) compareResponse([before, ours], [after, theirs], status, found);
  }
}

/** Clients that read problem details of any error can read those of one that is declared (RFC 9457, 3.2). */
function isProblem(response: Json): boolean {
  return contentOf(response).has(PROBLEM_JSON);
}

/**
 * Compares the bodies of a further success with those of all others: clients read them alike. Where nothing was said of
 * bodies, anything may come.
 *
 * @returns whether the status itself is a break, as none of its bodies is one that was known
 */
function compareSuccess(
  before: OperationIn,
  response: Json,
  status: string,
  found: Found,
): boolean {
  const known = Object.entries(recordOf(before.body.responses))
    .filter(([other]) => /^2/.test(other))
    .map(([other, one]) => bodiesOf(other, before.reader.follow(one)));
  const schemas = new Map<string, Schema[]>();
  for (const [type, media] of known.flatMap((bodies) => [...bodies])) {
    schemas.set(type, [...schemas.get(type) ?? [], schemaOf(media)]);
  }
  const given = bodiesOf(status, response);
  const shared = [...given].filter(([type]) => schemas.has(type));
  for (const [type, media] of shared) {
    const [first = true, ...others] = schemas.get(type) ?? [];
    const union = others.length === 0 ? first : { anyOf: [first, ...others] };
    const differences = found.output.compare(union, schemaOf(media));
    found.findings.collect(before, `${status} ${type}`, differences);
  }
  const isKnown = given.size > 0 ? shared.length > 0 : known.some(({ size }) => size === 0);
  if (schemas.size === 0 || isKnown) return false;
  const text = [...given.keys()].join(", ") || "no body";
  found.findings.breaks(
    before,
    status,
    change("", "changed", [...schemas.keys()].join(", "), text),
  );
  return true;
}

/** Bodies by media type; statuses that never have one have none (RFC 9110, 15.3.5 and 15.3.6). */
function bodiesOf(status: string, response: Json): ReadonlyMap<string, Json> {
  return status === "204" || status === "205" ? new Map() : contentOf(response);
}

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
      const removed = change("", "removed", old.schema, undefined);
      found.findings.breaks(operation, where, removed);
      continue;
    }
    const successor = after[0].reader.follow(given);
    if (old.required === true && successor.required !== true) {
      const optional = change("", "no longer required", "required", "optional");
      found.findings.breaks(operation, where, optional);
    }
    const differences = found.output.compare(schemaOf(old), schemaOf(successor));
    found.findings.collect(operation, where, differences);
  }
}

/** Compares bodies of the same media type. */
export function compareContent(
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
      const removed = change("", "removed", type, [...newer.keys()].join(", ") || undefined);
      found.findings.breaks(before, place, removed);
      continue;
    }
    const comparison = found[direction];
    found.findings.collect(
      before,
      place,
      comparison.compare(schemaOf(media), schemaOf(successor)),
    );
    if (!comparison.same(media.encoding, successor.encoding)) {
      const changed = change("", "encoding changed", media.encoding, successor.encoding);
      found.findings.breaks(before, place, changed);
    }
  }
  for (const type of newer.keys()) {
    if (older.has(type)) continue;
    found.findings.adds(before, `${where} ${type}`, change("", "added", undefined, type));
  }
}

/** By media type, which has no upper case and no blanks here; JSON is UTF-8 anyway (RFC 8259, 8.1). */
export function contentOf({ content }: Json): ReadonlyMap<string, Json> {
  return new Map(
    Object.entries(recordOf(content)).map(([type, media]) => {
      const plain = type.toLowerCase().replace(/\s/g, "");
      const isUtf8 = isJson(plain) && /;charset="?utf-8"?$/.test(plain);
      return [isUtf8 ? essence(plain) : plain, recordOf(media)];
    }),
  );
}

/** An object of a document. */
export type Json = Readonly<Record<string, unknown>>;

/** An operation with the document that it stands in. */
export interface OperationIn extends DescribedOperation {
  readonly document: Json;
  readonly reader: SchemaReader;
}

/** A part of an operation, with the operation. */
export type Owned = readonly [operation: OperationIn, part: Json];

/** What was found so far, and what compares the schemas of all operations, which they share. */
export interface Found {
  readonly findings: Findings;
  readonly input: SchemaComparison;
  readonly output: SchemaComparison;
}

/** The schema of a parameter, a header or a body. */
export function schemaOf({ schema }: Json): Schema {
  return isSchema(schema) ? schema : true;
}
