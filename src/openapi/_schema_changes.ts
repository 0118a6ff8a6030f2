import { shortened } from "../text/mod.ts";

/** One thing that is not as it was. */
export interface SchemaChange {
  /** The reference to the named schema that it is in; absent where it is in the schemas that were compared. */
  readonly base?: string;
  /** JSON pointer into a value of that schema, where `*` stands for any item or key. */
  readonly pointer: string;
  /** What happened. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** What two schemas differ in, as far as somebody on the other side can tell. */
export interface SchemaDifferences {
  readonly breaking: readonly SchemaChange[];
  readonly additions: readonly SchemaChange[];
}

/** What is found while schemas are compared. */
export interface Changes {
  readonly breaking: SchemaChange[];
  readonly additions: SchemaChange[];
}

/** A change with what was and what is, in short. */
export function change(
  pointer: string,
  what: string,
  before: unknown,
  after: unknown,
): SchemaChange {
  return { pointer, what, before: shortText(before), after: shortText(after) };
}

/** Each change once, by whatever ways it was reached; where there are many, those that differ in the way alone too. */
export function distinct(changes: readonly SchemaChange[]): readonly SchemaChange[] {
  const different = new Map(changes.map((one) => [changeKey(one), one]));
  if (different.size <= MOST_WAYS) return [...different.values()];
  const keyed = [...different.values()].map((one) =>
    [changeKey({ ...one, pointer: one.pointer.split("/").at(-1) ?? "" }), one] as const
  );
  return [...new Map(keyed.toReversed()).values()].toReversed();
}

/** What tells changes apart. */
export function changeKey({ base, pointer, what, before, after }: SchemaChange): string {
  return JSON.stringify([base, pointer, what, before, after]);
}

const MOST_WAYS = 20;

/** JSON on one line of at most 80 characters. */
function shortText(value: unknown): string {
  if (value === undefined) return "none";
  return shortened(typeof value === "string" ? value : JSON.stringify(value), 80);
}
