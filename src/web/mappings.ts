import { addMetadata, standardOnly } from "../container/mod.ts";
import { type Binder, type BinderParts, partsOf } from "./binder.ts";
import { isVersion, notVersion } from "./api_versions.ts";
import { deprecation } from "./deprecation.ts";
import { MappingError } from "./errors.ts";
import { handlerName } from "./handler_name.ts";
import type {
  Binders,
  ClassMappingOptions,
  HandlerDecorator,
  Mapping,
  MappingOptions,
  RequestMappingOptions,
  VersionOptions,
} from "./mapping_types.ts";
import { MAPPINGS, PREFIXES, VERSIONED, type Versioned } from "./metadata.ts";
import { isSchema } from "./schema.ts";
import type { HttpMethod } from "./types.ts";

/**
 * Maps GET requests, and HEAD requests with them, to a method of a controller.
 *
 * ```ts ignore
 * @GetMapping("/users/{id}", PathVariable("id", "int"))
 * @GetMapping({ path: "/report", produces: ["application/json", "application/xml"] })
 * ```
 *
 * It takes a path, or options, and then where each parameter of the method comes from, in their order. A path has
 * `{name}`, `{name:regex}`, `*` within a segment, and `/**` or `{*name}` at its end. The options, which all mappings have:
 *
 * - `path`, empty by default
 * - `consumes`: media types of the bodies that it takes, such as `application/json` or `image/*`; others get 415
 * - `produces`: media types that it answers with, the preferred one first; who accepts none of them gets 406
 * - `status` of what it returns, unless that is a `ResponseEntity` or a `Response`: 200 by default
 * - `maxBodySize`: bytes of a body, in place of `server.max-body-size`
 * - `returns`: a Standard Schema, or a class made with `Model(schema)`, that every body of a 2xx passes through: the
 *   compiler compares it with what the method returns, what it does not name is not sent, and what does not fit is
 *   answered with 500. A `Response` is sent as it is.
 * - `problems`: what else it answers with: classes made by `Problem()`, or statuses
 * - `version` of the API, one or several; all of them by default
 * - `deprecated`: since when clients should leave it, `{ since: "2026-01-31", sunset, link, sunsetLink }`
 */
export const GetMapping: Mapping = mapping("GetMapping", "GET");

/** Maps POST requests to a method of a controller, as {@linkcode GetMapping} does. */
export const PostMapping: Mapping = mapping("PostMapping", "POST");

/** Maps PUT requests to a method of a controller, as {@linkcode GetMapping} does. */
export const PutMapping: Mapping = mapping("PutMapping", "PUT");

/** Maps PATCH requests, as {@linkcode GetMapping} does. */
export const PatchMapping: Mapping = mapping("PatchMapping", "PATCH");

/** Maps DELETE requests to a method of a controller, as {@linkcode GetMapping} does. */
export const DeleteMapping: Mapping = mapping("DeleteMapping", "DELETE");

/**
 * On a class: the prefix of the paths of all its handlers, or `path`, `version` and `deprecated` of all of them. On a
 * method: a mapping to one or more methods, with the options of {@linkcode GetMapping} and `method`.
 *
 * ```ts ignore
 * @RestController()
 * @RequestMapping("/orgs/{org}")
 * class MemberController {
 *   @RequestMapping({ path: "/members", method: ["PUT", "PATCH"] }, PathVariable("org", "int", { in: "class" }))
 *   change(org: number) { … }
 * }
 * ```
 */
export function RequestMapping(
  prefix: string | ClassMappingOptions,
): (type: abstract new (...args: never[]) => unknown, context: ClassDecoratorContext) => void;
/** On a method: maps it to one or more methods of requests. */
export function RequestMapping<
  const P extends string = "",
  A extends unknown[] = [],
  I = unknown,
>(
  options: RequestMappingOptions<P, I>,
  ...binders: Binders<P, A>
): HandlerDecorator<A, I>;
export function RequestMapping(
  mapped: string | ClassMappingOptions | RequestMappingOptions,
  ...binders: Binder<unknown, string>[]
): (target: never, context: never) => void {
  return (...args: [unknown, ClassDecoratorContext | ClassMethodDecoratorContext]) => {
    standardOnly("RequestMapping", args);
    const context = args[1];
    if (context.kind === "class" && !(typeof mapped === "object" && "method" in mapped)) {
      const { path = "", ...options } = typeof mapped === "object" ? mapped : { path: mapped };
      addMetadata(context, PREFIXES, path);
      addMetadata(context, VERSIONED, versioned(options, String(context.name)));
    } else if (context.kind === "method" && typeof mapped === "object" && "method" in mapped) {
      addHandler("RequestMapping", context, listOf(mapped.method), mapped, binders);
    } else {
      throw new MappingError(
        `Cannot apply @RequestMapping to the ${context.kind} '${String(context.name)}': ` +
          "expected a prefix or { path, version } on a class, or { path, method } on a method",
      );
    }
  };
}

function mapping(decorator: string, method: HttpMethod): Mapping {
  const decorate = (path: string | MappingOptions = "", ...binders: Binder<unknown, string>[]) => {
    const options = typeof path === "object" ? path : { path };
    return (...args: [unknown, ClassMethodDecoratorContext]) => {
      standardOnly(decorator, args);
      addHandler(decorator, args[1], [method], options, binders);
    };
  };
  return decorate as Mapping;
}

function addHandler(
  decorator: string,
  context: ClassMethodDecoratorContext,
  methods: readonly HttpMethod[],
  options: MappingOptions,
  binders: readonly Binder<unknown, string>[],
): void {
  const { path = "", consumes, produces, maxBodySize, status, returns, problems = [] } = options;
  const name = handlerName(decorator, context);
  if (maxBodySize !== undefined && !(Number.isSafeInteger(maxBodySize) && maxBodySize >= 0)) {
    throw new MappingError(
      `Cannot map '${name}': expected a number of bytes as maxBodySize, found '${maxBodySize}'`,
    );
  }
  if (returns !== undefined && !isSchema(returns)) {
    throw new MappingError(
      `Cannot map '${name}': expected a Standard Schema as returns, found ${typeof returns}`,
    );
  }
  addMetadata(context, MAPPINGS, {
    handler: name,
    methods,
    path,
    binders: binders.map((binder, index) => partsOf(binder) ?? refuse(binder, name, index)),
    consumes: listOf(consumes ?? []),
    produces: listOf(produces ?? []),
    maxBodySize,
    status,
    returns,
    problems,
    versioned: versioned(options, name),
  });
}

function versioned({ version, deprecated }: VersionOptions, name: string): Versioned {
  const fail = (message: string): never => {
    throw new MappingError(`Cannot map '${name}': ${message}`);
  };
  const versions = version === undefined ? undefined : [...new Set(listOf(version))];
  const wrong = versions?.find((version) => !isVersion(version));
  if (wrong !== undefined) fail(notVersion(wrong));
  if (versions?.length === 0) fail("expected a version, found none");
  return {
    versions,
    deprecation: deprecated &&
      deprecation(deprecated, (option, message) => fail(`'deprecated.${option}': ${message}`)),
  };
}

/** Scripts are not told by the compiler. */
function refuse(found: unknown, handler: string, index: number): BinderParts {
  const what = typeof found === "function" ? "a function" : `'${found}'`;
  throw new MappingError(
    `Cannot map '${handler}': expected a binder such as RequestParam("name") for parameter ${
      index + 1
    }, found ${what}`,
  );
}

function listOf<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T];
}
