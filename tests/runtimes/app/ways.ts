/**
 * Serves the conformance application twice on Node: as it is, and with middleware, which asks for a `Request` of each.
 * `GET /written` of the second tells how many answers were written by `@hono/node-server` so far.
 */
import { ServerResponse } from "node:http";
import type { MiddlewareHandler } from "hono";
import { conformanceApp } from "../../conformance/app.ts";

let byPackage = 0;
const { writeHead } = ServerResponse.prototype;
ServerResponse.prototype.writeHead = function (this: ServerResponse, ...parameters: unknown[]) {
  if (/[\\/]@hono[\\/]node-server[\\/]/.test(new Error().stack ?? "")) byPackage++;
  return writeHead.apply(this, parameters as never);
} as typeof writeHead;

const count: MiddlewareHandler = async (context, next) => {
  if (context.req.path === "/written") return context.text(`${byPackage}`);
  await next();
};
const direct = await (await conformanceApp()).listen();
const fetched = await (await conformanceApp({ middleware: [count] })).listen();
console.log(`url ${direct.url} ${fetched.url}`);
