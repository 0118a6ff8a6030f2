import { type Config, createConfig, namesAt } from "../config/mod.ts";
import {
  type ApplicationContext,
  type Constructor,
  createContext,
  fitsProfiles,
} from "../container/mod.ts";
import type { Serving } from "../http/mod.ts";
import { orAborted, requireSupported, type Runtime } from "../runtime/mod.ts";
import {
  checkMiddleware,
  compile,
  type ErrorController,
  failuresOf,
  middlewareClasses,
  middlewareResolver,
  requestMaker,
  routeTable,
  shownRoutes,
} from "../web/mod.ts";
import { createApplication } from "./application.ts";
import { ErrorControllerError } from "./errors.ts";
import { broughtBeans, extend } from "./extend.ts";
import { DETECTED, type Host } from "./host.ts";
import { type ServerSettings, serverSettings } from "./settings.ts";
import type { Application, BootstrapOptions } from "./types.ts";

/**
 * Builds an application: configuration, startup functions, component scan, beans, routes.
 *
 * ```ts ignore
 * const app = await bootstrap({ root: import.meta.dirname });
 * await app.listen();
 * ```
 *
 * For `deno serve`, Bun and edge isolates `export default app` instead of `app.listen()`.
 *
 * @throws {ConfigError} when the configuration is wrong
 * @throws {ScanError} when a module of the component scan cannot be imported
 * @throws {MappingError} when a handler's mapping cannot work, or two handlers of one class stand for the same errors
 * @throws {ErrorControllerError} when the error controller has another name than 'errorController', or is none
 * @throws {DuplicateBeanError} when two beans have one name, `errorController` included
 */
export async function bootstrap(options: BootstrapOptions = {}): Promise<Application> {
  return await assemble(options, DETECTED);
}

/** The same, on a host; without one there are no files, and nothing listens. */
export async function assemble(options: BootstrapOptions, host?: Host): Promise<Application> {
  requireSupported();
  const started = performance.now();
  // Names who waits, before the first pause.
  const stack = options.root === undefined ? undefined : new Error("bootstrap").stack;
  const runtime = options.root === undefined ? undefined : await host?.loadRuntime();
  const config = await configOf(options, host, runtime);
  const settings = serverSettings(config);
  for (const start of options.startup ?? []) await start(config);
  const scanned = runtime && host
    ? await (await host.files()).scanComponents(config, runtime, stack)
    : [];
  const profiles = options.profiles ?? namesAt(config, "profiles.active") ?? [];
  const components = [...new Set([...options.components ?? [], ...scanned])];
  // None on edge isolates.
  const found = runtime ?? await host?.loadRuntime().catch(() => undefined);
  const { extensions = [], middleware = [], overrides } = options;
  const prepared: Prepared = {
    ...{ config, settings, profiles, components, extensions, middleware, overrides },
    ...{ started, runtime: found, host },
  };
  if (!found || !host) return await build(prepared);
  const { startUntilSignal } = await host.termination();
  return await startUntilSignal(found, (signal) => build(prepared, signal));
}

/** What an application is built of, once its configuration is read and its components are known. */
interface Prepared {
  readonly config: Config;
  readonly settings: ServerSettings;
  readonly profiles: readonly string[];
  readonly components: readonly Constructor[];
  readonly extensions: NonNullable<BootstrapOptions["extensions"]>;
  readonly middleware: NonNullable<BootstrapOptions["middleware"]>;
  readonly overrides: BootstrapOptions["overrides"];
  readonly started: number;
  readonly runtime?: Runtime;
  readonly host?: Host;
}

/** Beans and routes; what was built is closed again where the rest fails, or is given up. */
async function build(prepared: Prepared, signal?: AbortSignal): Promise<Application> {
  const { config, settings, profiles, components, runtime, host, started } = prepared;
  const { extensions, middleware, overrides } = prepared;
  const active = components.filter((type) => fitsProfiles(type, profiles));
  checkMiddleware(middleware, "the application");
  const { classes, instances } = await broughtBeans(extensions, config);
  const context = await createContext({
    components,
    supplements: [...new Set([...middlewareClasses(active, middleware), ...classes])],
    profiles,
    config,
    brought: instances,
    overrides,
    destroySeconds: settings.shutdownSeconds,
    signal,
  });
  try {
    const resolve = middlewareResolver(context);
    const { contextPath, apiVersion } = settings;
    const table = routeTable(context.beans.values(), contextPath, resolve, apiVersion);
    const serving: Serving = { heartbeatSeconds: settings.heartbeatSeconds };
    const extended = extend(extensions, {
      config,
      contextPath: settings.contextPath,
      context,
      routes: table,
      requestOf: requestMaker(serving),
      runtime,
    });
    const parts = await orAborted(extended, signal);
    const { guard, log, routes } = parts;
    serving.log = (message, error) => parts.log(message, error, "ERROR");
    const hono = compile(routes, {
      beanOf: (route) => beanOf(context, route.controller),
      beans: context,
      ...failuresOf({
        beans: context.beans.values(),
        beanOf: (name) => beanOf(context, name),
        controller: errorControllerOf(context),
        log,
        serving,
      }),
      guard,
      log,
      endpoints: parts.endpoints,
      interceptors: parts.interceptors,
      maxBodyBytes: settings.maxBodyBytes,
      maxFormFields: settings.maxFormFields,
      middleware: [...parts.middleware, ...middleware.map(resolve)],
      serving,
    });
    signal?.throwIfAborted();
    return createApplication({
      hono,
      context,
      config,
      routes: shownRoutes(routes),
      settings,
      serving,
      log,
      started,
      runtime,
      host,
    });
  } catch (error) {
    await context.close().catch(() => {}); // The first error is the one to mend.
    throw error;
  }
}

async function configOf(
  options: BootstrapOptions,
  host?: Host,
  runtime?: Runtime,
): Promise<Config> {
  const { root, config, profiles } = options;
  if (isConfig(config)) return config;
  if (root === undefined || host === undefined || runtime === undefined) {
    return createConfig(config ?? {}, { env: options.env });
  }
  const { loadConfig } = await host.files();
  return await loadConfig({ runtime, root, profiles, overrides: config });
}

function isConfig(config: BootstrapOptions["config"]): config is Config {
  return config !== undefined && typeof config.get === "function";
}

function beanOf(context: ApplicationContext, name: string): object {
  return context.getByName(name) as object;
}

function errorControllerOf(context: ApplicationContext): ErrorController | undefined {
  if (!context.has("errorController")) {
    for (const { name, type } of context.beans.values()) {
      if (typeof type?.prototype?.handleError === "function") throw misnamed(name, type.name);
    }
    return undefined;
  }
  const bean = context.getByName("errorController") as Partial<ErrorController> | null;
  if (typeof bean?.handleError === "function") return bean as ErrorController;
  throw new ErrorControllerError(
    "Cannot use the bean 'errorController': expected a method handleError(request, response, status, error)",
  );
}

/** Would never be asked; bundlers shorten the name of a class, after which its bean is named. */
function misnamed(bean: string, type: string): ErrorControllerError {
  return new ErrorControllerError(
    `Cannot use the bean '${bean}' ('${type}') as the error controller: it has handleError(), but is not named ` +
      "'errorController'; name it with @Component(\"errorController\"), or keep the names of classes where a " +
      "bundler shortens them (--keep-names)",
  );
}
