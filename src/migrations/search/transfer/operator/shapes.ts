/** What a value may be, as the operator's types say it. */
export type Shape =
  | "text"
  | "integer"
  | "boolean"
  | "texts"
  | "text map"
  /** Any value: settings, mappings, filters. */
  | "any"
  | { readonly object: Fields }
  | { readonly list: Fields }
  | { readonly map: Fields };

/** The fields of an object, by their names in the resource; requests have them in this order. */
export type Fields = Readonly<Record<string, Field>>;

/** A field of a resource, and what becomes of it in the request. */
export interface Field {
  readonly shape: Shape;
  /** Its name in the request. @default its own in snake case */
  readonly to?: string;
  /** Whether it has to be there. */
  readonly isRequired?: boolean;
  /** What the operator sends if it is absent. */
  readonly fallback?: unknown;
  /** Whether it is sent where it is `0`, `false` or empty: the operator sends pointers so, and no other fields. */
  readonly keepsZero?: boolean;
  /** Changes the value; `undefined` leaves the field out. */
  readonly then?: (value: unknown, place: Place) => unknown;
}

/** A place in a resource, and what is to be said about it. */
export interface Place {
  /** Such as `spec.states[0].actions[1]`. */
  readonly key: string;
  /** Something below it: a name or an index. */
  at(key: string | number): Place;
  /** Says that it cannot be converted. @param message a sentence without its final period */
  refuse(message: string): void;
  /** Says what the file does not have, or what will not work as it stands there. */
  warn(message: string): void;
}

/** A text. */
export const TEXT: Field = { shape: "text" };
/** A whole number. */
export const INTEGER: Field = { shape: "integer" };
/** `true` or `false`. */
export const BOOLEAN: Field = { shape: "boolean" };
/** A list of texts. */
export const TEXTS: Field = { shape: "texts" };
/** A map of texts. */
export const TEXT_MAP: Field = { shape: "text map" };
/** Any value. */
export const ANY: Field = { shape: "any", keepsZero: true };

/** An object, which is sent even if it is empty. */
export function object(fields: Fields): Field {
  return { shape: { object: fields }, keepsZero: true };
}

/** A list of objects. */
export function list(fields: Fields): Field {
  return { shape: { list: fields } };
}

/** Objects by name. */
export function map(fields: Fields): Field {
  return { shape: { map: fields } };
}

/** A field that has to be there. */
export function required(field: Field): Field {
  return { ...field, isRequired: true, keepsZero: true };
}

/** A field that is sent unchanged, if present. */
export function pointer(field: Field): Field {
  return { ...field, keepsZero: true };
}
