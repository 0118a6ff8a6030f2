import { brand } from "../../http/mod.ts";

interface Asked {
  readonly page: number;
  readonly size: number;
}

/** Which part of all elements a {@linkcode Page} has. */
export interface PageMetadata {
  /** How many elements were asked for. */
  readonly size: number;
  /** Which page it is, from 1. */
  readonly number: number;
  /** How many elements there are on all pages. */
  readonly totalElements: number;
  /** How many pages there are; 0 where there is nothing. */
  readonly totalPages: number;
}

/** Which part of all elements a {@linkcode Slice} has. */
export interface SliceMetadata {
  /** How many elements were asked for. */
  readonly size: number;
  /** Which one it is, from 1. */
  readonly number: number;
  /** Whether there is another one behind it. */
  readonly hasNext: boolean;
}

/**
 * A page of a list whose elements were counted. It is sent as Spring's `PagedModel` is:
 * `{ "content": [ … ], "page": { "size": 20, "number": 1, "totalElements": 95, "totalPages": 5 } }`.
 *
 * @typeParam T an element
 */
export class Page<T> {
  static {
    brand(this, "Page");
  }

  /** The elements. */
  readonly content: readonly T[];
  /** Which part of all they are. */
  readonly page: PageMetadata;

  /**
   * @param content the elements of this page, none beyond the last one
   * @param pageable what was asked for
   * @param total how many elements there are on all pages; the elements at hand count where that is less, as it may have
   * been counted before them
   * @throws {TypeError} when `total` is no whole number, as databases may give counts as texts, `content` is no list, or
   * `pageable` has no page and size
   */
  constructor(content: readonly T[], pageable: Asked, total: number | bigint) {
    const { page: number, size } = requireAsked("page", content, pageable);
    const counted = Number(total);
    if (typeof total === "string" || !(Number.isSafeInteger(counted) && counted >= 0)) {
      const found = typeof total === "string" ? "a string" : `'${total}'`;
      throw new TypeError(
        `Cannot make a page: expected a whole number as the total, found ${found}`,
      );
    }
    const atHand = content.length > 0 ? (number - 1) * size + content.length : 0;
    const totalElements = Math.max(counted, atHand);
    const totalPages = Math.ceil(totalElements / size);
    this.content = content;
    this.page = { size, number, totalElements, totalPages };
  }

  /** The page with what `change` makes of each element. */
  map<U>(change: (element: T) => U): Page<U> {
    return new Page(this.content.map((one) => change(one)), askedOf(this), this.page.totalElements);
  }
}

/**
 * A page of a list without a total: it only knows whether there is another one. It is sent as
 * `{ "content": [ … ], "page": { "size": 20, "number": 1, "hasNext": true } }`.
 *
 * @typeParam T an element
 */
export class Slice<T> {
  static {
    brand(this, "Slice");
  }

  /** The elements. */
  readonly content: readonly T[];
  /** Which part of all they are. */
  readonly page: SliceMetadata;

  /**
   * @param content the elements of this slice
   * @param pageable what was asked for
   * @param hasNext whether there is another one: ask the database for one element more than `pageable.size`
   * @throws {TypeError} when `content` is no list, `pageable` has no page and size, or `hasNext` is neither true nor false
   */
  constructor(content: readonly T[], pageable: Asked, hasNext: boolean) {
    const { page: number, size } = requireAsked("slice", content, pageable);
    if (typeof hasNext !== "boolean") {
      throw new TypeError(
        `Cannot make a slice: expected true or false as hasNext, found ${typeFound(hasNext)}`,
      );
    }
    this.content = content;
    this.page = { size, number, hasNext };
  }

  /** The slice with what `change` makes of each element. */
  map<U>(change: (element: T) => U): Slice<U> {
    return new Slice(this.content.map((one) => change(one)), askedOf(this), this.page.hasNext);
  }
}

function askedOf({ page: { number: page, size } }: Page<unknown> | Slice<unknown>): Asked {
  return { page, size };
}

/** Scripts have no compiler, and an object that looks like a page is not one. */
function requireAsked(kind: "page" | "slice", content: unknown, pageable: Asked): Asked {
  const refuse = (expected: string, found: unknown) => {
    throw new TypeError(`Cannot make a ${kind}: expected ${expected}, found ${typeFound(found)}`);
  };
  if (!Array.isArray(content)) refuse("a list of elements", content);
  for (const key of ["page", "size"] as const) {
    const value: unknown = Object(pageable)[key];
    if (!(Number.isSafeInteger(value) && (value as number) >= 1)) {
      refuse(`a requested ${key} of at least 1`, value);
    }
  }
  return pageable;
}

function typeFound(value: unknown): string {
  return typeof value === "number"
    ? `'${value}'`
    : value === null
    ? "null"
    : `a value of type '${typeof value}'`;
}
