import { requestOf } from "./_request.ts";
import { declare } from "./problem.ts";
import type { Client, ContractClient, ControllerContract } from "./types.ts";
import { essence, isJson, isReadWhole } from "../text/media_type.ts";
import { ProblemError } from "./errors.ts";

/** Options of a client. */
export interface ClientOptions {
  /** Sends requests: the place for time limits and retries. @default the global `fetch` */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Sent with every request, such as `Authorization`. */
  readonly headers?: HeadersInit;
}

/**
 * A client of one controller: its methods, each sending the request that its handler answers. The types come from the
 * contract, which `irori contract` writes: what is on the wire. Nothing of the server is in the client's bundle.
 *
 * ```ts ignore
 * import { client, isProblem } from "@irori/irori/client";
 * import { contract } from "./contract.ts"; // irori contract > contract.ts
 *
 * const orders = client("https://example.com", contract.OrderController);
 * try {
 *   const order = await orders.create({ sku: "A-1" });
 * } catch (error) {
 *   if (!isProblem(orders.create, error)) throw error;
 *   console.log(error.problem.sku);
 * }
 * ```
 *
 * Its methods reject with {@linkcode ProblemError} when the answer is an error, and with what `fetch` throws when
 * there is none.
 *
 * @param url of the server; what its path has stands before every path of the contract
 */
export function client<C>(
  url: string | URL,
  contract: C & ControllerContract,
  options?: ClientOptions,
): unknown extends C ? ContractClient<ControllerContract> : ContractClient<C>;
/**
 * Takes the types from the class, which is imported as a type only: `client<UserController>(url, contract.UserController)`.
 * They are those of methods that say nothing of what they return, too; those of requests are what the handlers are given.
 */
export function client<T>(
  url: string | URL,
  contract: ControllerContract,
  options?: ClientOptions,
): Client<T>;
export function client(
  url: string | URL,
  contract: ControllerContract,
  options: ClientOptions = {},
): unknown {
  const base = String(url).replace(/\/+$/, "");
  const send = options.fetch ?? ((request: Request) => fetch(request));
  const methods = Object.entries(contract).map(([name, operation]) => {
    const method = async (...args: unknown[]) => {
      const request = requestOf(base, operation, args, new Headers(options.headers));
      return await readAnswer(`${operation.method} ${operation.path}`, await send(request));
    };
    return [name, declare(method, operation.problems ?? [])];
  });
  return Object.fromEntries(methods);
}

/** The value of an answer; the response itself where it is a stream or bytes. @throws {ProblemError} for an error */
async function readAnswer(request: string, response: Response): Promise<unknown> {
  const type = essence(response.headers.get("content-type") ?? "");
  if (response.ok && type !== "" && !isReadWhole(type)) return response;
  const text = await response.text();
  const body = isJson(type) ? parse(text) : text === "" && type === "" ? undefined : text;
  if (response.ok) return body;
  throw new ProblemError(request, response, body);
}

/** Proxies answer errors with texts of their own, whatever they call them. */
function parse(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
