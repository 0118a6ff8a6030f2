/**
 * For edge isolates: an application without files, sockets and the detection of a runtime. Everything else, decorators
 * and answers, is imported from `@irori/irori` there, too.
 *
 * ```ts ignore
 * import { env } from "cloudflare:workers";
 * import { bootstrap } from "@irori/irori/edge";
 * import { components, config } from "./components.gen.ts";
 *
 * export default await bootstrap({ components, config, env });
 * ```
 *
 * @module
 */
import type { Hono } from "hono";
import { assemble } from "./bootstrap.ts";
import type { Application, BootstrapOptions } from "./types.ts";

/** The options of an application on an edge isolate: it has no files, so no `root` and no profiles of files. */
export type EdgeOptions = Omit<BootstrapOptions, "root" | "profiles">;

/** An application that others serve: `export default` it. */
export type EdgeApplication = Hono & Omit<Application, "listen">;

/**
 * Builds an application for an edge isolate: beans and routes of the components that are given. Nothing is read, and
 * nothing of what could read or listen comes into a bundle, whatever conditions its bundler has.
 *
 * ```ts ignore
 * export default await bootstrap({ components, config, env });
 * ```
 *
 * @throws {ConfigError} when the configuration is wrong
 * @throws {MappingError} when a handler's mapping cannot work
 * @throws {DuplicateBeanError} when two beans have one name, `errorController` included
 */
export async function bootstrap(options: EdgeOptions = {}): Promise<EdgeApplication> {
  return await assemble(options);
}
