import { type Application, bootstrap as start, type BootstrapOptions } from "../app/mod.ts";

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
 * @throws {MappingError} when a handler's mapping cannot work, or two handlers of one class handle the same errors
 * @throws {ErrorControllerError} when the error controller has another name than 'errorController', or is none
 * @throws {DuplicateBeanError} when two beans have one name, `errorController` included
 */
export function bootstrap(options: BootstrapOptions = {}): Promise<Application> {
  return start(options, async (key) => await (await import("./configured.ts")).READERS?.[key]?.());
}
