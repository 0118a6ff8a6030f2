import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { HttpError, HttpStatus, ResponseEntity } from "../http/mod.ts";
import { NO_STORE } from "../runtime/mod.ts";
import { type Binder, type BinderInput, binderOf, failure } from "../web/mod.ts";
import { etag, isListed, parseEntityTags, type Version } from "./entity_tag.ts";

/** The version of a resource; `undefined` or `null` if there is none. */
export type CurrentVersion = Version | null | undefined;

/** What {@linkcode IfMatch} binds: the versions that the client accepts. */
export interface IfMatch {
  /** Type only, what a client sends: an entity tag as `ETag` had it. */
  readonly "~sent"?: string;
  /** Whether all versions are accepted: for `*` and, if it is not required, without the header. */
  readonly isAny: boolean;
  /** Versions that are accepted, as {@linkcode etag} writes them between quotes: for `WHERE version = …`. */
  readonly versions: readonly string[];
  /** Whether a version is accepted. A missing resource is accepted only without the header. */
  matches(version: CurrentVersion): boolean;
  /** @throws {HttpError} 412 for a version that is not accepted */
  check(version: CurrentVersion): void;
}

/** What {@linkcode IfNoneMatch} binds: the versions that the client has, or that must not exist. */
export interface IfNoneMatch {
  /** Type only, what a client sends: an entity tag as `ETag` had it, or `*`. */
  readonly "~sent"?: string;
  /** Whether a version is one of them; false for a missing resource, and without the header. */
  matches(version: CurrentVersion): boolean;
  /** @throws {HttpError} 412 for a version that is one of them */
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
  return condition(
    { name: "If-Match", required, statuses: required ? [412, 428] : [412] },
    (tags) => {
      const matches = (version: CurrentVersion) =>
        tags === undefined || isIn(tags, version, "strong");
      const versions = Array.isArray(tags) ? tags : [];
      return {
        isAny: tags === undefined || tags === "*",
        versions: versions.filter((tag) => tag.startsWith('"')).map((tag) => tag.slice(1, -1)),
        matches,
        check(version) {
          if (!matches(version)) {
            throw failed(
              "If-Match",
              "names no current version of the resource",
            );
          }
        },
      };
    },
  );
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
  return condition({ name: "If-None-Match", required: false, statuses: [304, 412] }, (tags) => {
    const matches = (version: CurrentVersion) => tags !== undefined && isIn(tags, version, "weak");
    return {
      matches,
      check(version) {
        if (matches(version)) {
          throw failed("If-None-Match", "excludes the current version of the resource");
        }
      },
    };
  });
}

/** 304 with the `ETag` of a version (RFC 9110, 15.4.5). @throws {TypeError} for an invalid version */
export function notModified(version: Version): ResponseEntity<never> {
  const entity = ResponseEntity.status(HttpStatus.NOT_MODIFIED) as ResponseEntity<never>;
  return entity.withHeader("ETag", etag(version));
}

function condition<T>(
  input: {
    readonly name: string;
    readonly required: boolean;
    readonly statuses: readonly number[];
  },
  bind: (tags: "*" | readonly string[] | undefined) => T,
): Binder<T> {
  const { name } = input;
  return binderOf({
    input: { ...input, in: "header", list: false, type: ENTITY_TAGS },
    compile: () => (exchange) => {
      const field = exchange.header(name);
      if (field === null) {
        if (!input.required) return bind(undefined);
        throw new HttpError(428, `Send the 'ETag' of the resource in '${name}'`, {
          headers: NO_STORE,
        });
      }
      const tags = parseEntityTags(field);
      if (tags !== undefined) return bind(tags);
      throw failure({ in: "header", name }, `expected '*' or entity tags such as '"7"'`);
    },
  });
}

function isIn(
  tags: "*" | readonly string[],
  version: CurrentVersion,
  comparison: "strong" | "weak",
): boolean {
  return version !== undefined && version !== null && isListed(etag(version), tags, comparison);
}

function failed(name: string, reason: string): HttpError {
  return new HttpError(412, `The header '${name}' ${reason}`);
}

const SCHEMA = { type: "string", pattern: '^(\\*|((W/)?"[!#-~]*"(, (W/)?"[!#-~]*")*)?)$' };

/** Read by the OpenAPI document only. */
const ENTITY_TAGS: StandardSchemaV1 & StandardJSONSchemaV1 = {
  "~standard": {
    version: 1,
    vendor: "irori",
    validate: (value) => ({ value }),
    jsonSchema: { input: () => SCHEMA, output: () => SCHEMA },
  },
};
