/**
 * A typed client of an application, for browsers, edge isolates and servers: it needs `fetch` and nothing else.
 *
 * ```ts
 * import { client } from "@irori/irori/client";
 *
 * // As `irori contract` writes it, without the types of arguments and results.
 * const contract = {
 *   GreetingController: {
 *     greet: {
 *       method: "GET",
 *       path: "/greetings/{name}",
 *       parameters: [{ in: "path", name: "name" }],
 *     },
 *   },
 * };
 *
 * const api = client("https://example.com", contract, {
 *   fetch: (request) => Promise.resolve(Response.json(new URL(request.url).pathname)),
 * });
 * console.log(await api.greeting.greet({ name: "Ada" })); // "/greetings/Ada"
 * ```
 *
 * @module
 */
export { client } from "./client.ts";
export { ProblemError, TimeoutError } from "./errors.ts";
export { isProblem } from "./problem.ts";
export type {
  AnyMethod,
  ApiClient,
  ApiContract,
  ArgumentsOf,
  CallOptions,
  CallParameters,
  Client,
  ClientMethod,
  ClientName,
  ClientOptions,
  ClientResponse,
  ContractClient,
  ControllerContract,
  DeclaredProblem,
  Json,
  Known,
  OperationContract,
  OperationMethod,
  OperationTypes,
  OptionalEnd,
  ParameterContract,
  Primitive,
  ReceivedEvent,
  ResultOf,
  RetryOptions,
  Sent,
  SentAll,
  Unread,
} from "./types.ts";
