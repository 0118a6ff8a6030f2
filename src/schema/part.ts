import type { StandardSchemaV1 } from "@standard-schema/spec";
import { pointerToken } from "../text/mod.ts";

/** The side of a schema: the values that it accepts, or those that it returns. */
export type Direction = "input" | "output";

/** One part of a schema, in terms that Zod, Valibot and JSON Schema share. */
export interface SchemaPart {
  readonly kind?: string;
  /** Parts that all apply: those of members by key, `*` for any item, and without a key those of the value itself. */
  readonly parts?: readonly (readonly [key: string | undefined, part: unknown])[];
  readonly options?: readonly unknown[];
  readonly reason?: "allowsUnknownKeys" | "isOpaque";
}

export type Reader = (schema: unknown) => SchemaPart | undefined;

export interface AdditionalProperties {
  readonly pointer: string;
  readonly reason: NonNullable<SchemaPart["reason"]> | "hasNoJsonSchema";
}

/** A limit, as the getter of a lazy schema may return a new schema each time. */
export const MOST_PARTS = 1000;

/** Reads a part, unless it was seen before. */
export function readOnce(part: unknown, read: Reader, seen: Set<unknown>): SchemaPart | undefined {
  if (seen.has(part) || seen.size > MOST_PARTS) return undefined;
  seen.add(part);
  return read(part) ?? {};
}

/** Whether a value implements Standard Schema (https://standardschema.dev); ArkType's schemas are functions. */
export function isSchema(value: unknown): value is StandardSchemaV1 {
  return value !== null && (typeof value === "object" || typeof value === "function") &&
    "~standard" in value;
}

/** Whether instances of a class are sent as bytes or as one text, so that they have no fields. */
export function isSentWhole(type: unknown): boolean {
  // No constant: on Node, naming ReadableStream loads the streams at startup.
  return [Date, URL, Blob, File, ArrayBuffer, Uint8Array, ReadableStream].some((one) =>
    one === type
  );
}

export function pointerTo(pointer: string, key: string | undefined): string {
  return key === undefined ? pointer : `${pointer}/${pointerToken(key)}`;
}

export function first<I, T>(
  items: Iterable<I>,
  search: (item: I) => T | undefined,
): T | undefined {
  for (const item of items) {
    const found = search(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
