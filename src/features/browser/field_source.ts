import type { ExtendedApplication } from "../../app/mod.ts";
import { allMetadata } from "../../container/mod.ts";
import type { AddedFields } from "../../http/mod.ts";
import {
  type Asked,
  compareSpecificity,
  type FieldSource,
  finderByPath,
  parsePattern,
  servedRoute,
} from "../../web/mod.ts";
import { type CorsPolicy, corsPolicy } from "./cors.ts";
import { DECLARED } from "./decorator.ts";
import type { ApplicationCors, CorsOptions } from "./types.ts";

/** The first that there is counts: of the method, of its class, of the path, of the application. */
export function fieldSource(
  application: ExtendedApplication,
  cors: ApplicationCors | undefined,
  base: AddedFields,
): FieldSource & { readonly hasCors: boolean } {
  const { paths = [], ...options } = cors ?? {};
  const whole = cors && hasOptions(options, paths) ? corsPolicy(options, base) : undefined;
  const ofPath = pathPolicies(application, paths, base);
  const ofHandler = handlerPolicies(application, base);
  const policyOf = (request: Asked) => ofHandler?.(request) ?? ofPath?.(request.path) ?? whole;
  return {
    hasCors: cors !== undefined || ofHandler !== undefined,
    before: (request) => isPreflight(request) ? policyOf(request)?.preflight(request) : undefined,
    of: (request) => policyOf(request)?.fields(request) ?? base,
  };
}

/** Options for some paths alone leave the others as they are. */
function hasOptions(options: CorsOptions, paths: readonly unknown[]): boolean {
  return paths.length === 0 || Object.values(options).some((option) => option !== undefined);
}

/** Those of other servers of the Fetch standard (4.8) have both fields; other OPTIONS requests are answered by routes. */
function isPreflight(request: Asked): boolean {
  return request.method === "OPTIONS" && request.header("origin") !== null &&
    request.header("access-control-request-method") !== null;
}

function pathPolicies(
  { contextPath }: ExtendedApplication,
  paths: NonNullable<ApplicationCors["paths"]>,
  base: AddedFields,
): ((path: string) => CorsPolicy | undefined) | undefined {
  if (paths.length === 0) return undefined;
  const all = paths.map(({ path, ...options }) => {
    return { pattern: parsePattern(path), policy: corsPolicy(options, base) };
  });
  const find = finderByPath(all.sort((a, b) => compareSpecificity(a.pattern, b.pattern)));
  return (path) => {
    const isBelow = contextPath !== "" && `${path}/`.startsWith(`${contextPath}/`);
    return find(isBelow ? path.slice(contextPath.length) || "/" : path)[0]?.policy;
  };
}

/** Where several handlers share a path, by the method of the request, or of the request that a preflight announces. */
function handlerPolicies(
  { routes, routesAt }: ExtendedApplication,
  base: AddedFields,
): ((request: Asked) => CorsPolicy | undefined) | undefined {
  const policies = new Map(
    routes.map(servedRoute).map(({ type }) => [
      type,
      allMetadata(type, DECLARED).map(({ handler, options }) => {
        return { handler, policy: corsPolicy(options, base) };
      }).toReversed(),
    ]),
  );
  if (![...policies.values()].some(({ length }) => length > 0)) return undefined;
  return (request) => {
    const method = isPreflight(request)
      ? request.header("access-control-request-method")
      : request.method;
    const found = routesAt(request.path);
    const handled = found.find((route) => route.method === (method === "HEAD" ? "GET" : method));
    const [nearest] = found;
    if (nearest === undefined) return undefined;
    const declared = policies.get(servedRoute(handled ?? nearest).type)!;
    const of = (handler: string | undefined) => declared.find((one) => one.handler === handler);
    return (of(handled?.handler) ?? of(undefined))?.policy;
  };
}
