import { pointerToken } from "../text/mod.ts";
import { change, type Changes, paired } from "./changes.ts";
import type { SchemaReader } from "./reader.ts";
import { sameJson, type Schema, type SchemaForm } from "./schema_form.ts";

export interface ObjectPlace {
  readonly at: string;
  readonly changes: Changes;
  readonly isInput: boolean;
  readonly fits: (sub: Schema, sup: Schema, at: string, changes: Changes) => void;
}

export type Side = readonly [form: SchemaForm, reader: SchemaReader];

export function fieldsFit(sub: Side, sup: Side, place: ObjectPlace): void {
  const { isInput } = place;
  // Such fields are only sent in the other direction, and only required there (OpenAPI 3.1, 4.8.24).
  const oneWay = isInput ? "readOnly" : "writeOnly";
  const [ours, theirs] = [withOptional(oneWay, sub), withOptional(oneWay, sup)];
  const [before, after] = isInput ? [ours, theirs] : [theirs, ours];
  const [[older], [newer]] = [before, after];
  for (const [name, old, given] of paired(older.properties, newer.properties)) {
    const known = given ?? othersOf(newer);
    if (old === undefined) compareNew(name, given!, older, newer, place);
    else if (old === false) continue;
    else if (known === undefined) add(place, name, "removed", old, "none");
    else compareKnown([name, oneWay], [old, before], [known, after], place);
  }
  for (const name of theirs[0].required.difference(ours[0].required)) {
    compareRequired(name, older, newer, place);
  }
  if (isInput || othersOf(theirs[0]) !== undefined) compareOthers(ours[0], theirs[0], place);
}

function withOptional(keyword: string, [form, reader]: Side): Side {
  const isAsked = (name: string) => !reader.isAnnotated(form.properties.get(name), keyword);
  return [{ ...form, required: new Set([...form.required].filter(isAsked)) }, reader];
}

function add({ at, changes }: ObjectPlace, name: string, ...rest: [string, unknown, unknown]) {
  changes.breaking.push(change(`${at}/${pointerToken(name)}`, ...rest));
}

function compareKnown(
  [name, oneWay]: readonly [name: string, oneWay: string],
  [schema, [form, reader]]: readonly [Schema, Side],
  [successor, [, later]]: readonly [Schema, Side],
  place: ObjectPlace,
): void {
  const { at, changes, isInput, fits } = place;
  const [ours, theirs] = isInput ? [schema, successor] : [successor, schema];
  fits(ours, theirs, `${at}/${pointerToken(name)}`, changes);
  if (later.isAnnotated(successor, oneWay) && !reader.isAnnotated(schema, oneWay)) {
    add(place, name, `${oneWay} now`, schema, successor);
  }
  const [old, given] = [reader.defaultOf(schema), later.defaultOf(successor)];
  if (isInput && !form.required.has(name) && !sameJson(old, given)) {
    add(place, name, "default changed", old, given);
  }
}

function compareNew(
  name: string,
  schema: Schema,
  older: SchemaForm,
  newer: SchemaForm,
  { at, changes, isInput, fits }: ObjectPlace,
): void {
  const pointer = `${at}/${pointerToken(name)}`;
  // Clients that had to send a field without a schema sent any value.
  const wasSent = isInput && older.required.has(name);
  const known = othersOf(older) ?? (wasSent ? true : undefined);
  if (known !== undefined) {
    const [ours, theirs] = isInput ? [known, schema] : [schema, known];
    fits(ours, theirs, pointer, changes);
  } else if (schema !== false && !(isInput && newer.required.has(name))) {
    changes.additions.push(change(pointer, "added", "none", schema));
  }
}

/** Compares a field that only the form `sup` requires. */
function compareRequired(
  name: string,
  older: SchemaForm,
  newer: SchemaForm,
  place: ObjectPlace,
): void {
  const wasKnown = older.properties.has(name);
  if (place.isInput) {
    const what = wasKnown ? "required now" : "required input added";
    add(place, name, what, "optional", "required");
  } else if (newer.properties.has(name) || !wasKnown || othersOf(newer) !== undefined) {
    add(place, name, "no longer required", "required", "optional");
  }
}

function compareOthers(sub: SchemaForm, sup: SchemaForm, place: ObjectPlace): void {
  const { at, changes, isInput, fits } = place;
  if (sub.additional === false || sup.additional === true) return;
  if (sup.additional === false) {
    const [before, after] = isInput ? [sub.additional, false] : [false, sub.additional];
    changes.breaking.push(change(at, "additionalProperties refused", before, after));
  } else fits(sub.additional, sup.additional, `${at}/*`, changes);
}

function othersOf({ additional }: SchemaForm): Schema | undefined {
  return typeof additional === "boolean" ? undefined : additional;
}
