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
  const [ours, theirs] = [textOf(before), textOf(after)];
  let first = 0;
  while (first < ours.length && ours[first] === theirs[first]) first++;
  // Texts that are the same for as long as they are shown are shown from where they differ.
  const start = ours === theirs || first < MOST_SHOWN - 1 ? 0 : first - 20;
  const shown = (text: string) => shortened((start > 0 ? "…" : "") + text.slice(start), MOST_SHOWN);
  return { pointer, what, before: shown(ours), after: shown(theirs) };
}

const MOST_SHOWN = 80;

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

/** JSON on one line. */
function textOf(value: unknown): string {
  if (value === undefined) return "none";
  return typeof value === "string" ? value : JSON.stringify(value);
}
