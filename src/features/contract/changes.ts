import { shortened } from "../../text/mod.ts";

/** One difference between two documents. */
export interface OpenApiChange {
  /**
   * The operations that it concerns, as the older document has them: `GET /users/{id}`. A change in a named schema is
   * listed once, with all operations that use the schema.
   */
  readonly routes: readonly string[];
  /** Which part: `query 'limit'`, `body application/json /name`, `200 application/json /data/email`, `schema 'User' /id`. */
  readonly where: string;
  /** The kind of the change, such as `removed` or `type narrowed`. */
  readonly what: string;
  /** The state in the older document, shortened; `none` for nothing. */
  readonly before: string;
  /** The state in the newer document. */
  readonly after: string;
}

/** The differences between two documents. */
export interface OpenApiComparison {
  /** Changes that may break a client written for the older document. */
  readonly breaking: readonly OpenApiChange[];
  /** New parts that such a client can ignore. */
  readonly additions: readonly OpenApiChange[];
}

export interface Change {
  readonly isBreaking: boolean;
  /** The reference to the named schema that contains it; absent for a schema without a name. */
  readonly base?: string;
  /** JSON pointer into a value of that schema, with `*` for any item or key. */
  readonly pointer: string;
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

export function breaking(pointer: string, what: string, before: unknown, after?: unknown): Change {
  return { isBreaking: true, pointer, what, ...shownTexts(before, after) };
}

export function addition(pointer: string, what: string, before: unknown, after: unknown): Change {
  return { isBreaking: false, pointer, what, ...shownTexts(before, after) };
}

function shownTexts(before: unknown, after: unknown): Pick<Change, "before" | "after"> {
  const [old, given] = [before, after].map((value) =>
    value === undefined ? "none" : typeof value === "string" ? value : JSON.stringify(value)
  ) as [string, string];
  let first = 0;
  while (first < old.length && old[first] === given[first]) first++;
  // Texts that differ only beyond the limit are shown from where they differ.
  const start = old === given || first < MOST_SHOWN - 1 ? 0 : first - 20;
  const shown = (text: string) => shortened((start > 0 ? "…" : "") + text.slice(start), MOST_SHOWN);
  return { before: shown(old), after: shown(given) };
}

const MOST_SHOWN = 80;

/** Removes repeated changes; where many remain, also those that differ only in the path to the same member. */
export function distinct(changes: readonly Change[]): readonly Change[] {
  return [...Map.groupBy(changes, ({ isBreaking }) => isBreaking).values()].flatMap((group) => {
    const different = [...new Map(group.map((one) => [changeKey(one), one])).values()];
    if (different.length <= MOST_PATHS) return different;
    const keyed = different.map((one) =>
      [changeKey({ ...one, pointer: one.pointer.split("/").at(-1) ?? "" }), one] as const
    );
    return [...new Map(keyed.toReversed()).values()].toReversed();
  });
}

const MOST_PATHS = 20;

function changeKey({ base, pointer, what, before, after }: Change): string {
  return JSON.stringify([base, pointer, what, before, after]);
}

export interface Found {
  readonly route: string;
  readonly where: string;
  readonly change: Change;
}

export function comparisonOf(found: readonly Found[]): OpenApiComparison {
  return {
    breaking: listed(found.filter(({ change }) => change.isBreaking)),
    additions: listed(found.filter(({ change }) => !change.isBreaking)),
  };
}

function listed(found: readonly Found[]): readonly OpenApiChange[] {
  const groups = Map.groupBy(found, ({ route, where, change }) => {
    // Servers and named schemas are shared by operations.
    const isShared = change.base !== undefined || where === "server";
    return isShared ? changeKey(change) : `${route} ${where} ${changeKey(change)}`;
  });
  return [...groups.values()].map((group) => {
    const { where, change: { base, pointer, what, before, after } } = group[0]!;
    const name = base?.replace(/^#\/components\/schemas\//, "");
    const place = name === undefined ? where : `schema '${name}'`;
    const routes = [...new Set(group.map(({ route }) => route))];
    return { routes, where: `${place} ${pointer}`.trimEnd(), what, before, after };
  });
}

export function* paired<T>(
  older: ReadonlyMap<string, T>,
  newer: ReadonlyMap<string, T>,
): Generator<readonly [key: string, before: T | undefined, after: T | undefined]> {
  for (const [key, value] of older) yield [key, value, newer.get(key)];
  for (const [key, value] of newer) if (!older.has(key)) yield [key, undefined, value];
}
