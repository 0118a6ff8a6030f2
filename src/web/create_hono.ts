import { Hono } from "hono";

/** Hono with its own choice of routers. Bundlers for edge isolates take the one of `_small_hono.ts` in place of it. */
export function createHono(options?: ConstructorParameters<typeof Hono>[0]): Hono {
  return new Hono(options);
}
