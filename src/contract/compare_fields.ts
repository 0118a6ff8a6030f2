import { pointerToken } from "../text/mod.ts";
import { change, type Changes } from "./changes.ts";
import type { SchemaReader } from "./reader.ts";
import { sameJson, type Schema, type SchemaForm } from "./schema_form.ts";

/** Where objects are compared, and what compares their fields. */
export interface ObjectPlace {
  readonly at: string;
  readonly changes: Changes;
  readonly isInput: boolean;
  readonly fits: (sub: Schema, sup: Schema, at: string, changes: Changes) => void;
}

type Read = readonly [form: SchemaForm, reader: SchemaReader];

/** Whether the objects of the one form are ones of the other. */
export function fieldsFit(
  [ours, subReader]: Read,
  [theirs, supReader]: Read,
  place: ObjectPlace,
): void {
  const { at, changes, isInput, fits } = place;
  // Goes the other way alone, and is required there alone (OpenAPI 3.1, 4.8.24).
  const oneWay = isInput ? "readOnly" : "writeOnly";
  const [sub, sup] = [without(oneWay, ours, subReader), without(oneWay, theirs, supReader)];
  const [before, after] = isInput ? [sub, sup] : [sup, sub];
  const [reader, later] = isInput ? [subReader, supReader] : [supReader, subReader];
  const pointer = (name: string) => `${at}/${pointerToken(name)}`;
  for (const [name, schema] of before.properties) {
    const fresh = after.properties.get(name) ?? fieldsOf(after);
    if (schema === false) continue;
    if (fresh === undefined) {
      // Said of values as well as of the closed object: once is enough.
      changes.breaking.push(change(pointer(name), "removed", schema, "none"));
      continue;
    }
    const [ours, theirs] = isInput ? [schema, fresh] : [fresh, schema];
    fits(ours, theirs, pointer(name), changes);
    if (later.isAnnotated(fresh, oneWay) && !reader.isAnnotated(schema, oneWay)) {
      changes.breaking.push(change(pointer(name), `${oneWay} now`, schema, fresh));
    }
    const [old, given] = [reader.defaultOf(schema), later.defaultOf(fresh)];
    if (isInput && !before.required.has(name) && !sameJson(old, given)) {
      changes.breaking.push(change(pointer(name), "default changed", old, given));
    }
  }
  for (const [name, schema] of after.properties) {
    if (before.properties.has(name)) continue;
    // Whoever had to send it sent whatever it liked.
    const wasSent = isInput && before.required.has(name);
    const known = fieldsOf(before) ?? (wasSent ? true : undefined);
    const [ours, theirs] = isInput ? [known, schema] : [schema, known];
    if (known !== undefined) fits(ours!, theirs!, pointer(name), changes);
    else if (schema !== false && !(isInput && after.required.has(name))) {
      changes.additions.push(change(pointer(name), "added", "none", schema));
    }
  }
  for (const name of sup.required) {
    if (sub.required.has(name)) continue;
    if (isInput) {
      const what = before.properties.has(name) ? "required now" : "required input added";
      changes.breaking.push(change(pointer(name), what, "optional", "required"));
    } else if (
      after.properties.has(name) || !before.properties.has(name) || fieldsOf(after) !== undefined
    ) {
      changes.breaking.push(change(pointer(name), "no longer required", "required", "optional"));
    }
  }
  if (isInput || fieldsOf(sup) !== undefined) othersFit(sub, sup, place);
}

/** The form with those fields optional that have an annotation. */
function without(keyword: string, form: SchemaForm, reader: SchemaReader): SchemaForm {
  const isAsked = (name: string) => !reader.isAnnotated(form.properties.get(name), keyword);
  return { ...form, required: new Set([...form.required].filter(isAsked)) };
}

/** What is said of fields that have no name in the schema. */
function othersFit(sub: SchemaForm, sup: SchemaForm, place: ObjectPlace): void {
  const { at, changes, isInput, fits } = place;
  if (sub.additional === false || sup.additional === true) return;
  if (sup.additional === false) {
    const [before, after] = isInput ? [sub.additional, false] : [false, sub.additional];
    changes.breaking.push(change(at, "additionalProperties refused", before, after));
  } else fits(sub.additional, sup.additional, `${at}/*`, changes);
}

/** The schema of fields without a name of their own, where there is one that says anything. */
function fieldsOf({ additional }: SchemaForm): Schema | undefined {
  return typeof additional === "boolean" ? undefined : additional;
}
