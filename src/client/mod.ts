/**
 * A typed client of a controller, for browsers, edge isolates and servers: it needs `fetch` and nothing else.
 *
 * ```ts
 * import { client } from "@irori/irori/client";
 *
 * // As a type only: `import type { GreetingController } from "…"`.
 * interface GreetingController {
 *   greet(name: string): { message: string };
 * }
 *
 * // What `irori contract` writes.
 * const contract = {
 *   greet: { method: "GET", path: "/greetings/{name}", parameters: [{ in: "path", name: "name" }] },
 * };
 *
 * const greetings = client<GreetingController>("https://example.com", contract, {
 *   fetch: (request) => Promise.resolve(Response.json({ message: new URL(request.url).pathname })),
 * });
 * console.log((await greetings.greet("Ada")).message); // "/greetings/Ada"
 * ```
 *
 * @module
 */
export { client, type ClientOptions } from "./client.ts";
export { ProblemError } from "./errors.ts";
export { isProblem } from "./problem.ts";
export type {
  AnyMethod,
  ApiContract,
  ArgumentsOf,
  Client,
  ClientMethod,
  ContractClient,
  ControllerContract,
  DeclaredProblem,
  Json,
  Known,
  OperationContract,
  OperationTypes,
  OptionalEnd,
  ParameterContract,
  Primitive,
  ResultOf,
  Sent,
  SentAll,
  TypesOf,
  Unread,
} from "./types.ts";
