import {
  addMetadata,
  type ClassContext,
  decorator,
  type MethodContext,
} from "../../container/mod.ts";
import { isSchema } from "../../schema/mod.ts";
import { type Binder, binderParts } from "../bind/binder.ts";
import type {
  Binders,
  ClassMappingOptions,
  HandlerDecorator,
  Mapping,
  MappingOptions,
  RequestMappingOptions,
} from "./mapping_types.ts";
import { handlerName, MAPPINGS, PREFIXES, VERSIONED } from "./metadata.ts";
import { versioned } from "./versions.ts";
import { MappingError } from "../errors.ts";
import { METHODS } from "../path/methods.ts";
import type { HttpMethod } from "../types.ts";

/**
 * Maps GET and HEAD requests to a method of a controller.
 *
 * ```ts ignore
 * @GetMapping("/users/{id}", PathVariable("id", "int"))
 * @GetMapping({ path: "/report", produces: ["application/json", "application/xml"] })
 * ```
 *
 * Takes a path or options, then a binder for each parameter of the method, in order. A path may contain `{name}`,
 * `{name:regex}`, `*` within a segment, and `/**` or `{*name}` at its end. Options of all mappings:
 *
 * - `path`, empty by default
 * - `consumes`: accepted media types of bodies, such as `application/json` or `image/*`; others get 415
 * - `produces`: media types of responses, the preferred one first; 406 if the client accepts none
 * - `status` of the response, unless the handler returns a `ResponseEntity` or a `Response`: 200 by default
 * - `maxBodySize`: maximum bytes of a body; overrides `server.max-body-size`
 * - `returns`: a Standard Schema, or a class made with `Model(schema)`, of every 2xx body except that of a `Response`: the
 *   compiler compares it with the return type, unknown fields are not sent, and an invalid body gets 500
 * - `problems`: other responses: classes made by `Problem()`, or statuses
 * - `version` of the API, one or several; all by default
 * - `deprecated`: `{ since: "2026-01-31", sunset, link, sunsetLink }`
 */
export const GetMapping: Mapping = /* @__PURE__ */ mapping("GetMapping", "GET");

/** Maps POST requests to a method of a controller, as {@linkcode GetMapping} does. */
export const PostMapping: Mapping = /* @__PURE__ */ mapping("PostMapping", "POST");

/** Maps PUT requests to a method of a controller, as {@linkcode GetMapping} does. */
export const PutMapping: Mapping = /* @__PURE__ */ mapping("PutMapping", "PUT");

/** Maps PATCH requests, as {@linkcode GetMapping} does. */
export const PatchMapping: Mapping = /* @__PURE__ */ mapping("PatchMapping", "PATCH");

/** Maps DELETE requests to a method of a controller, as {@linkcode GetMapping} does. */
export const DeleteMapping: Mapping = /* @__PURE__ */ mapping("DeleteMapping", "DELETE");

/**
 * On a class: the prefix of all its paths, or `path`, `version` and `deprecated` of all its handlers. On a method: a mapping
 * to one or more HTTP methods, with the options of {@linkcode GetMapping} and `method`.
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
): (type: abstract new (...args: never[]) => unknown, context: ClassContext) => void;
/** On a method: maps one or more HTTP methods. */
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
  const given = [mapped, ...binders];
  return decorator("RequestMapping", given, (context: ClassContext | MethodContext, target) => {
    if (context.kind === "class" && !(typeof mapped === "object" && "method" in mapped)) {
      const name = String(context.name);
      const { path = "", version, deprecated, ...unknown } = toOptions<ClassMappingOptions>(mapped);
      checkGiven(name, path, unknown);
      addMetadata(context, PREFIXES, path);
      const declared = versioned({ version, deprecated }, (message) => refuse(name, message));
      addMetadata(context, VERSIONED, declared);
    } else if (context.kind === "method" && typeof mapped === "object" && "method" in mapped) {
      const { method, ...options } = mapped;
      addHandler("RequestMapping", target, context, [method].flat(), options, binders);
    } else {
      throw new MappingError(
        `Cannot apply @RequestMapping to the ${context.kind} '${String(context.name)}': ` +
          "expected a prefix or { path, version } on a class, or { path, method } on a method",
      );
    }
  });
}

function mapping(name: string, method: HttpMethod): Mapping {
  const decorate = (path: string | MappingOptions = "", ...binders: Binder<unknown, string>[]) =>
    decorator(name, [path, ...binders], (context: MethodContext, target) => {
      addHandler(name, target, context, [method], path, binders);
    });
  return decorate as Mapping;
}

function addHandler(
  decorator: string,
  handler: unknown,
  context: MethodContext,
  methods: readonly HttpMethod[],
  given: string | MappingOptions,
  binders: readonly Binder<unknown, string>[],
): void {
  const name = handlerName(decorator, context);
  const { path = "", consumes, produces, maxBodySize, ...others } = toOptions(given);
  const { status, returns, problems = [], version, deprecated, ...unknown } = others;
  checkGiven(name, path, unknown);
  const fail = (message: string): never => refuse(name, message);
  const isHandled = (method: string) => method !== "HEAD" && METHODS.includes(method);
  if (methods.length === 0 || !methods.every(isHandled)) {
    fail(`expected a method such as "GET", which answers HEAD, found '${methods}'`);
  }
  for (const one of [status, problems].flat()) {
    if (/^[ns]/.test(typeof one)) {
      fail(`expected a status such as HttpStatus.NOT_FOUND, found '${one}'`);
    }
  }
  const { length } = handler as () => void;
  if (length > binders.length + 1) {
    fail(
      `its ${length} parameters without a default (the last may be the request) need ${BINDER} each, found ${binders.length}`,
    );
  }
  if (maxBodySize !== undefined && !(Number.isSafeInteger(maxBodySize) && maxBodySize >= 0)) {
    fail(`expected a number of bytes as 'maxBodySize', found '${maxBodySize}'`);
  }
  if (returns !== undefined && !isSchema(returns)) {
    return fail(`expected a Standard Schema as 'returns', found ${typeof returns}`);
  }
  addMetadata(context, MAPPINGS, {
    handler: name,
    methods,
    path,
    binders: binders.map((binder, index) =>
      // JavaScript has no type check.
      binderParts(binder) ?? fail(
        `expected ${BINDER} for parameter ${index + 1}, found ${typeof binder}`,
      )
    ),
    consumes: [consumes ?? []].flat(),
    produces: [produces ?? []].flat(),
    maxBodySize,
    status,
    returns,
    problems: [problems].flat(),
    versioned: versioned({ version, deprecated }, fail),
  });
}

/** JavaScript has no type check. @throws {MappingError} for what would have no effect */
function checkGiven(name: string, path: unknown, unknown: object): void {
  const [odd] = typeof path === "string" ? Object.keys(unknown) : [path];
  if (odd === undefined) return;
  refuse(name, `expected one path or options such as { path: "/users" }, found '${odd}'`);
}

function toOptions<O extends { readonly path?: string }>(given: string | O): O {
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  return isObject ? given : { path: given } as O;
}

const BINDER = 'a binder such as RequestParam("name")';

function refuse(name: string, message: string): never {
  throw new MappingError(`Cannot map '${name}': ${message}`);
}
