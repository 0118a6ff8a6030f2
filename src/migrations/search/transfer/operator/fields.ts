import { nearest, quoted } from "../../../../text/mod.ts";
import { isObject } from "../../json/json_values.ts";

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

/**
 * The object of a request that an object of a resource becomes. What is wrong with it is said to `place`; what is not
 * known is left out, as Kubernetes prunes it.
 *
 * @returns `undefined` where it is no object
 */
export function readFields(
  value: unknown,
  fields: Fields,
  place: Place,
): Record<string, unknown> | undefined {
  if (!isObject(value)) return void mismatch(value, "an object", place);
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(fields, name)) place.at(name).warn(unknownField(name, fields));
  }
  const body: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const read = readField(value[name], field, place.at(name));
    if (read !== undefined) body[field.to ?? snakeCase(name)] = read;
  }
  return body;
}

function readField(value: unknown, field: Field, place: Place): unknown {
  // Kubernetes treats a field that is null as absent.
  if (value === undefined || value === null) {
    if (field.isRequired) place.refuse(`Expected ${NAMES[nameOf(field.shape)]}, found nothing`);
    return field.fallback;
  }
  const read = readShape(value, field.shape, place);
  if (read === undefined || (!field.keepsZero && isZero(read))) return undefined;
  return field.then ? field.then(read, place) : read;
}

function readShape(value: unknown, shape: Shape, place: Place): unknown {
  if (typeof shape === "object") return readStructure(value, shape, place);
  if (shape === "any") return readAny(value, place) ? value : undefined;
  if (CHECKS[shape](value)) return value;
  return mismatch(value, NAMES[shape], place);
}

function readStructure(value: unknown, shape: Exclude<Shape, string>, place: Place): unknown {
  if ("object" in shape) return readFields(value, shape.object, place);
  if ("list" in shape) {
    if (!Array.isArray(value)) return mismatch(value, NAMES.list, place);
    return value.map((item, index) => readFields(item, shape.list, place.at(index)));
  }
  if (!isObject(value)) return mismatch(value, NAMES.map, place);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      readFields(item, shape.map, place.at(name)),
    ]),
  );
}

/** Whether JSON can say the value as it is. */
function readAny(value: unknown, place: Place): boolean {
  if (Array.isArray(value)) {
    return value.map((item, index) => readAny(item, place.at(index))).every(Boolean);
  }
  if (isObject(value)) {
    const items = Object.entries(value).map(([name, item]) => readAny(item, place.at(name)));
    return items.every(Boolean);
  }
  if (typeof value === "string" && WORDS.test(value)) {
    const meant = /^(?:y|on)/i.test(value);
    place.warn(`Without quotes kubectl reads '${value}' as ${meant}: expected ${meant}, or quotes`);
  }
  if (typeof value !== "number") return true;
  const isExact = Number.isFinite(value) &&
    (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (!isExact) {
    place.refuse(`The number ${value} cannot be read exactly: expected it in quotes`);
  }
  return isExact;
}

function mismatch(value: unknown, expected: string, place: Place): undefined {
  place.refuse(`Expected ${expected}, found ${found(value)}`);
}

/** What YAML 1.1 takes for a truth value. */
const WORDS = /^(?:yes|no|on|off|y|n)$/i;

/** Values are not repeated: one of them may be a secret in the wrong place. */
function found(value: unknown): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "a text" : `the ${typeof value} ${value}`;
}

function unknownField(name: string, fields: Fields): string {
  const near = nearest(name, Object.keys(fields));
  const hint = near.length > 0 ? ` (did you mean ${quoted(near)}?)` : "";
  const known = quoted(Object.keys(fields), "no field");
  return `'${name}' is not known and left out, as Kubernetes does${hint}: expected ${known}`;
}

const CHECKS = {
  text: (value: unknown) => typeof value === "string",
  integer: Number.isSafeInteger,
  boolean: (value: unknown) => typeof value === "boolean",
  texts: (value: unknown) =>
    Array.isArray(value) && value.every((item) => typeof item === "string"),
  "text map": (value: unknown) =>
    isObject(value) && Object.values(value).every((item) => typeof item === "string"),
};

const NAMES = {
  text: "a text",
  integer: "a whole number",
  boolean: "true or false",
  texts: "a list of texts",
  "text map": "a map of texts",
  any: "a value",
  object: "an object",
  list: "a list of objects",
  map: "a map of objects",
};

function nameOf(shape: Shape): keyof typeof NAMES {
  if (typeof shape === "string") return shape;
  return "object" in shape ? "object" : "list" in shape ? "list" : "map";
}

function isZero(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === "" || value === 0 || value === false;
}

/** `maxNumSegments` is `max_num_segments`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
