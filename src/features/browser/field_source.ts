import type { ExtendedApplication } from "../../app/mod.ts";
import { allMetadata } from "../../container/mod.ts";
import { copied, isMade, varied, withHeader } from "../../http/mod.ts";
import {
  type AddedFields,
  type Asked,
  compareSpecificity,
  type FieldSource,
  finderByPath,
  MappingError,
  parsePattern,
  type Route,
  routingPath,
  servedRoute,
} from "../../web/mod.ts";
import { defined, elementsOf } from "../../text/mod.ts";
import { type CorsPolicy, corsPolicy } from "./cors.ts";
import { DECLARED } from "./decorator.ts";
import type { ApplicationCors, CorsOptions, CorsPath } from "./types.ts";

/** By the first options that there are: of the method, its class, the path, the application. */
export function fieldSource(
  application: ExtendedApplication,
  cors: ApplicationCors | undefined,
  base: AddedFields,
): FieldSource & { readonly hasCors: boolean } {
  const { paths = [], ...options } = cors ?? {};
  // Options for some paths leave the others as they are.
  const isForAll = cors && (!cors.paths || Object.keys(defined(options)).length > 0);
  const ofAll = isForAll ? corsPolicy(options, base) : undefined;
  const ofPath = paths.length > 0 ? policiesByPath(application, paths, base) : undefined;
  const isDeclared = application.routes.some((route) => declarationsOf(route).length > 0);
  const ofHandler = isDeclared ? policiesByHandler(application, base) : undefined;
  const policyOf = (request: Asked) => ofHandler?.(request) ?? ofPath?.(request.path) ?? ofAll;
  const fieldsFor = (request: Asked) => policyOf(request)?.fields(request) ?? base;
  return {
    hasCors: cors !== undefined || isDeclared,
    before(request) {
      const asked = askedBy(request);
      return announcedBy(asked) === null ? undefined : policyOf(asked)?.preflight(asked);
    },
    addedTo: (response, request) => withFields(response, fieldsFor(askedBy(request))),
    of: fieldsFor,
  };
}

/** The method of the request that a preflight announces (Fetch, 3.3.2); other requests with OPTIONS are the routes'. */
function announcedBy(request: Asked): string | null {
  if (request.method !== "OPTIONS" || request.header("origin") === null) return null;
  return request.header("access-control-request-method");
}

function policiesByPath(
  { contextPath }: ExtendedApplication,
  paths: readonly CorsPath[],
  base: AddedFields,
): (path: string) => CorsPolicy | undefined {
  const all = paths.map(({ path, ...options }) => {
    return { pattern: parsePattern(path), policy: corsPolicy(options, base) };
  });
  const find = finderByPath(all.sort((a, b) => compareSpecificity(a.pattern, b.pattern)));
  return (path) => {
    const isBelow = contextPath !== "" && `${path}/`.startsWith(`${contextPath}/`);
    return find(isBelow ? path.slice(contextPath.length) || "/" : path)[0]?.policy;
  };
}

/** Where no handler has the method, by the class of the nearest path. */
function policiesByHandler(
  { routes, routesAt }: ExtendedApplication,
  base: AddedFields,
): (request: Asked) => CorsPolicy | undefined {
  const policies = new Map<CorsOptions, CorsPolicy>();
  routes.forEach((route) => {
    const { method, pattern } = servedRoute(route);
    const same = routes.find((other) =>
      other.method === method && compareSpecificity(servedRoute(other).pattern, pattern) === 0
    )!;
    if (corsOptions(same, same.handler) === corsOptions(route, route.handler)) return;
    throw new MappingError(
      `Cannot choose the @CrossOrigin of '${route.method} ${route.path}': '${same.controller}.${same.handler}' and ` +
        `'${route.controller}.${route.handler}' have different ones`,
    );
  });
  return (request) => {
    const method = (announcedBy(request) ?? request.method).replace(/^HEAD$/, "GET");
    const found = routesAt(request.path);
    const handled = found.find((route) => route.method === method);
    const options = corsOptions(handled ?? found[0], handled?.handler);
    if (options === undefined) return undefined;
    const policy = policies.get(options) ?? corsPolicy(options, base);
    policies.set(options, policy);
    return policy;
  };
}

/** The options of the handler or, without one, of its class. */
function corsOptions(route: Route | undefined, handler?: string): CorsOptions | undefined {
  const declared = route ? declarationsOf(route) : [];
  const of = (name?: string) => declared.findLast((one) => one.handler === name)?.options;
  return of(handler) ?? of();
}

function declarationsOf(route: Route) {
  return allMetadata(servedRoute(route).type, DECLARED);
}

function askedBy(request: Request): Asked {
  return {
    method: request.method,
    get path() {
      return routingPath(request);
    },
    header: (name) => request.headers.get(name),
  };
}

function withFields(given: Response, fields: AddedFields): Response {
  // The application may send one of its own again and again.
  const response = isMade(given) || given.status === 101 ? given : copied(given);
  for (const [name, value] of Object.entries(fields)) {
    if (value === null) response.headers.delete(name);
    else if (name === "Vary") elementsOf(value).forEach((one) => varied(response, one));
    else withHeader(response, name, value);
  }
  return response;
}
