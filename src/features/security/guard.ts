import type { ExtendedApplication, MappedRoutes } from "../../app/mod.ts";
import { quoted } from "../../text/mod.ts";
import {
  type Access,
  type Guard,
  guardBy,
  MappingError,
  type MiddlewareResolver,
  unresolved,
} from "../../web/mod.ts";
import { authentication } from "./authenticator.ts";
import { isQuotable } from "./challenges.ts";
import { PathRules } from "./path_rules.ts";
import type { NamedScheme, SecurityOptions } from "./types.ts";

/** @throws {MappingError} if declarations contradict each other */
export function guardOf(
  schemes: readonly NamedScheme[],
  options: SecurityOptions,
  { routes, contextPath }: MappedRoutes,
  requestOf?: ExtendedApplication["requestOf"],
  resolve: MiddlewareResolver = unresolved,
): Guard {
  const { realm = "application", default: fallback = "authenticated", paths = {} } = options;
  const { middleware = [] } = options;
  if (fallback !== "authenticated" && fallback !== "permitAll") {
    throw new MappingError(
      `Cannot use security(): expected 'authenticated' or 'permitAll' as default, found '${fallback}'`,
    );
  }
  if (!isQuotable(realm)) {
    throw new MappingError("Cannot use security(): expected a realm without quotation marks");
  }
  const rules = new PathRules(paths, { allows: fallback }, contextPath);
  const handled = routes.map(({ path, controller, handler, access }) => {
    return { path, label: `${controller}.${handler}()`, access };
  });
  refuseUnknownRoles([...handled, ...rules.all], schemes);
  return guardBy({
    ...authentication(schemes, realm, requestOf),
    accessOf: (declared) => declared ?? { allows: fallback },
    accessAt: (path, isProbe) => rules.accessAt(path, isProbe),
    checkPaths: () => rules.refuseUnmatched(),
    checkRoutes: (endpoints) => rules.refuseRoutes(handled, endpoints),
    middleware: middleware.map(resolve),
    schemes: Object.fromEntries(schemes.map(({ name, scheme: { openApi, challenge = name } }) => {
      return [name, openApi ?? { type: "http", scheme: challenge.split(" ")[0]?.toLowerCase() }];
    })),
  });
}

/** No user could have access. Only checked if all schemes list their roles. */
function refuseUnknownRoles(
  all: readonly { readonly label: string; readonly access?: Access }[],
  schemes: readonly NamedScheme[],
): void {
  const given = schemes.flatMap(({ scheme: { roles } }) => roles === undefined ? [] : [roles]);
  if (given.length < schemes.length) return;
  const known = [...new Set(given.flat())];
  for (const { label, access } of all) {
    const unknown = access?.roles?.find((role) => !known.includes(role));
    if (unknown === undefined) continue;
    const problem = `no scheme grants the role '${unknown}', expected one of ${quoted(known)}`;
    throw new MappingError(`Cannot protect '${label}': ${problem}`, [label]);
  }
}
