import { pointerToken } from "../../text/mod.ts";
import { addition, breaking, type Change, paired } from "./changes.ts";
import type { SchemaReader } from "./reader.ts";
import { sameJson, type Schema, type SchemaForm } from "./schema_form.ts";

type Side = readonly [form: SchemaForm, reader: SchemaReader];
type Fits = (sub: Schema, sup: Schema, at: string) => readonly Change[];

export function fieldChanges(
  [sub, sup]: readonly [sub: Side, sup: Side],
  isInput: boolean,
  fits: Fits,
): readonly Change[] {
  // Marks fields that are only sent, and only required, in the other direction (OpenAPI 3.1, 4.8.24).
  const oneWay = isInput ? "readOnly" : "writeOnly";
  const [[older, reader], [newer, later]] = isInput ? [sub, sup] : [sup, sub];
  const [before, after] = [requiredOf(older, reader, oneWay), requiredOf(newer, later, oneWay)];
  const changes: Change[] = [];
  const add = (name: string, what: string, old: unknown, given: unknown) =>
    void changes.push(breaking(pointerTo(name), what, old, given));
  const compare = (name: string, old: Schema, given: Schema) => {
    const [one, other] = isInput ? [old, given] : [given, old];
    changes.push(...fits(one, other, pointerTo(name)));
  };
  for (const [name, old, given] of paired(older.properties, newer.properties)) {
    const successor = given ?? othersOf(newer);
    if (old === undefined) compareNew(name, given!);
    else if (old === false) continue;
    else if (successor === undefined) add(name, "removed", old, "none");
    else compareKnown(name, old, successor);
  }
  for (const name of isInput ? after.difference(before) : before.difference(after)) {
    const isKnown = older.properties.has(name);
    if (isInput) {
      add(name, isKnown ? "required now" : "required input added", "optional", "required");
    } else if (newer.properties.has(name) || !isKnown || othersOf(newer) !== undefined) {
      add(name, "no longer required", "required", "optional");
    }
  }
  return [...changes, ...otherChanges(sub[0].additional, sup[0].additional, isInput, fits)];

  function compareKnown(name: string, old: Schema, given: Schema): void {
    compare(name, old, given);
    if (later.isAnnotated(given, oneWay) && !reader.isAnnotated(old, oneWay)) {
      add(name, `${oneWay} now`, old, given);
    }
    const [value, successor] = [reader.defaultOf(old), later.defaultOf(given)];
    if (isInput && !before.has(name) && !sameJson(value, successor)) {
      add(name, "default changed", value, successor);
    }
  }

  function compareNew(name: string, given: Schema): void {
    // Clients that had to send a field without a schema sent any value.
    const known = othersOf(older) ?? (isInput && before.has(name) ? true : undefined);
    if (known !== undefined) compare(name, known, given);
    else if (given !== false && !(isInput && after.has(name))) {
      changes.push(addition(pointerTo(name), "added", "none", given));
    }
  }
}

function otherChanges(ours: Schema, theirs: Schema, isInput: boolean, fits: Fits) {
  if (ours === false || theirs === true) return [];
  if (theirs !== false) return fits(ours, theirs, "/*");
  return isInput ? [breaking("", "additionalProperties refused", ours, false)] : [];
}

function requiredOf(form: SchemaForm, reader: SchemaReader, oneWay: string): ReadonlySet<string> {
  const { required, properties } = form;
  return new Set([...required].filter((name) => !reader.isAnnotated(properties.get(name), oneWay)));
}

function pointerTo(name: string): string {
  return `/${pointerToken(name)}`;
}

function othersOf({ additional }: SchemaForm): Schema | undefined {
  return typeof additional === "boolean" ? undefined : additional;
}
