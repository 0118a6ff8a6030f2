import { type Config, type ConfigMap, createConfig, namesAt } from "../config/mod.ts";
import {
  type ApplicationContext,
  type Constructor,
  createContext,
  fitsProfiles,
  KEEP_NAMES,
  requireComponent,
} from "../container/mod.ts";
import type { Serving } from "../http/mod.ts";
import { loadRuntime, orAborted, requireSupported, type Runtime } from "../runtime/mod.ts";
import {
  checkMiddleware,
  compile,
  type ErrorController,
  failuresOf,
  finderByPath,
  middlewareClasses,
  middlewareResolver,
  requestMaker,
  routeTable,
  shownRoutes,
} from "../web/mod.ts";
import { createApplication } from "./application.ts";
import { ErrorControllerError, withoutFrames } from "./errors.ts";
import { broughtBeans, extend, requireCalled } from "./extend.ts";
import { Listener, loadFiles, loadServer } from "./listener.ts";
import { listenSettings, serverSettings, withReaders } from "./settings.ts";
import type { Application, BootstrapOptions, Extension } from "./types.ts";

/** Where there are files and sockets: the entry points add what reads keys of the configuration. */
export async function bootstrap(
  options: BootstrapOptions = {},
  readerOf?: Parameters<typeof withReaders>[2],
): Promise<Application> {
  const started = performance.now();
  requireSupported();
  const { root, config, profiles } = options;
  // Names who waits, before the first pause.
  const stack = root === undefined ? undefined : new Error("bootstrap").stack;
  const runtime = root === undefined ? undefined : await loadRuntime();
  const place: Host = {
    started,
    listener: new Listener(),
    check: listenSettings,
    withReaders: (given, config) => withReaders(given, config, readerOf),
    async config() {
      if (root === undefined || runtime === undefined) return undefined;
      const { loadConfig } = await loadFiles();
      return await loadConfig({ runtime, root, profiles, overrides: config as ConfigMap });
    },
    async scan(config) {
      return runtime ? await (await loadFiles()).scanComponents(config, runtime, stack) : [];
    },
    async run(build) {
      // None on edge isolates.
      const found = runtime ?? await loadRuntime().catch(() => undefined);
      if (!found) return await build();
      const { startUntilSignal } = await loadServer();
      return await startUntilSignal(found, (signal) => build(found, signal));
    },
  };
  return await assemble(options, place).catch((error) => {
    throw withoutFrames(error);
  });
}

interface Host {
  readonly started: number;
  readonly listener: Listener;
  config(): Promise<Config | undefined>;
  /** @throws {ConfigError} for what only a listener needs */
  check(config: Config): void;
  /** Adds what reads keys of `server` that none of the extensions reads. */
  withReaders(given: readonly Extension[], config: Config): Promise<readonly Extension[]>;
  scan(config: Config): Promise<readonly Constructor[]>;
  run(
    build: (runtime?: Runtime, signal?: AbortSignal) => Promise<Application>,
  ): Promise<Application>;
}

export async function assemble(options: BootstrapOptions, place?: Host): Promise<Application> {
  // Written when it is known where: extensions are asked after the beans.
  const startupLines: string[] = [];
  try {
    return await start(options, place, startupLines);
  } catch (error) {
    startupLines.forEach((line) => console.log(line));
    throw error;
  }
}

async function start(
  options: BootstrapOptions,
  place: Host | undefined,
  startupLines: string[],
): Promise<Application> {
  const { started = performance.now(), listener } = place ?? {};
  const { overrides, extensions: given = [] } = options;
  const middleware = [options.middleware ?? []].flat();
  const config = isConfig(options.config)
    ? options.config
    : await place?.config() ?? createConfig(options.config ?? {}, { env: options.env });
  const extensions = await place?.withReaders(given, config) ?? given;
  const settings = serverSettings(config, extensions);
  place?.check(config);
  const log = extensions.length > 0 ? (line: string) => void startupLines.push(line) : console.log;
  for (const run of options.startup ?? []) {
    requireCalled(await run(config, log), run);
  }
  const profiles = options.profiles ?? namesAt(config, "profiles.active") ?? [];
  const scanned = await place?.scan(config) ?? [];
  const components = [...new Set([...options.components ?? [], ...scanned])];
  const build = async (runtime?: Runtime, signal?: AbortSignal) => {
    components.forEach(requireComponent);
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
      const parts = { config, settings, context, started, runtime, listener };
      return await applicationOf(parts, { extensions, middleware }, startupLines, signal);
    } catch (error) {
      await context.close().catch(() => {}); // The first error is the cause.
      throw error;
    }
  };
  return await (place ? place.run(build) : build());
}

type ApplicationParts = Omit<
  Parameters<typeof createApplication>[0],
  "hono" | "routes" | "serving" | "guard" | "fields" | "log" | "info"
>;

async function applicationOf(
  given: ApplicationParts,
  { extensions, middleware }: Required<Pick<BootstrapOptions, "extensions" | "middleware">>,
  startupLines: string[],
  signal?: AbortSignal,
): Promise<Application> {
  const { config, settings, context, runtime, listener } = given;
  const resolve = middlewareResolver(context);
  const { contextPath, versionsOf, heartbeatSeconds, maxBodyBytes, maxFormFields } = settings;
  const serving: Serving = { heartbeatSeconds };
  const mapped = routeTable(context.beans.values(), contextPath, resolve, versionsOf);
  const extended = extend(extensions, {
    config,
    contextPath,
    context,
    middleware,
    routes: mapped,
    routesAt: finderByPath(mapped),
    requestOf: requestMaker(serving),
    runtime,
  });
  const added = await orAborted(extended, signal);
  const { guard, fields, log, info, routes, endpoints, observe } = added;
  startupLines.splice(0).forEach(info);
  const beanOf = (name: string) => context.getByName(name) as object;
  serving.log = (message, error) => log(message, error, "ERROR");
  const hono = compile(routes, {
    beanOf: ({ controller }) => beanOf(controller),
    beans: context,
    ...failuresOf({
      beans: context.beans.values(),
      beanOf,
      controller: errorControllerOf(context),
      log,
      serving,
    }),
    ...{ guard, log, endpoints, observe, maxBodyBytes, maxFormFields, serving },
    ...(listener && { planner: listener.planner }),
    middleware: [...added.middleware, ...middleware.map(resolve)],
  });
  signal?.throwIfAborted();
  const parts = { ...given, hono, serving, guard, fields, log, info };
  return createApplication({ ...parts, routes: shownRoutes(routes) });
}

function isConfig(config: BootstrapOptions["config"]): config is Config {
  return config !== undefined && typeof config.get === "function";
}

function errorControllerOf(context: ApplicationContext): ErrorController | undefined {
  if (!context.has("errorController")) {
    for (const { name, type } of context.beans.values()) {
      if (typeof type?.prototype?.handleError !== "function") continue;
      // Would never be asked; bundlers shorten the name of a class, after which its bean is named.
      throw new ErrorControllerError(
        `Cannot use the bean '${name}' ('${type.name}') as the error controller: it has handleError(), but is not ` +
          `named 'errorController'; name it with @Component("errorController"), or ${KEEP_NAMES}`,
      );
    }
    return undefined;
  }
  const bean = context.getByName("errorController") as Partial<ErrorController> | null;
  if (typeof bean?.handleError === "function") return bean as ErrorController;
  throw new ErrorControllerError(
    "Cannot use the bean 'errorController': expected a method handleError(request, response, status, error)",
  );
}
