import { shortened } from "../text/mod.ts";

/** One difference between two documents. */
export interface OpenApiChange {
  /**
   * The operations that it concerns, as the older document has them: `GET /users/{id}`. Several where it is in a schema
   * with a name, which is told once.
   */
  readonly routes: readonly string[];
  /** Which part: `query 'limit'`, `body application/json /name`, `200 application/json /data/email`, `schema 'User' /id`. */
  readonly where: string;
  /** What happened to it, such as `removed` or `type narrowed`. */
  readonly what: string;
  /** What the older document says, in short; `none` where that is nothing. */
  readonly before: string;
  /** What the newer one says. */
  readonly after: string;
}

/** What two documents differ in. */
export interface OpenApiComparison {
  /** What may break a client that was written for the older one. */
  readonly breaking: readonly OpenApiChange[];
  /** What is new, and asks nothing of such a client. */
  readonly additions: readonly OpenApiChange[];
}

/** Where a change is: an operation. */
type Route = { readonly method: string; readonly path: string };

/** Collects the differences of two documents, each once. */
export class Findings {
  readonly #breaking = new Map<string, Found>();
  readonly #additions = new Map<string, Found>();

  /** All that was found. */
  get comparison(): OpenApiComparison {
    return { breaking: told(this.#breaking), additions: told(this.#additions) };
  }

  breaks(route: Route, where: string, change: SchemaChange): void {
    add(this.#breaking, route, where, change);
  }

  adds(route: Route, where: string, change: SchemaChange): void {
    add(this.#additions, route, where, change);
  }

  collect(route: Route, where: string, { breaking, additions }: SchemaDifferences): void {
    for (const change of breaking) this.breaks(route, where, change);
    for (const change of additions) this.adds(route, where, change);
  }
}

interface Found {
  readonly routes: Set<string>;
  readonly where: string;
  readonly change: SchemaChange;
}

function add(
  known: Map<string, Found>,
  { method, path }: Route,
  place: string,
  change: SchemaChange,
): void {
  const route = `${method} ${path}`;
  const where = change.base === undefined ? place : nameOf(change.base);
  // A server is of all operations.
  const key = change.base === undefined && place !== "server"
    ? `${route} ${where} ${changeKey(change)}`
    : changeKey(change);
  const found = known.get(key) ?? { routes: new Set(), where, change };
  found.routes.add(route);
  known.set(key, found);
}

function told(found: ReadonlyMap<string, Found>): readonly OpenApiChange[] {
  return [...found.values()].map(({ routes, where, change }) => {
    const { pointer, what, before, after } = change;
    const place = pointer === "" ? where : `${where} ${pointer}`;
    return { routes: [...routes], where: place, what, before, after };
  });
}

/** `schema 'User'` of `#/components/schemas/User`. */
function nameOf(reference: string): string {
  return `schema '${reference.replace(/^#\/components\/schemas\//, "")}'`;
}

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
