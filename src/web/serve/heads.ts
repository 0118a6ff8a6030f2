import type { AddedFields } from "../../http/mod.ts";
import { Head, JSON_FIELDS, NO_STORE } from "../../runtime/web.ts";

/** What JSON is sent with: to anybody, and to a user, whose answers shared caches must not store. */
export interface Heads {
  readonly plain: Head;
  readonly ofUser: Head;
}

export function headsWith(added: AddedFields): Heads {
  const found = known.get(added) ?? {
    plain: headOf(JSON_FIELDS, added),
    ofUser: headOf({ ...JSON_FIELDS, ...NO_STORE }, added),
  };
  known.set(added, found);
  return found;
}

const known = new WeakMap<AddedFields, Heads>();

function headOf(own: Readonly<Record<string, string>>, added: AddedFields): Head {
  const all = new Map(Object.entries(own).map((field) => [field[0].toLowerCase(), field]));
  for (const [name, value] of Object.entries(added)) {
    if (value === null) all.delete(name.toLowerCase());
    else all.set(name.toLowerCase(), [name, value]);
  }
  return new Head(Object.fromEntries(all.values()));
}
