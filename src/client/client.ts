import { readAnswer } from "./_answer.ts";
import { requestOf } from "./_request.ts";
import type { Client, ControllerContract } from "./types.ts";

/** Options of a client. */
export interface ClientOptions {
  /** Sends requests: the place for time limits and retries. @default the global `fetch` */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Sent with every request, such as `Authorization`. */
  readonly headers?: HeadersInit;
}

/**
 * A client of one controller: its methods, each sending the request that its handler answers. Takes the types from the
 * class, which is imported as a type only, and the requests from the contract, so that nothing of the server is
 * in the client's bundle.
 *
 * ```ts ignore
 * import { client } from "@irori/irori/client";
 * import type { UserController } from "../server/user_controller.ts";
 * import { contract } from "./contract.ts"; // irori contract > contract.ts
 *
 * const users = client<UserController>("https://example.com", contract.UserController);
 * const user = await users.get(7);
 * ```
 *
 * Its methods reject with {@linkcode ProblemError} when the answer is an error, and with what `fetch` throws when
 * there is none.
 *
 * @param url of the server; what its path has stands before every path of the contract
 */
export function client<T>(
  url: string | URL,
  contract: ControllerContract,
  options: ClientOptions = {},
): Client<T> {
  const base = String(url).replace(/\/+$/, "");
  const send = options.fetch ?? ((request: Request) => fetch(request));
  const methods = Object.entries(contract).map(([name, operation]) => [
    name,
    async (...args: unknown[]) => {
      const request = requestOf(base, operation, args, new Headers(options.headers));
      return await readAnswer(`${operation.method} ${operation.path}`, await send(request));
    },
  ]);
  return Object.fromEntries(methods) as Client<T>;
}
