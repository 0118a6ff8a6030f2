import type { AddedFields } from "../types.ts";
import { type Head, JSON_FIELDS, NO_STORE, responsesWith } from "../../runtime/web.ts";

/** The heads of JSON: for any client, and for a user, whose answers shared caches must not store. */
export function headsWith(added: AddedFields): { readonly plain: Head; readonly ofUser: Head } {
  const found = known.get(added) ?? {
    plain: headOf(JSON_FIELDS, added),
    ofUser: headOf({ ...JSON_FIELDS, ...NO_STORE }, added),
  };
  known.set(added, found);
  return found;
}

const known = new WeakMap<AddedFields, ReturnType<typeof headsWith>>();

/** Names are those of the standards, in the same letters everywhere. */
function headOf(own: Readonly<Record<string, string>>, added: AddedFields): Head {
  const all = Object.entries({ ...own, ...added }).filter(([, value]) => value !== null);
  const fields = Object.fromEntries(all) as Readonly<Record<string, string>>;
  return { make: responsesWith(fields), flat: Object.entries(fields).flat() };
}
