import { type Endpoint, type FailureLog, type Interceptor, MappingError } from "../web/mod.ts";
import type { ExtendedApplication, Extension } from "./types.ts";

/** What all extensions of an application add. */
export interface Extensions {
  readonly endpoints: readonly Endpoint[];
  readonly interceptors: readonly Interceptor[];
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
  const logs: FailureLog[] = [];
  for (const extension of extensions) {
    const parts = await extension(application);
    endpoints.push(...parts?.endpoints ?? []);
    if (parts?.interceptor) interceptors.push(parts.interceptor);
    if (parts?.log) logs.push(parts.log);
  }
  refuseTwins(endpoints, application);
  return {
    endpoints,
    interceptors,
    log: (message, error, level) => {
      if (logs.length === 0) print(message, error, level);
      for (const log of logs) log(message, error, level);
    },
  };
}

/** A line without a stack for what nobody has to look at. */
function print(...[message, error, level]: Parameters<FailureLog>): void {
  if (level === "DEBUG") console.debug(message);
  else console.error(message, error);
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
