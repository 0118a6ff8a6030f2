import { allMetadata, isComponent, lineage, ownMetadata, type Type } from "../../container/mod.ts";
import { type HttpStatus, isBodiless, problemStatus, STATUS } from "../../http/mod.ts";
import { ACCESS } from "../access.ts";
import { mediaTypeError } from "../answer/media_type.ts";
import type { ApiVersions, ServedPath, VersionsOf } from "./api_versions.ts";
import {
  ADVICES,
  CONTROLLERS,
  effectiveDeclarations,
  type ExceptionMapping,
  EXCEPTIONS,
  FIELDS,
  type HandlerMapping,
  MAPPINGS,
  MIDDLEWARE,
  PREFIXES,
  VERSIONED,
} from "../declare/metadata.ts";
import { type MiddlewareResolver, unresolved } from "../declare/middleware.ts";
import { MappingError, refuseMapping } from "../errors.ts";
import { checkStatus } from "../fail/exception_handler.ts";
import { parsePattern, type Pattern } from "../path/pattern.ts";
import { takesNothing } from "../answer/returns.ts";
import { compareConditions, compareRoutes } from "./route_order.ts";
import { rejectUnknownKeys, rejectUnsendable } from "../declare/schema_rules.ts";
import { type ControllerBean, labelOf, type ServedRoute, serveRoute } from "./served_route.ts";
import type { MiddlewareSource, Route } from "../types.ts";

/** The most specific path first, whatever the order of declaration. @throws {MappingError} */
export function routeTable(
  beans: Iterable<ControllerBean>,
  contextPath = "",
  resolve: MiddlewareResolver = unresolved,
  versionsOf?: VersionsOf,
): readonly ServedRoute[] {
  const controllers: { readonly name: string; readonly type: Type<unknown> }[] = [];
  const advices: (readonly ExceptionMapping[])[] = [];
  for (const { name, type, scope } of beans) {
    if (type === undefined) continue;
    checkController(type, scope);
    if (ownMetadata(type, CONTROLLERS).length > 0) controllers.push({ name, type });
    if (ownMetadata(type, ADVICES).length > 0) {
      advices.push(effectiveDeclarations(type, EXCEPTIONS));
    }
  }
  const declared = controllers.flatMap(({ type }) => [
    ...allMetadata(type, VERSIONED),
    ...effectiveDeclarations(type, MAPPINGS).map(({ versioned }) => versioned),
  ]).flatMap(({ versions = [] }) => versions);
  const versions = versionsOf?.(declared, contextPath);
  const routes = controllers.flatMap(({ name, type }) => {
    const places = [effectiveDeclarations(type, EXCEPTIONS), ...advices];
    const errorsOf = places.flat()[0]?.declaredIn(places);
    return routesOf(name, type, contextPath, resolve, versions, errorsOf);
  });
  refuseTwins(routes.sort(compareRoutes), compareRoutes);
  // If the path names the version, it decides alone: no unversioned route may have the path of a version.
  if (versions !== undefined && versions.header === undefined) {
    const places = routes.filter(({ version, isAlias }) => version !== undefined || !isAlias);
    refuseTwins(places.sort(compareConditions), compareConditions);
  }
  return Object.freeze(routes);
}

/** Omits aliases, which repeat a route at another path. */
export function shownRoutes(routes: readonly ServedRoute[]): readonly ServedRoute[] {
  return routes.some(({ isAlias }) => isAlias)
    ? Object.freeze(routes.filter(({ isAlias }) => !isAlias))
    : routes;
}

function checkController(type: Type<unknown>, scope: ControllerBean["scope"]): void {
  const refuse = (reason: string) => refuseMapping(type.name, reason);
  const isController = ownMetadata(type, CONTROLLERS).length > 0;
  const isAdvice = ownMetadata(type, ADVICES).length > 0;
  const [mapping] = ownMetadata(type, MAPPINGS);
  const [exception] = ownMetadata(type, EXCEPTIONS);
  if (mapping && !isController) {
    refuse(`'${mapping.handler}' has a mapping, but the class has no @RestController()`);
  }
  if (exception && !isController && !isAdvice) {
    refuse(
      `'${exception.handler}' handles errors, but the class has no @ControllerAdvice() or @RestController()`,
    );
  }
  if (isController && isAdvice) {
    refuse("expected @RestController() or @ControllerAdvice() on the class, found both");
  }
  if (scope === "prototype" && (isController || isAdvice)) {
    const what = isController ? "a controller" : "an advice";
    refuse(`${what} must be a singleton; remove @Scope("prototype")`);
  }
  checkMembers(type, isController, refuse);
}

function checkMembers(
  type: Type<unknown>,
  isController: boolean,
  refuse: (reason: string) => void,
): void {
  const mapped = new Set(allMetadata(type, MAPPINGS).map(({ handler }) => handler));
  const declared = [
    ...allMetadata(type, ACCESS),
    ...allMetadata(type, FIELDS),
    ...ownMetadata(type, MIDDLEWARE).map(({ handler }) => ({ decorator: "Use", handler })),
  ];
  for (const { decorator, handler } of declared) {
    const where = handler === undefined ? "it" : `'${handler}'`;
    if (!isController) refuse(`${where} has @${decorator}, but the class has no @RestController()`);
    if (handler !== undefined && !mapped.has(handler)) {
      refuse(`${where} has @${decorator}, but no mapping`);
    }
  }
  ownMetadata(type, EXCEPTIONS).forEach(({ check }) => check(type));
  const prefixes = ownMetadata(type, PREFIXES);
  if (prefixes.length > 1) {
    refuse(`expected one @RequestMapping(prefix) on the class, found ${prefixes.length}`);
  }
  if (isController && mapped.size === 0 && allMetadata(type, EXCEPTIONS).length === 0) {
    refuse('no method has a mapping such as @GetMapping("/users")');
  }
}

/**
 * Rejects classes with handlers but no stereotype, which the component scan would skip silently, unless they are base classes;
 * and error classes with an invalid status.
 *
 * @throws {MappingError}
 */
export function rejectUndecoratedControllers(exported: readonly unknown[]): void {
  const types = exported.filter((value) => typeof value === "function") as Type<unknown>[];
  for (const type of types) {
    if (Object.hasOwn(type, STATUS)) checkStatus(type);
    const handlers = ownMetadata(type, MAPPINGS).length + ownMetadata(type, EXCEPTIONS).length;
    if (isComponent(type) || handlers === 0) continue;
    const isBase = types.some(({ prototype }) => prototype instanceof type);
    if (!isBase) checkController(type, "singleton");
  }
}

const UNSERVED_VERSION = "it has a version, but neither 'server.api-version.header' nor " +
  "'server.api-version.path' is set; set one of them";

function routesOf(
  name: string,
  type: Type<unknown>,
  contextPath: string,
  resolve: MiddlewareResolver,
  versions: ApiVersions | undefined,
  errorsOf?: ReturnType<ExceptionMapping["declaredIn"]>,
): ServedRoute[] {
  const prefix = allMetadata(type, PREFIXES).at(-1) ?? "";
  const [protection] = allMetadata(type, ACCESS);
  return effectiveDeclarations(type, MAPPINGS).flatMap((mapping) => {
    const label = `${type.name}.${mapping.handler}`;
    checkMediaTypes(mapping, label);
    checkContract(mapping, label);
    rejectUnsendable(mapping, label);
    refuseSharedParameters(mapping, label);
    const { handler, path, methods, status, consumes, produces, versioned, ...declared } = mapping;
    const { access, rules = [] } = protection?.accessOf(type, handler) ?? {};
    const said = [...allMetadata(type, VERSIONED), versioned];
    const own = said.findLast((one) => one.versions !== undefined)?.versions;
    const deprecated = said.findLast((one) => one.deprecation !== undefined)?.deprecation;
    if (own && !versions) refuseMapping(label, UNSERVED_VERSION);
    const places = versions?.pathsOf(own, label) ?? [{ segment: "", isAlias: false }];
    const placed = ({ version, segment, isAlias }: ServedPath): ServedRoute[] => {
      const beforeMethod = joinPaths(contextPath, segment, prefix).replace(/\/$/, "");
      const prefixSegments = beforeMethod ? read(beforeMethod, type.name).segments.length : 0;
      const pattern = read(joinPaths(contextPath, segment, prefix, path), label);
      const deprecation = deprecated ??
        (version === undefined ? undefined : versions?.deprecationOf(version));
      return methods.map((method): ServedRoute => {
        const data: Route = {
          method,
          path: pattern.text,
          controller: name,
          handler,
          consumes,
          produces,
          ...(status && { status: status.value }),
          ...(version !== undefined && { version }),
          ...(deprecation && { deprecated: true }),
          ...(access && { access }),
        };
        return serveRoute(data, {
          pattern,
          prefixSegments,
          type,
          ...declared,
          ...errorsOf?.(mapping),
          deprecation,
          versions,
          isAlias,
          middleware: middlewareOf(type, handler).map(resolve),
          accessRules: rules,
        });
      });
    };
    return places.flatMap(placed);
  });
}

/** In reading order, bases first, those of the class before: decorators of one target are applied from the bottom up. */
function middlewareOf(type: Type<unknown>, handler: string): readonly MiddlewareSource[] {
  const uses = lineage(type).flatMap((one) => ownMetadata(one, MIDDLEWARE).toReversed());
  const of = (name: string | undefined) =>
    uses.filter((use) => use.handler === name).flatMap(({ middleware }) => middleware);
  return [...of(undefined), ...of(handler)];
}

function joinPaths(...paths: readonly string[]): string {
  return paths.reduce((joined, path) => {
    if (path === "") return joined;
    const rest = path.startsWith("/") ? path : `/${path}`;
    return `${joined.endsWith("/") ? joined.slice(0, -1) : joined}${rest}`;
  }, "");
}

function read(path: string, label: string): Pattern {
  try {
    return parsePattern(path === "" ? "/" : path);
  } catch (error) {
    throw new MappingError(`${(error as Error).message} (mapped to '${label}')`, [label]);
  }
}

function checkMediaTypes({ consumes, produces }: HandlerMapping, label: string): void {
  for (const [name, types] of Object.entries({ consumes, produces })) {
    for (const type of types) {
      const reason = mediaTypeError(type, name === "produces");
      if (reason) refuseMapping(label, `${name} '${type}' ${reason}`);
    }
  }
}

/** @throws {MappingError} when a response could have fields or a status that are not declared */
function checkContract({ returns, problems, status }: HandlerMapping, label: string): void {
  const refuse = (option: string, { value }: HttpStatus, expected: string) => {
    const found = `'${option}' with the status ${value} has no effect`;
    refuseMapping(label, `${found}, expected ${expected}`);
  };
  if (returns !== undefined && status !== undefined) {
    const isOfNothing = isBodiless(status.value) && status.value < 300 && takesNothing(returns);
    if (status.value >= 300 || isBodiless(status.value) && !isOfNothing) {
      refuse("returns", status, "a 2xx status with a body");
    }
  }
  if (returns !== undefined) rejectUnknownKeys(returns, "returns", label);
  for (const one of problems) {
    const status = problemStatus(one);
    if (status.value < 400) refuse("problems", status, "400 to 599");
    const schema = "problem" in one ? one.problem.schema : undefined;
    if (schema !== undefined) rejectUnknownKeys(schema, "problems", label);
  }
}

function refuseSharedParameters({ binders }: HandlerMapping, label: string): void {
  const owners = new Map<string, number>();
  const isOfSeveral = (index: number) => binders[index]?.input.parameters !== undefined;
  for (const [index, { input: { in: place, name, parameters } }] of binders.entries()) {
    const names = parameters ? Object.keys(parameters) : place === "query" && name ? [name] : [];
    for (const name of names) {
      const other = owners.get(name);
      owners.set(name, index);
      if (other === undefined || !(isOfSeveral(other) || isOfSeveral(index))) continue;
      const both = `the parameters ${other + 1} and ${index + 1} both bind`;
      refuseMapping(label, `${both} the query parameter '${name}': bind it once`);
    }
  }
}

function refuseTwins(sorted: readonly ServedRoute[], compare: typeof compareRoutes): void {
  sorted.slice(1).forEach((next, index) => {
    const route = sorted[index]!;
    if (compare(route, next) !== 0) return;
    const labels = [route, next].map(labelOf);
    throw new MappingError(
      `Two handlers match the same requests: '${labels[0]}' (${route.method} ${route.path}) and ` +
        `'${labels[1]}' (${next.method} ${next.path})`,
      labels,
    );
  });
}
