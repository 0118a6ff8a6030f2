import type { MiddlewareHandler } from "hono";
import { factsOf, printable, unformatted } from "../text/mod.ts";
import {
  currentFields,
  type Endpoint,
  type FailureLog,
  FIELDS,
  type FieldSource,
  type Guard,
  MappingError,
  type Observe,
  type ServedRoute,
  shownRoutes,
} from "../web/mod.ts";
import type { Config } from "../config/mod.ts";
import { allMetadata, type Type } from "../container/mod.ts";
import type { Configurable, ExtendedApplication, Extension, ExtensionParts } from "./types.ts";

interface Extensions {
  readonly endpoints: readonly Endpoint[];
  readonly observe: readonly Observe[];
  readonly middleware: readonly MiddlewareHandler[];
  readonly log: FailureLog;
  readonly info: (message: string) => void;
  readonly guard?: Guard;
  readonly fields?: FieldSource;
  readonly routes: readonly ServedRoute[];
}

/**
 * Asks extensions one after another for what they add, the one that decides who may call what before all others.
 *
 * @throws {MappingError} when something is protected, and there is none that would do it
 * @throws {MappingError} when two of them, or one and a controller, answer the same method and path
 */
export async function extend(
  extensions: readonly Extension[],
  found: ExtendedApplication & { readonly routes: readonly ServedRoute[] },
): Promise<Extensions> {
  const all: ExtensionParts[] = [];
  const guard = await guardOf(extensions, found);
  const routes = guard?.guardRoutes(found.routes) ?? found.routes;
  if (!guard) refuseUnprotected(routes);
  const application = { ...found, routes: shownRoutes(routes) };
  for (const extension of extensions) {
    if (extension.isGuard) continue;
    const parts = await extension(application);
    requireCalled(parts, extension);
    if (parts?.guard) throw new MappingError(UNMARKED);
    parts?.disabled?.forEach((path) => guard?.accessAt(path));
    all.push(parts ?? {});
  }
  const endpoints = all.flatMap(({ endpoints = [] }) => endpoints);
  const logs = all.flatMap(({ log }) => log ?? []);
  const infos = all.flatMap(({ info }) => info ?? []);
  const [fields, another] = all.flatMap(({ fields }) => fields ?? []);
  if (another) throw new MappingError("Expected one extension that adds header fields, found two");
  if (!fields) routes.forEach(({ type }) => allMetadata(type, FIELDS)[0]?.refuse(type));
  refuseTwins(endpoints, routes);
  guard?.checkRoutes(endpoints.map(({ path }) => path));
  return {
    endpoints,
    observe: all.flatMap(({ observe }) => observe ?? []),
    middleware: all.flatMap(({ middleware = [] }) => middleware),
    guard,
    fields,
    routes,
    // Not by the runtime's stream, which takes milliseconds to make.
    info: (message) => (infos.length > 0 ? infos : [console.log]).forEach((info) => info(message)),
    log: (message, error, level) => {
      // The rest is not a warning: `logging()` shows it at the level `DEBUG`.
      if (logs.length === 0 && level === "ERROR") {
        console.error(unformatted(`${printable(message)}${factsFor(message)}`), error);
      }
      for (const log of logs) log(message, error, level);
    },
  };
}

/** @throws {TypeError} for a factory that was not called: it would protect, or migrate, nothing */
export function requireCalled(result: unknown, { name }: { name: string }): void {
  if (typeof result === "function") {
    throw new TypeError(`Cannot use '${name}' before it is called: write ${name}()`);
  }
}

async function guardOf(
  extensions: readonly Extension[],
  application: ExtendedApplication,
): Promise<Guard | undefined> {
  const [extension, another] = extensions.filter(({ isGuard }) => isGuard);
  if (another !== undefined) throw new MappingError("Expected security() once, found it twice");
  if (extension === undefined) return undefined;
  const guard = (await extension(application))?.guard;
  if (guard) return guard;
  throw new MappingError("Expected a 'guard' of the extension with 'isGuard', found none");
}

const UNMARKED = "Expected security() once, found it inside of another extension";

/** Without security() an access annotation would have no effect. */
function refuseUnprotected(routes: readonly ServedRoute[]): void {
  const route = routes.find(({ access }) => access !== undefined);
  if (route === undefined) return;
  const label = `${route.type.name}.${route.handler}`;
  throw new MappingError(
    `Cannot protect '${label}': expected security() of '@irori/irori/security' among the extensions`,
    [label],
  );
}

/** The beans that extensions bring. @throws {TypeError} for two objects of one name */
export async function broughtBeans(
  extensions: readonly Extension[],
  config: Config,
): Promise<{ classes: readonly Type<unknown>[]; instances: ReadonlyMap<string, object> }> {
  const found: Type<unknown>[] = [];
  const named = new Map<string, object>();
  for (const extension of extensions) {
    const { classes = [], instances = {} } = await extension.beans?.(config) ?? {};
    found.push(...classes);
    for (const [name, instance] of Object.entries(instances)) {
      if (named.has(name)) {
        throw new TypeError(
          `Cannot use two extensions that provide the bean '${name}': expected one`,
        );
      }
      named.set(name, instance);
    }
  }
  return { classes: found, instances: named };
}

/** The facts of `requestContext()`, behind a line that may name the id of its request itself. */
function factsFor(message: string): string {
  const { requestId, ...fields } = currentFields() ?? {};
  const isNamed = typeof requestId !== "string" || message.includes(requestId);
  return factsOf(isNamed ? fields : { requestId, ...fields }).map((fact) => ` ${fact}`).join("");
}

export async function configured<O extends object>(
  options: Configurable<O>,
  config: Config,
): Promise<O> {
  return await (typeof options === "function" ? options(config) : options);
}

function refuseTwins(endpoints: readonly Endpoint[], routes: readonly ServedRoute[]): void {
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
      throw new MappingError(`Cannot answer '${key}' by an extension: ${owner} already handles it`);
    }
    seen.set(key, "another extension");
  }
}
