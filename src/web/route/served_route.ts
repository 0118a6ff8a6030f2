import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { MiddlewareHandler } from "hono";
import type { Type } from "../../container/mod.ts";
import { isOpenWithUser } from "../access.ts";
import type { Deprecation } from "../answer/deprecation.ts";
import type { BinderParts } from "../bind/binder.ts";
import type { ApiVersions } from "./api_versions.ts";
import type { Pattern } from "../path/pattern.ts";
import type { AccessRule, Decisions, DeclaredErrors, Route } from "../types.ts";

export interface ServedRoute extends Route, RouteParts {}

interface RouteParts extends DeclaredErrors {
  readonly pattern: Pattern;
  readonly prefixSegments: number;
  readonly type: Type<unknown>;
  readonly binders: readonly BinderParts[];
  readonly maxBodySize?: number;
  readonly returns?: StandardSchemaV1;
  readonly deprecation?: Deprecation;
  readonly versions?: ApiVersions;
  /** Whether it repeats another route at another path, and is not listed. */
  readonly isAlias: boolean;
  readonly middleware: readonly MiddlewareHandler[];
  readonly accessRules: readonly AccessRule[];
  readonly schemes?: Decisions["schemes"];
}

/** The parts are not enumerable, so that only the data is shown. */
export function serveRoute(route: Route, parts: RouteParts): ServedRoute {
  const properties = Object.entries(parts).map(([name, value]) => [name, { value }]);
  Object.defineProperties(route, Object.fromEntries(properties));
  return Object.freeze(route) as ServedRoute;
}

export function guardRoutes(
  routes: readonly ServedRoute[],
  decisions: Decisions,
): readonly ServedRoute[] {
  const { schemes, middleware } = decisions;
  return Object.freeze(routes.map((route) => {
    const { binders, middleware: own } = route;
    const access = decisions.accessOf(route.access);
    const isOpen = access.allows === "permitAll" && !isOpenWithUser({ access, binders });
    // It runs later, but keeps the route off the lane, as all middleware does.
    const kept = isOpen || middleware.length === 0 ? own : [...own, passOn];
    const guarded = Object.defineProperties({}, {
      ...Object.getOwnPropertyDescriptors(route),
      access: { value: access, enumerable: true },
      schemes: { value: schemes },
      middleware: { value: kept },
    });
    return Object.freeze(guarded) as ServedRoute;
  }));
}

/** Stands for the middleware of `security()`. */
export const passOn: MiddlewareHandler = (_, next) => next();

export function servedRoute(route: Route): ServedRoute {
  if ("binders" in route) return route as ServedRoute;
  const { method, path } = route;
  throw new TypeError(
    `Cannot describe the route '${method} ${path}': expected a route of app.routeTable, found a copy`,
  );
}

export function isVersionedByHeader({ version, versions }: ServedRoute): boolean {
  return version !== undefined && versions?.header !== undefined;
}

export function labelOf(route: ServedRoute): string {
  return `${route.type.name}.${route.handler}`;
}

export interface ControllerBean {
  readonly name: string;
  readonly type?: Type<unknown>;
  readonly scope?: "singleton" | "prototype";
}
