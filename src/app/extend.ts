import type { MiddlewareHandler } from "hono";
import { factsOf, printable, unformatted } from "../text/mod.ts";
import {
  currentFields,
  type Endpoint,
  type FailureLog,
  type Interceptor,
  MappingError,
} from "../web/mod.ts";
import type { Config } from "../config/mod.ts";
import type { Configurable, ExtendedApplication, Extension } from "./types.ts";

/** What all extensions of an application add. */
export interface Extensions {
  readonly endpoints: readonly Endpoint[];
  readonly interceptors: readonly Interceptor[];
  readonly middleware: readonly MiddlewareHandler[];
  readonly log: FailureLog;
}

/**
 * Asks extensions one after another for what they add.
 *
 * @throws {MappingError} when two of them, or one and a controller, answer the same method and path
 */
export async function extend(
  extensions: readonly Extension[],
  application: ExtendedApplication,
): Promise<Extensions> {
  const endpoints: Endpoint[] = [];
  const interceptors: Interceptor[] = [];
  const middleware: MiddlewareHandler[] = [];
  const logs: FailureLog[] = [];
  for (const extension of extensions) {
    const parts = await extension(application);
    endpoints.push(...parts?.endpoints ?? []);
    if (parts?.interceptor) interceptors.push(parts.interceptor);
    middleware.push(...parts?.middleware ?? []);
    if (parts?.log) logs.push(parts.log);
  }
  refuseTwins(endpoints, application);
  return {
    endpoints,
    interceptors,
    middleware,
    log: (message, error, level) => {
      if (logs.length === 0) print(message, error, level);
      for (const log of logs) log(message, error, level);
    },
  };
}

/** The beans that extensions bring. @throws {TypeError} for two of one name */
export function broughtBeans(
  extensions: readonly Extension[],
  config: Config,
): ReadonlyMap<string, object> {
  const found = new Map<string, object>();
  for (const [name, make] of extensions.flatMap(({ beans = {} }) => Object.entries(beans))) {
    if (found.has(name)) {
      throw new TypeError(`Cannot use two extensions that bring the bean '${name}': expected one`);
    }
    found.set(name, make(config));
  }
  return found;
}

/** What `requestContext()` knows, behind a line that may name the id of its request itself. */
function factsFor(message: string): string {
  const { requestId, ...fields } = currentFields() ?? {};
  const isNamed = typeof requestId !== "string" || message.includes(requestId);
  return factsOf(isNamed ? fields : { requestId, ...fields }).map((fact) => ` ${fact}`).join("");
}

/** The options of an extension, for this configuration. */
export async function optionsOf<O extends object>(
  options: Configurable<O>,
  config: Config,
): Promise<O> {
  return await (typeof options === "function" ? options(config) : options);
}

/** Nobody has to look at the rest: `logging()` shows it at the level `DEBUG`. */
function print(...[message, error, level]: Parameters<FailureLog>): void {
  if (level !== "ERROR") return;
  console.error(unformatted(`${printable(message)}${factsFor(message)}`), error);
}

function refuseTwins(endpoints: readonly Endpoint[], { routes }: ExtendedApplication): void {
  const seen = new Map(
    routes.map(({ method, path, controller, handler }) => [
      `${method} ${path}`,
      `${controller}.${handler}()`,
    ]),
  );
  for (const { method, path } of endpoints) {
    const key = `${method} ${path}`;
    const owner = seen.get(key);
    if (owner !== undefined) {
      throw new MappingError(`Cannot answer '${key}' by an extension: ${owner} has it already`);
    }
    seen.set(key, "another extension");
  }
}
