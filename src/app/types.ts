import type { ExecutionContext, Hono, MiddlewareHandler } from "hono";
import type { Config, ConfigMap } from "../config/mod.ts";
import type { ApplicationContext, Constructor, Type } from "../container/mod.ts";
import type { Runtime } from "../runtime/mod.ts";
import type {
  Endpoint,
  FailureLog,
  FieldSource,
  Guard,
  MiddlewareSource,
  Observe,
  RequestMaker,
  Route,
} from "../web/mod.ts";

/** The options and parts of an application. */
export interface BootstrapOptions {
  /**
   * The application root, an absolute path: configuration is read from `<root>/config` (or `<root>`), and the
   * folders of `component-scan` are relative to it. Left out on edge isolates, which have no files.
   */
  readonly root?: string;
  /** Classes to register besides those that the component scan finds. */
  readonly components?: readonly Constructor[];
  /** The configuration, or, together with `root`, what overrides the files. */
  readonly config?: Config | ConfigMap;
  /** Environment variables for `${NAME}`, where the process has none (`cloudflare:workers`). */
  readonly env?: object;
  /** Hono middleware, or classes of beans that are `Middleware`: run for every request, in this order. */
  readonly middleware?: readonly MiddlewareSource[];
  /**
   * Run with the configuration, such as migrations, before beans are built and the first request is served, one after
   * another. What they log is written at the level `INFO`.
   */
  readonly startup?: readonly ((config: Config, log: (message: string) => void) => unknown)[];
  /** More parts of the application: documentation, health checks, metrics, logging. */
  readonly extensions?: readonly Extension[];
  /** Active profiles, the last one wins. */
  readonly profiles?: readonly string[];
  /** Objects that stand in for the beans of a name or type, for tests: pairs, or a `Map`. */
  readonly overrides?: Iterable<readonly [bean: string | Type<unknown>, instance: unknown]>;
}

/** Beans that an extension brings. */
export interface ExtensionBeans {
  /** Classes that become beans without a stereotype. */
  readonly classes?: readonly Type<unknown>[];
  /** Objects by their names: there before any other bean, and closed after them. */
  readonly instances?: Readonly<Record<string, object>>;
}

/** Adds something to an application; asked once, when beans and routes are there. `undefined` adds nothing. */
export interface Extension {
  /** Gives what it adds. */
  (
    application: ExtendedApplication,
  ): ExtensionParts | undefined | Promise<ExtensionParts | undefined>;
  /** Beans that it brings; asked before there are any. */
  readonly beans?: (config: Config) => ExtensionBeans | Promise<ExtensionBeans>;
  /** Whether it decides who may call what, and is asked before the others, wherever it stands. */
  readonly isGuard?: true;
  /** @internal Keys of `server` that it reads, where these are an error without it. */
  readonly keys?: readonly string[];
  /**
   * Decides who may call these routes, with no bean made: for the command line.
   *
   * @internal
   */
  readonly guardFor?: (config: Config, mapped: MappedRoutes) => Promise<Guard>;
}

/** @internal */
export type Configurable<O> = O | ((config: Config) => O | Promise<O>);

/** The application that an extension joins. */
export interface ExtendedApplication {
  /** Its configuration. */
  readonly config: Config;
  /** The prefix of every path, without a closing slash: `server.context-path`. */
  readonly contextPath: string;
  /** Its beans. */
  readonly context: ApplicationContext;
  /** The routes of its controllers, in the order in which they are tried. */
  readonly routes: readonly Route[];
  /** @internal All routes that match a path, aliases included. */
  readonly routesAt: (path: string) => readonly Route[];
  /** @internal The middleware of `bootstrap()`. */
  readonly middleware: readonly MiddlewareSource[];
  /** Makes a request of Hono's context as handlers see it, with the path variables of a route. */
  readonly requestOf: RequestMaker;
  /** The process; absent on edge isolates. */
  readonly runtime?: Runtime;
}

/** @internal */
export type MappedRoutes = Pick<ExtendedApplication, "routes" | "contextPath">;

/** The parts that an extension adds. */
export interface ExtensionParts {
  /** Answered before the routes of controllers, which may not have the same method and path. */
  readonly endpoints?: readonly Endpoint[];
  /** Paths, as of `endpoints`, that the configuration disables: rules of `security({ paths })` may name them. */
  readonly disabled?: readonly string[];
  /** Makes what sees the requests of a route, or of none; nothing is in the way of requests without it. */
  readonly observe?: Observe;
  /** Runs for every request, around the middleware of the application. */
  readonly middleware?: readonly MiddlewareHandler[];
  /** @internal Adds header fields to all answers. */
  readonly fields?: FieldSource;
  /**
   * Takes failures, in place of the console: at the level `ERROR` those that are the application's fault, at `DEBUG` what
   * its handlers of errors have answered as something else, and clients that have left.
   */
  readonly log?: FailureLog;
  /** Takes what the application says at the level `INFO`, such as where it listens, in place of the console. */
  readonly info?: (message: string) => void;
  /** Decides who may call what; of an extension that says that it does. */
  readonly guard?: Guard;
}

/** A running application: a Hono app, so that adapters for Hono accept it. */
export interface Application extends Hono {
  /** Answers a request; what `deno serve`, Bun and edge isolates call on `export default app`. */
  readonly fetch: (
    request: Request,
    env?: unknown,
    executionCtx?: ExecutionContext,
  ) => Response | Promise<Response>;
  /** The application itself, by the type of Hono. */
  readonly hono: Hono;
  /** The beans. */
  readonly context: ApplicationContext;
  /** The configuration with the connections. */
  readonly config: Config;
  /** All handlers, in the order in which they are tried. */
  readonly routeTable: readonly Route[];
  /** Sends a request to the application without a network, as Hono's `app.request`. */
  request(input: string | URL | Request, init?: RequestInit, env?: unknown): Promise<Response>;
  /**
   * Listens on `server.port` (8080) and `server.address` (0.0.0.0) until the process receives a signal; then
   * what is in flight is finished, and the beans are closed.
   *
   * @throws {ListenError} when the address cannot be listened on
   */
  listen(): Promise<{
    /** Where it answers, such as `http://127.0.0.1:8080`. */
    readonly url: string;
    /** The bound TCP port. */
    readonly port: number;
    /** The bound address. */
    readonly address: string;
  }>;
  /** Stops listening, waits for what is in flight, closes the beans. May be called more than once. */
  close(): Promise<void>;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

export type Listening = Awaited<ReturnType<Application["listen"]>>;
