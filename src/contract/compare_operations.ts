import type { Direction } from "../schema/mod.ts";
import { essence, isJson, PROBLEM_JSON } from "../text/mod.ts";
import { type Findings, paired } from "./changes.ts";
import type { SchemaComparison } from "./compare_schemas.ts";
import { type DescribedOperation, parameterKey, type SchemaReader } from "./reader.ts";
import { isSchema, recordOf, sameJson, type Schema } from "./schema_form.ts";

export type Json = Readonly<Record<string, unknown>>;

export interface OperationIn extends DescribedOperation {
  readonly document: Json;
  readonly reader: SchemaReader;
}

type Owned = readonly [operation: OperationIn, part: Json];

export interface Found {
  readonly findings: Findings;
  readonly input: SchemaComparison;
  readonly output: SchemaComparison;
}

/** Compares parameters by place and name; those of the path by their position. */
export function compareParameters(before: OperationIn, after: OperationIn, found: Found): void {
  const { findings } = found;
  for (const [, ours, theirs] of paired(parametersOf(before), parametersOf(after))) {
    const { in: place, name } = (ours ?? theirs)!;
    const where = `${place} '${name}'`;
    if (ours && theirs) compareParameter([before, ours], [after, theirs], where, found);
    else if (ours) findings.breaks(before, where, "removed", ours.schema ?? "parameter");
    else addInput(before, where, theirs?.required, theirs?.schema ?? "parameter", findings);
  }
}

function addInput(
  before: OperationIn,
  where: string,
  required: unknown,
  text: unknown,
  findings: Findings,
): void {
  if (required !== true) findings.adds(before, where, "added", undefined, text);
  else findings.breaks(before, where, "required input added", undefined, text);
}

function compareParameter(
  [before, parameter]: Owned,
  [after, successor]: Owned,
  where: string,
  { findings, input }: Found,
): void {
  const add = (what: string, old: unknown, given: unknown) =>
    findings.breaks(before, where, what, old, given);
  const isRequired = parameter.required === true;
  if (!isRequired && successor.required === true) add("required now", "optional", "required");
  for (const keyword of ["style", "explode", "allowReserved", "content"]) {
    if (parameter[keyword] === undefined && successor[keyword] === undefined) continue;
    const [old, given] = [parameter, successor].map((one) =>
      one[keyword] ?? defaultOf(one, keyword)
    );
    if (!input.same(old, given)) add(`${keyword} changed`, old, given);
  }
  const [ours, theirs] = [schemaOf(parameter), schemaOf(successor)];
  findings.collect(before, where, input.compare(ours, theirs));
  const [old, given] = [before.reader.defaultOf(ours), after.reader.defaultOf(theirs)];
  if (!isRequired && !sameJson(old, given)) add("default changed", old, given);
}

/** The default of a member of a parameter (OpenAPI 3.1, 4.8.12.2). */
function defaultOf({ in: place, style, content }: Json, keyword: string): unknown {
  if (content !== undefined) return undefined;
  const defaultStyle = place === "query" || place === "cookie" ? "form" : "simple";
  if (keyword === "style") return defaultStyle;
  if (keyword === "explode") return (style ?? defaultStyle) === "form";
  return keyword === "allowReserved" ? false : undefined;
}

function parametersOf({ path, parameters }: OperationIn): ReadonlyMap<string, Json> {
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  return new Map(parameters.map((parameter) => {
    const { in: place, name } = parameter;
    const key = place === "path" ? `path ${names.indexOf(String(name))}` : parameterKey(parameter);
    return [key, parameter];
  }));
}

export function compareBodies(before: OperationIn, after: OperationIn, found: Found): void {
  const { findings } = found;
  const [ours, theirs] = [before, after].map(({ body, reader }) =>
    body.requestBody === undefined ? undefined : reader.follow(body.requestBody)
  );
  const typesOf = (body: Json) => [...contentOf(body).keys()].join(", ");
  if (!theirs) {
    if (ours) findings.breaks(before, "body", "removed", typesOf(ours));
    return;
  }
  if (!ours) return addInput(before, "body", theirs.required, typesOf(theirs), findings);
  if (theirs.required === true && ours.required !== true) {
    findings.breaks(before, "body", "required now", "optional", "required");
  }
  compareContent("input", [before, ours], [after, theirs], "body", found);
}

function compareContent(
  direction: Direction,
  [before, ours]: Owned,
  [, theirs]: Owned,
  where: string,
  found: Found,
): void {
  const { findings, [direction]: comparison } = found;
  const [older, newer] = [contentOf(ours), contentOf(theirs)];
  for (const [type, media, successor] of paired(older, newer)) {
    const place = `${where} ${type}`;
    if (!media) findings.adds(before, place, "added", undefined, type);
    else if (!successor) {
      findings.breaks(before, place, "removed", type, [...newer.keys()].join(", ") || undefined);
    } else {
      findings.collect(before, place, comparison.compare(schemaOf(media), schemaOf(successor)));
      const [old, given] = [media.encoding, successor.encoding];
      if (!comparison.same(old, given)) {
        findings.breaks(before, place, "encoding changed", old, given);
      }
    }
  }
}

/** By media type in one spelling; JSON is always UTF-8 (RFC 8259, 8.1). */
function contentOf({ content }: Json): ReadonlyMap<string, Json> {
  return new Map(
    Object.entries(recordOf(content)).map(([type, media]) => {
      const plain = type.toLowerCase().replace(/\s/g, "");
      const isUtf8 = isJson(plain) && /;charset="?utf-8"?$/.test(plain);
      return [isUtf8 ? essence(plain) : plain, recordOf(media)];
    }),
  );
}

function schemaOf({ schema }: Json): Schema {
  return isSchema(schema) ? schema : true;
}

export function compareResponses(before: OperationIn, after: OperationIn, found: Found): void {
  const [older, newer] = [responsesOf(before), responsesOf(after)];
  for (const [status, ours, theirs] of paired(older, newer)) {
    if (ours && theirs) compareResponse([before, ours], [after, theirs], status, found);
    else if (ours) found.findings.breaks(before, status, "removed", ours.description ?? status);
    else if (theirs) addResponse([before, older], [after, theirs], status, found);
  }
}

type Responses = ReadonlyMap<string, Json>;

function responsesOf({ body, reader }: OperationIn): Responses {
  const all = Object.entries(recordOf(body.responses));
  return new Map(all.map(([status, response]) => [status, reader.follow(response)]));
}

function addResponse(
  [before, older]: readonly [OperationIn, Responses],
  [after, theirs]: Owned,
  status: string,
  found: Found,
): void {
  const other = /^[45]/.test(status) ? older.get("default") : undefined;
  const general = older.get(`${status[0]}XX`) ?? other;
  const isBreaking = general === undefined && /^2/.test(status) &&
    compareSuccess([before, older], theirs, status, found);
  const text = theirs.description ?? status;
  if (!isBreaking) found.findings.adds(before, status, "added", undefined, text);
  if (general === undefined) return;
  // Clients that read problem details of any error can read those of a declared one (RFC 9457, 3.2).
  const areProblems = general === older.get("default") &&
    [general, theirs].every((response) => contentOf(response).has(PROBLEM_JSON));
  if (!areProblems) compareResponse([before, general], [after, theirs], status, found);
}

/**
 * Compares the bodies of a new success with those of all others, as clients read them alike.
 *
 * @returns whether the status itself is breaking, as it has none of the known media types
 */
function compareSuccess(
  [before, older]: readonly [OperationIn, Responses],
  response: Json,
  status: string,
  { findings, output }: Found,
): boolean {
  const known = [...older].filter(([other]) => /^2/.test(other))
    .map(([other, one]) => bodiesOf(other, one));
  const schemas = Map.groupBy(known.flatMap((bodies) => [...bodies]), ([type]) => type);
  const given = bodiesOf(status, response);
  const shared = [...given].filter(([type]) => schemas.has(type));
  for (const [type, media] of shared) {
    const [first = true, ...others] = schemas.get(type)!.map(([, media]) => schemaOf(media));
    const union = others.length === 0 ? first : { anyOf: [first, ...others] };
    findings.collect(before, `${status} ${type}`, output.compare(union, schemaOf(media)));
  }
  const isKnown = given.size > 0 ? shared.length > 0 : known.some(({ size }) => size === 0);
  if (schemas.size === 0 || isKnown) return false;
  const [old, text] = [schemas, given].map((types) => [...types.keys()].join(", ") || "no body");
  findings.breaks(before, status, "changed", old, text);
  return true;
}

/** Bodies by media type; 204 and 205 never have one (RFC 9110, 15.3.5 and 15.3.6). */
function bodiesOf(status: string, response: Json): ReadonlyMap<string, Json> {
  return status === "204" || status === "205" ? new Map() : contentOf(response);
}

function compareResponse(before: Owned, after: Owned, status: string, found: Found): void {
  compareContent("output", before, after, status, found);
  const { findings, output } = found;
  const [operation] = before;
  const successors = new Map(
    headersOf(after).map(([name, header]) => [name.toLowerCase(), header]),
  );
  for (const [name, header] of headersOf(before)) {
    const where = `${status} header '${name}'`;
    const successor = successors.get(name.toLowerCase());
    if (successor === undefined) findings.breaks(operation, where, "removed", header.schema);
    else {
      if (header.required === true && successor.required !== true) {
        findings.breaks(operation, where, "no longer required", "required", "optional");
      }
      findings.collect(operation, where, output.compare(schemaOf(header), schemaOf(successor)));
    }
  }
}

function headersOf([{ reader }, { headers }]: Owned): readonly (readonly [string, Json])[] {
  return Object.entries(recordOf(headers)).map(([name, header]) => [name, reader.follow(header)]);
}
