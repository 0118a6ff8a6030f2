import { nearest, quoted } from "../../text/mod.ts";
import { isObject, listOf, mapValues, objectOf } from "../../migrations/search/json/json_values.ts";

export type Fields = Readonly<Record<string, Field>>;

export interface Field {
  readonly expected: string;
  readonly isValid: (value: unknown) => boolean;
  /** The value as the request has it; `undefined` where it cannot be read. @default the value itself */
  readonly read?: (value: unknown, place: FieldPlace) => unknown;
  /** The name in the request. @default its own in snake case */
  readonly to?: string;
  readonly isRequired?: boolean;
  /** The value that the operator sends for an absent field. */
  readonly fallback?: unknown;
  /** Whether `0`, `false` or an empty value is sent: the operator does so for pointers only. */
  readonly keepsZero?: boolean;
  readonly check?: (value: unknown, place: FieldPlace) => void;
  /** Changes the value; `undefined` omits the field. */
  readonly then?: (value: unknown, place: FieldPlace) => unknown;
}

export interface FieldPlace {
  readonly key: string;
  at(key: string | number): FieldPlace;
  /** Reports that it cannot be converted. @param message a sentence without its final period */
  refuse(message: string): void;
  warn(message: string): void;
}

const isText = (value: unknown) => typeof value === "string";

export const TEXT: Field = { expected: "a string", isValid: isText };
export const INTEGER: Field = { expected: "a whole number", isValid: Number.isSafeInteger };
export const BOOLEAN: Field = {
  expected: "true or false",
  isValid: (value) => typeof value === "boolean",
};
export const TEXTS: Field = {
  expected: "a list of strings",
  isValid: (value) => Array.isArray(value) && value.every(isText),
};
export const TEXT_MAP: Field = {
  expected: "a map of strings",
  isValid: (value) => isObject(value) && Object.values(value).every(isText),
};
export const VALUE: Field = {
  expected: "a value",
  isValid: () => true,
  read: (value, place) => readAny(value, place) ? value : undefined,
};
export const ANY: Field = pointer(VALUE);

export function object(fields: Fields): Field {
  const read: Field["read"] = (value, place) => readFields(value, fields, place);
  return { expected: "an object", isValid: isObject, read, keepsZero: true };
}

export function list(fields: Fields): Field {
  return {
    expected: "a list of objects",
    isValid: Array.isArray,
    read: (value, place) =>
      listOf(value).map((item, index) => readFields(item, fields, place.at(index))),
  };
}

export function map(fields: Fields): Field {
  return {
    expected: "a map of objects",
    isValid: isObject,
    read: (value, place) =>
      mapValues(objectOf(value), (item, name) => readFields(item, fields, place.at(name))),
  };
}

export function required(field: Field): Field {
  return { ...pointer(field), isRequired: true };
}

export function pointer(field: Field): Field {
  return { ...field, keepsZero: true };
}

/** Reads an object of a resource as an object of a request. Unknown fields are omitted, as Kubernetes does. */
export function readFields(
  value: unknown,
  fields: Fields,
  place: FieldPlace,
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
    const snakeCase = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (read !== undefined) body[field.to ?? snakeCase] = read;
  }
  return body;
}

function readField(value: unknown, field: Field, place: FieldPlace): unknown {
  const { expected, isValid, keepsZero, check, then } = field;
  // Kubernetes treats null as absent.
  if (value === undefined || value === null) {
    if (field.isRequired) place.refuse(`Expected ${expected}, found nothing`);
    return field.fallback;
  }
  if (!isValid(value)) return void place.refuse(`Expected ${expected}, found ${found(value)}`);
  const read = field.read ? field.read(value, place) : value;
  if (read === undefined || (!keepsZero && isZero(read))) return undefined;
  check?.(read, place);
  return then ? then(read, place) : read;
}

function readAny(value: unknown, place: FieldPlace): boolean {
  if (typeof value === "object" && value !== null) {
    const items = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    return items.map(([key, item]) => readAny(item, place.at(key))).every(Boolean);
  }
  if (typeof value === "string" && WORDS.test(value)) {
    const meant = /^(?:y|on)/i.test(value);
    place.warn(`Without quotes kubectl reads '${value}' as ${meant}: expected ${meant}, or quotes`);
  }
  const isExact = typeof value !== "number" ||
    (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)));
  if (!isExact) place.refuse(`The number ${value} cannot be read exactly: expected it in quotes`);
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

function isZero(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === "" || value === 0 || value === false;
}
