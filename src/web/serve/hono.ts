/** Hono with all its routers. Bundlers for edge isolates use `_small_hono.ts` instead. */
export { Hono } from "hono";
