/** Hono with its own choice of routers. Bundlers for edge isolates take the one of `_small_hono.ts` in its place. */
export { Hono } from "hono";
