import { HttpError, HttpStatus, ResponseEntity } from "../../http/mod.ts";
import { NO_STORE } from "../../runtime/web.ts";
import { describedAs } from "../../schema/mod.ts";
import { type Binder, binderOf, failure } from "../../web/mod.ts";
import { etag, isListed, parseEntityTags, type Version } from "./entity_tag.ts";

/** The version of a resource; `undefined` or `null` if there is none. */
export type CurrentVersion = Version | null | undefined;

/** The value of {@linkcode IfMatch}: the versions that the client accepts. */
export interface IfMatch {
  /** Type only, what a client sends: an entity tag as `ETag` had it. */
  readonly "~sent"?: string;
  /** Whether all versions are accepted: for `*` and, if it is not required, without the header. */
  readonly isAny: boolean;
  /** Versions that are accepted, as {@linkcode etag} writes them between quotes: for `WHERE version = …`. */
  readonly versions: readonly string[];
  /** Whether a version is accepted. A missing resource is accepted only without the header. */
  matches(version: CurrentVersion): boolean;
  /** Refuses a version that is not accepted. @throws {HttpError} 412 */
  check(version: CurrentVersion): void;
}

/** The value of {@linkcode IfNoneMatch}: the versions that the client has, or that must not exist. */
export interface IfNoneMatch {
  /** Type only, what a client sends: an entity tag as `ETag` had it, or `*`. */
  readonly "~sent"?: string;
  /** Whether a version is one of them; false for a missing resource, and without the header. */
  matches(version: CurrentVersion): boolean;
  /** Refuses a version that is one of them. @throws {HttpError} 412 */
  check(version: CurrentVersion): void;
}

/**
 * Binds `If-Match` (RFC 9110, 13.1.1), for optimistic locking. A missing header gets 428 (RFC 6585, 3), a malformed one 400;
 * `check` throws 412 for another version. The comparison is strong.
 *
 * ```ts ignore
 * @PutMapping("/orders/{id}", PathVariable("id", "int"), RequestBody(OrderInput), IfMatch())
 * async put(id: number, input: OrderInput, ifMatch: IfMatch) {
 *   ifMatch.check((await this.orders.find(id))?.version);
 *   const order = await this.orders.save(id, input);
 *   return ResponseEntity.ok().withHeader("ETag", etag(order.version)).withJson(order);
 * }
 * ```
 */
export function IfMatch(
  options: {
    /** `false` accepts requests without the header. @default true */
    readonly required?: boolean;
  } = {},
): Binder<IfMatch> {
  const required = options.required !== false;
  return condition("If-Match", required, required ? [412, 428] : [412]);
}

/**
 * Binds `If-None-Match` (RFC 9110, 13.1.2), which is optional; a malformed header gets 400. The comparison is weak. Handlers
 * of GET return {@linkcode notModified} where it matches; others call `check`, which throws 412, and `*` creates a resource
 * only if there is none.
 *
 * ```ts ignore
 * @GetMapping("/orders/{id}", PathVariable("id", "int"), IfNoneMatch())
 * async get(id: number, ifNoneMatch: IfNoneMatch) {
 *   const order = await this.orders.get(id);
 *   if (ifNoneMatch.matches(order.version)) return notModified(order.version);
 *   return ResponseEntity.ok().withHeader("ETag", etag(order.version)).withJson(order);
 * }
 * ```
 */
export function IfNoneMatch(): Binder<IfNoneMatch> {
  return condition("If-None-Match", false, [304, 412]);
}

/** 304 with the `ETag` of a version (RFC 9110, 15.4.5). @throws {TypeError} for an invalid version */
export function notModified(version: Version): ResponseEntity<never> {
  const entity = ResponseEntity.status(HttpStatus.NOT_MODIFIED) as ResponseEntity<never>;
  return entity.withHeader("ETag", etag(version));
}

function condition(
  name: "If-Match" | "If-None-Match",
  required: boolean,
  statuses: readonly number[],
): Binder<IfMatch> {
  const isWanted = name === "If-Match";
  const bind = (tags: readonly string[] | undefined): IfMatch => {
    const matches = (version: CurrentVersion) => {
      if (tags === undefined) return isWanted;
      return version !== undefined && version !== null &&
        isListed(etag(version), tags, isWanted ? "strong" : "weak");
    };
    return {
      matches,
      check(version) {
        if (matches(version) === isWanted) return;
        const reason = isWanted ? "names no current version" : "excludes the current version";
        throw new HttpError(412, `The header '${name}' ${reason} of the resource`);
      },
      isAny: tags === undefined || tags[0] === "*",
      versions: tags?.flatMap((tag) => /^"(.*)"$/.exec(tag)?.[1] ?? []) ?? [],
    };
  };
  return binderOf({
    input: { in: "header", name, required, list: false, type: ENTITY_TAGS, statuses },
    compile: () => (exchange) => {
      const field = exchange.header(name);
      if (field === null && required) {
        const message = `Send the 'ETag' of the resource in '${name}'`;
        throw new HttpError(428, message, { headers: NO_STORE });
      }
      const tags = field === null ? undefined : parseEntityTags(field);
      if (field === null || tags !== undefined) return bind(tags);
      throw failure({ in: "header", name }, `expected '*' or entity tags such as '"7"'`);
    },
  });
}

/** Read by the OpenAPI document only. */
const ENTITY_TAGS = describedAs({
  type: "string",
  pattern: '^(\\*|((W/)?"[!#-~]*"(, (W/)?"[!#-~]*")*)?)$',
});
