import { compareContent, contentOf } from "./_compare_content.ts";
import {
  type Found,
  type Json,
  type OperationIn,
  type Owned,
  recordOf,
  schemaOf,
} from "./_compared.ts";
import { PROBLEM_JSON } from "../text/mod.ts";
import { change } from "./_schema_changes.ts";
import type { Schema } from "./schema_form.ts";

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
