import { type Json, mapValues, objectOf, omit } from "../json/json_values.ts";

/** By the name of a member: how clusters write it; `null` if they do not keep it. */
export type Forms = Readonly<Record<string, (part: unknown, whole: Json) => unknown>>;

/** An object as clusters write it, without `null` and empty lists. */
export function withForms(object: unknown, forms: Forms): Json {
  const whole = objectOf(object);
  const written = mapValues(whole, (part, name) => {
    return part !== null && Object.hasOwn(forms, name) ? forms[name]!(part, whole) : part;
  });
  return omit(written, (_, part) => part === null || (Array.isArray(part) && part.length === 0));
}
