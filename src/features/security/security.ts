import {
  type Configurable,
  configured,
  type ExtendedApplication,
  type Extension,
  type MappedRoutes,
} from "../../app/mod.ts";
import type { Config } from "../../config/mod.ts";
import { refuseUnknownOptions } from "../../text/mod.ts";
import {
  checkMiddleware,
  MappingError,
  middlewareClasses,
  middlewareResolver,
} from "../../web/mod.ts";
import { isChallenge } from "./challenges.ts";
import { guardOf } from "./guard.ts";
import type { NamedScheme, SchemeClass, SchemeFactory, SecurityOptions } from "./types.ts";

/**
 * Authenticates each request first, and authorizes it by annotations: `@Authenticated()`,
 * `@RolesAllowed()`, `@PermitAll()`, `@PreAuthorize()`. Closed by default: routes without an annotation, endpoints of extensions except
 * health probes, and mounted Hono apps require an authenticated user.
 *
 * ```ts ignore
 * const app = await bootstrap({
 *   root: import.meta.dirname,
 *   extensions: [security({ schemes: { token: jwt({ issuer, audience, jwksUri }) } })],
 * });
 * ```
 *
 * Export the returned extension from a module of `component-scan`, so that `irori openapi`, `irori contract` and `irori routes` know
 * its schemes and its default.
 *
 * @param given options, or a function that returns them for a configuration
 * @throws {MappingError} at startup, if no scheme grants a required role, or a path rule covers routes of controllers
 * @throws {TypeError} at startup, if the options of a scheme are invalid
 */
export function security(given: Configurable<SecurityOptions>): Extension {
  const read = new WeakMap<Config, Promise<SecurityOptions>>();
  const optionsFor = (config: Config) => {
    const options = read.get(config) ?? configured(given, config).then(checkGiven);
    read.set(config, options);
    return options;
  };
  return Object.assign(
    async (application: ExtendedApplication) => {
      const { config, context, requestOf } = application;
      const options = await optionsFor(config);
      const schemes = await schemesOf(options, config, context);
      const resolve = middlewareResolver(context);
      return { guard: guardOf(schemes, options, application, requestOf, resolve) };
    },
    {
      isGuard: true as const,
      guardFor: async (config: Config, mapped: MappedRoutes) => {
        const options = await optionsFor(config);
        return guardOf(await schemesOf(options, config), options, mapped);
      },
      beans: async (config: Config) => {
        const { schemes = {}, middleware = [] } = await optionsFor(config);
        const ofSchemes = Object.values(schemes).filter(isClass);
        return { classes: [...ofSchemes, ...middlewareClasses([], middleware)] };
      },
    },
  );
}

/** @throws {MappingError} */
function checkGiven(options: SecurityOptions): SecurityOptions {
  if (typeof options !== "object" || options === null) {
    throw new MappingError("Cannot use security(): expected options with 'schemes'");
  }
  refuseUnknownOptions(options, OPTIONS, (message) => {
    return new MappingError(`Cannot use security(): ${message}`);
  });
  checkMiddleware(options.middleware ?? [], "security()");
  return options;
}

const OPTIONS: readonly (keyof SecurityOptions)[] = [
  ...["schemes", "default", "paths", "middleware", "realm"] as const,
];

/** Without `context` schemes are created only for a document. */
async function schemesOf(
  { schemes }: SecurityOptions,
  config: Config,
  context?: ExtendedApplication["context"],
): Promise<readonly NamedScheme[]> {
  const named: NamedScheme[] = [];
  for (const [name, source] of Object.entries(schemes ?? {})) {
    const refusal = (expected: string) =>
      new MappingError(`Cannot use the scheme '${name}': expected ${expected}`);
    if (!/^[\w.-]+$/.test(name)) throw refusal("a name of letters, digits, '.', '_' and '-'");
    const scheme = isClass(source)
      ? context?.get(source) ?? UNKNOWN
      : await source?.["~scheme"]?.(config, name, context === undefined);
    if (typeof scheme?.authenticate !== "function") {
      throw refusal("jwt(), basic(), apiKey() or a class with authenticate(request)");
    }
    if (scheme.challenge !== undefined && !isChallenge(scheme.challenge)) {
      throw refusal("a challenge such as 'Bearer', in ASCII: 'realm' is an option of security()");
    }
    named.push({ name, scheme });
  }
  if (named.length > 0) return named;
  throw new MappingError("Cannot use security(): expected one scheme or more");
}

const UNKNOWN: NamedScheme["scheme"] = { authenticate: () => undefined, openApi: {} };

function isClass(source: SchemeFactory | SchemeClass): source is SchemeClass {
  return typeof source === "function";
}
