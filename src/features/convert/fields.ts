import { nearest, quoted } from "../../text/mod.ts";
import { isObject, listOf, mapValues, objectOf } from "../../migrations/search/json/json_values.ts";

export type Shape =
  | "text"
  | "integer"
  | "boolean"
  | "texts"
  | "text map"
  | "any"
  | { readonly object: Fields }
  | { readonly list: Fields }
  | { readonly map: Fields };

export type Fields = Readonly<Record<string, Field>>;

export interface Field {
  readonly shape: Shape;
  /** The name in the request. @default its own in snake case */
  readonly to?: string;
  readonly isRequired?: boolean;
  /** The value that the operator sends for an absent field. */
  readonly fallback?: unknown;
  /** Whether `0`, `false` or an empty value is sent: the operator does so for pointers only. */
  readonly keepsZero?: boolean;
  /** Changes the value; `undefined` omits the field. */
  readonly then?: (value: unknown, place: Place) => unknown;
}

export interface Place {
  readonly key: string;
  at(key: string | number): Place;
  /** Reports that it cannot be converted. @param message a sentence without its final period */
  refuse(message: string): void;
  warn(message: string): void;
}

export const TEXT: Field = { shape: "text" };
export const INTEGER: Field = { shape: "integer" };
export const BOOLEAN: Field = { shape: "boolean" };
export const TEXTS: Field = { shape: "texts" };
export const TEXT_MAP: Field = { shape: "text map" };
export const ANY: Field = { shape: "any", keepsZero: true };

export function object(fields: Fields): Field {
  return { shape: { object: fields }, keepsZero: true };
}

export function list(fields: Fields): Field {
  return { shape: { list: fields } };
}

export function map(fields: Fields): Field {
  return { shape: { map: fields } };
}

export function required(field: Field): Field {
  return { ...field, isRequired: true, keepsZero: true };
}

export function pointer(field: Field): Field {
  return { ...field, keepsZero: true };
}

/** Reads an object of a resource as an object of a request. Unknown fields are omitted, as Kubernetes does. */
export function readFields(
  value: unknown,
  fields: Fields,
  place: Place,
): Record<string, unknown> | undefined {
  if (!isObject(value)) {
    return void place.refuse(`Expected an object, found ${found(value)}`);
  }
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
  // Kubernetes treats null as absent.
  if (value === undefined || value === null) {
    if (field.isRequired) place.refuse(`Expected ${SHAPES[nameOf(field.shape)][0]}, found nothing`);
    return field.fallback;
  }
  const read = readShape(value, field.shape, place);
  if (read === undefined || (!field.keepsZero && isZero(read))) return undefined;
  return field.then ? field.then(read, place) : read;
}

function readShape(value: unknown, shape: Shape, place: Place): unknown {
  const [name, isValid] = SHAPES[nameOf(shape)];
  if (!isValid(value)) return void place.refuse(`Expected ${name}, found ${found(value)}`);
  if (shape === "any") return readAny(value, place) ? value : undefined;
  if (typeof shape === "string") return value;
  if ("object" in shape) return readFields(value, shape.object, place);
  if ("map" in shape) {
    return mapValues(objectOf(value), (item, name) => readFields(item, shape.map, place.at(name)));
  }
  return listOf(value).map((item, index) => readFields(item, shape.list, place.at(index)));
}

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

const WORDS = /^(?:yes|no|on|off|y|n)$/i;

/** Values are not repeated, because a secret may be in the wrong place. */
function found(value: unknown): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "a string" : `the ${typeof value} ${value}`;
}

function unknownField(name: string, fields: Fields): string {
  const near = nearest(name, Object.keys(fields));
  const hint = near.length > 0 ? ` (did you mean ${quoted(near)}?)` : "";
  const known = quoted(Object.keys(fields), "no field");
  return `Unknown field '${name}' is left out, as Kubernetes does${hint}: expected ${known}`;
}

const isText = (value: unknown) => typeof value === "string";

type ShapeName = Extract<Shape, string> | "object" | "list" | "map";

const SHAPES: Readonly<Record<ShapeName, readonly [string, (value: unknown) => boolean]>> = {
  text: ["a string", isText],
  integer: ["a whole number", Number.isSafeInteger],
  boolean: ["true or false", (value) => typeof value === "boolean"],
  texts: ["a list of strings", (value) => Array.isArray(value) && value.every(isText)],
  "text map": ["a map of strings", (map) => isObject(map) && Object.values(map).every(isText)],
  any: ["a value", () => true],
  object: ["an object", isObject],
  list: ["a list of objects", Array.isArray],
  map: ["a map of objects", isObject],
};

function nameOf(shape: Shape): ShapeName {
  if (typeof shape === "string") return shape;
  return "object" in shape ? "object" : "list" in shape ? "list" : "map";
}

function isZero(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === "" || value === 0 || value === false;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
