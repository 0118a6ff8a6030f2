import { HttpStatus, ResponseEntity } from "../../http/mod.ts";
import { type Conversion, conversionOf } from "../../schema/mod.ts";
import { quoted } from "../../text/mod.ts";
import {
  type AnswerFields,
  answerFields,
  type Binder,
  binderOf,
  decoded,
  type Exchange,
  failure,
  MappingError,
  mergedFailures,
  textStep,
  valueBinding,
} from "../../web/mod.ts";
import { linkHeader } from "./links.ts";
import { Page, Slice } from "./page.ts";

/**
 * By what elements are put in order.
 *
 * @typeParam S fields that may be sorted by
 */
export interface SortOrder<S extends string = string> {
  /** The field. */
  readonly property: S;
  /** Upwards or downwards. */
  readonly direction: "asc" | "desc";
}

/** @internal */
type SortText<S extends string> = S | `${S},asc` | `${S},desc`;

/**
 * Which part of a list is asked for.
 *
 * @typeParam S fields that may be sorted by
 */
export interface Pageable<S extends string = string> {
  /** The page, from 1. */
  readonly page: number;
  /** How many elements a page has. */
  readonly size: number;
  /** How many elements come before it. */
  readonly offset: number;
  /** By what the elements are put in order; empty where nothing is said. */
  readonly sort: readonly SortOrder<S>[];
  /** Only for the compiler, what a client sends: never there at run time. */
  readonly "~sent"?: PageQuery<S>;
}

/**
 * The part of a {@linkcode Pageable} that a client sends: all of it may be left out.
 *
 * @typeParam S fields that may be sorted by
 */
export interface PageQuery<S extends string = string> {
  /** From 1. */
  readonly page?: number;
  /** How many elements a page has. */
  readonly size?: number;
  /** Such as `name` or `name,desc`. */
  readonly sort?: SortText<S> | readonly SortText<S>[];
}

/**
 * Options of {@linkcode Pageable}.
 *
 * @typeParam S fields that may be sorted by
 */
export interface PageableOptions<S extends string = never> {
  /** The size of a page where none is asked for. @default 20, or `maxSize` where that is less */
  readonly size?: number;
  /** The largest size that may be asked for. @default 100 */
  readonly maxSize?: number;
  /** Fields that may be sorted by. @default none */
  readonly sort?: readonly S[];
  /** The order where none is asked for: `"name"`, `"name,desc"`, or a list of such. @default none */
  readonly defaultSort?: NoInfer<SortText<S>> | readonly NoInfer<SortText<S>>[];
}

/**
 * Binds which part of a list is asked for, by the parameters `page` (from 1), `size` and `sort` of the query, the last of
 * which may be repeated: `?page=2&size=50&sort=name&sort=age,desc`. Anything else in them is answered with 400. A
 * {@linkcode Page} or {@linkcode Slice} that the handler returns is sent with a `Link` header (RFC 8288) to the first,
 * previous, next and last page.
 *
 * ```ts ignore
 * @GetMapping({ path: "/users", returns: pageOf(UserView) }, Pageable({ maxSize: 50, sort: ["name", "age"] }))
 * async list(pageable: Pageable<"name" | "age">) {
 *   const { rows, total } = await this.users.find(pageable);
 *   return new Page(rows, pageable, total);
 * }
 * ```
 *
 * @throws {MappingError} when a size is no whole number from 1, the default one is larger than the largest, or a field
 * cannot be named in a query
 */
export function Pageable<const S extends string = never>(
  options: PageableOptions<S> = {},
): Binder<Pageable<S>> {
  // Scripts are not told by the compiler.
  if (options === null || typeof options !== "object") {
    throw invalidPageable("options", options);
  }
  const { maxSize = 100, sort = [], defaultSort = [] } = options;
  const size = options.size ?? Math.min(20, maxSize);
  checkSizes(size, maxSize);
  if (!Array.isArray(sort)) throw invalidPageable("a list of fields as 'sort'", sort);
  for (const field of sort as readonly string[]) {
    if (typeof field === "string" && field !== "" && !field.includes(",")) continue;
    throw invalidPageable("a name without commas in 'sort'", field);
  }
  const maxPage = Math.floor(Number.MAX_SAFE_INTEGER / maxSize);
  const defaults = [defaultSort].flat();
  // By what clients may write for them.
  const orders = new Map(sort.flatMap((property): [string, SortOrder<S>][] => [
    [property, { property, direction: "asc" }],
    [`${property},asc`, { property, direction: "asc" }],
    [`${property},desc`, { property, direction: "desc" }],
  ]));
  const items = { type: "string", enum: [...orders.keys()] };
  const readPage = number("page", maxPage, 1);
  const readSize = number("size", maxSize, size);
  const readSort = sorting(sort, orders, defaults);
  return binderOf({
    input: {
      in: "query",
      required: false,
      list: false,
      parameters: {
        page: { type: "integer", format: "int64", minimum: 1, maximum: maxPage, default: 1 },
        size: { type: "integer", minimum: 1, maximum: maxSize, default: size },
        ...(sort.length > 0 && {
          sort: { type: "array", items, ...(defaults.length > 0 && { default: defaults }) },
        }),
      },
    },
    fields: links(maxPage),
    compile: () => (exchange) => {
      const failures: unknown[] = [];
      const read = <T>(reader: (exchange: Exchange) => T): T | undefined => {
        try {
          return reader(exchange);
        } catch (error) {
          failures.push(error);
        }
      };
      const asked = { page: read(readPage), size: read(readSize), sort: read(readSort) };
      if (failures.length > 0) throw mergedFailures(failures);
      const { page, size, sort } = asked as Required<typeof asked>;
      return { page, size, offset: (page! - 1) * size!, sort };
    },
  });
}

function links(maxPage: number): AnswerFields {
  const descriptions = { Link: "The first, previous, next and last page (RFC 8288)" };
  return answerFields(descriptions, ({ context }, value) => {
    const isEntity = value instanceof ResponseEntity;
    if (isEntity && value.status.value >= HttpStatus.MULTIPLE_CHOICES.value) return [];
    const body = isEntity ? value.body : value;
    if (!(body instanceof Page || body instanceof Slice)) return [];
    const link = linkHeader(context.req.raw.url, body.page, maxPage);
    return link === undefined ? [] : [["Link", link]];
  });
}

function number(name: string, max: number, fallback: number): (exchange: Exchange) => number {
  const { convert } = conversionOf("int");
  const conversion: Conversion = {
    expected: `an integer from 1 to ${max}`,
    convert(text) {
      const value = convert(text) as number | undefined;
      return value !== undefined && value >= 1 && value <= max ? value : undefined;
    },
  };
  const source = { in: "query", name } as const;
  const bind = valueBinding(source, conversion, {});
  return ({ query }) => {
    const found = query.get(name);
    return found === undefined ? fallback : bind(decoded(source, found)) as number;
  };
}

function sorting<S extends string>(
  fields: readonly S[],
  orders: ReadonlyMap<string, SortOrder<S>>,
  defaults: readonly string[],
): (exchange: Exchange) => SortOrder<S>[] {
  const source = { in: "query", name: "sort" } as const;
  const expected = `one of ${quoted(fields)}, alone or with ',asc' or ',desc'`;
  const convert = textStep(source, { expected, convert: (text) => orders.get(text) });
  if (fields.length === 0 && defaults.length > 0) {
    throw new MappingError(
      `Cannot create a Pageable: expected the fields of 'defaultSort' in 'sort', which lists none`,
    );
  }
  const fallback = defaults.map((text) => {
    const order = orders.get(text);
    if (order !== undefined) return order;
    throw invalidPageable(`${expected} as the default sort`, text);
  });
  return ({ query }) => {
    const found = query.get("sort");
    // New ones: handlers may change what they are given.
    if (found === undefined) return fallback.map((order) => ({ ...order }));
    if (fields.length === 0) throw failure(source, "expected none, because the order is fixed");
    const asked = [decoded(source, found)].flat().map(convert) as SortOrder<S>[];
    // A later one of the same field has no effect.
    const byField = Map.groupBy(asked, ({ property }) => property);
    return [...byField.values()].map(([first]) => ({ ...first! }));
  };
}

function checkSizes(size: number, maxSize: number): void {
  for (const [name, value] of Object.entries({ maxSize, size })) {
    if (Number.isSafeInteger(value) && value >= 1) continue;
    throw invalidPageable(`a whole number from 1 as ${name}`, value);
  }
  if (size > maxSize) throw invalidPageable(`a size up to maxSize (${maxSize})`, size);
}

function invalidPageable(expected: string, found: unknown): MappingError {
  return new MappingError(`Cannot create a Pageable: expected ${expected}, found '${found}'`);
}
