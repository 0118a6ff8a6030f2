import { ListenError, reasonOf } from "../errors.ts";
import type { FetchHandler, HttpServer, Runtime, ServeOptions } from "../types.ts";

export type Refuse = Required<ServeOptions>["refused"];

/** Refuses an invalid TCP port, and words a failure to listen alike on every runtime. */
export function servingBy(
  listen: (
    handler: FetchHandler,
    options: ServeOptions,
    refuse: Refuse,
  ) => HttpServer | Promise<HttpServer>,
): Runtime["serve"] {
  return async (handler, options) => {
    const { port, hostname, refused = (status) => new Response(null, { status }) } = options;
    if (!(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
      throw new ListenError(hostname, port, "expected a port from 0 to 65535");
    }
    try {
      return await listen(handler, options, refused);
    } catch (cause) {
      throw new ListenError(hostname, port, reasonOf(cause), { cause });
    }
  };
}
