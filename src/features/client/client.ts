import { call, labelOf, type Reader, readResponse, readValue, type Service } from "./_call.ts";
import { declare } from "./problem.ts";
import type {
  ApiClient,
  ApiContract,
  CallOptions,
  Client,
  ClientOptions,
  ControllerContract,
  OperationContract,
  ParameterContract,
} from "./types.ts";

/**
 * A client of all controllers of a contract. `OrderController` is `order`; its methods take named arguments and are
 * typed by what is on the wire, as `irori contract` writes it. Nothing of the server is in the client's bundle.
 *
 * ```ts ignore
 * import { client, isProblem } from "@irori/irori/client";
 * import { contract } from "./contract.ts"; // irori contract > contract.ts
 *
 * const api = client("https://example.com", contract, { timeout: 5_000 });
 * try {
 *   const order = await api.order.create({ body: { sku: "A-1" } });
 * } catch (error) {
 *   if (!isProblem(api.order.create, error)) throw error;
 *   console.log(error.problem.sku);
 * }
 * for await (const { data } of api.order.events()) console.log(data);
 * ```
 *
 * Its methods reject with {@linkcode ProblemError} for an error status, with `TimeoutError` after `timeout`, and with
 * the error of `fetch` when there is no response.
 *
 * @param url of the server; its path is the prefix of every path of the contract
 * @throws {TypeError} when two controllers have one name
 */
export function client<C extends ApiContract>(
  url: string | URL,
  contract: C,
  options?: ClientOptions,
): ApiClient<C>;
/**
 * A client of one controller, typed by its class, which is imported as a type only:
 * `client<UserController>(url, contract.UserController)`. Its methods take the parameters of the handlers in their order,
 * without options of a call; for streams and bytes they resolve to the unread response.
 */
export function client<T>(
  url: string | URL,
  contract: ControllerContract,
  options?: ClientOptions,
): Client<T>;
export function client(
  url: string | URL,
  contract: ApiContract | ControllerContract,
  options: ClientOptions = {},
): unknown {
  const service = { base: String(url).replace(/\/+$/, ""), options };
  if (isController(contract)) {
    return mapped(
      contract,
      (one) => (...values: unknown[]) => call(service, one, values, {}, readValue),
    );
  }
  const controllers: Record<string, unknown> = {};
  for (const [name, operations] of Object.entries(contract)) {
    const key = clientName(name);
    if (Object.hasOwn(controllers, key)) {
      throw new TypeError(`Cannot create the client: two controllers have the name '${key}'`);
    }
    controllers[key] = mapped(operations, (one) => operationCall(service, one));
  }
  return controllers;
}

function isController(contract: ApiContract | ControllerContract): contract is ControllerContract {
  return Object.values(contract).every(({ path }) => typeof path === "string");
}

function clientName(controller: string): string {
  const name = controller.replace(/(.)Controller$/s, "$1");
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function mapped(
  operations: ControllerContract,
  methodOf: (operation: OperationContract) => object,
): unknown {
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [
      name,
      declare(methodOf(operation), operation.problems ?? []),
    ]),
  );
}

function operationCall(service: Service, operation: OperationContract) {
  const calling =
    <T>(read: Reader<T>) => (args: Arguments = {}, own: CallOptions = {}): Promise<T> =>
      call(service, operation, valuesOf(operation, args), own, read);
  const response = calling(readResponse);
  if (!operation.events) return Object.assign(calling(readValue), { response });
  const events = async function* (args?: Arguments, own: CallOptions = {}) {
    const { follow } = await import("./_events.ts");
    yield* follow(labelOf(operation), (headers) => response(args, { ...own, headers }), own);
  };
  return Object.assign(events, { response });
}

type Arguments = Readonly<Record<string, unknown>>;

function valuesOf({ parameters }: OperationContract, args: Arguments): readonly unknown[] {
  // `constructor` of an object without it is no argument.
  const find = (name: string) =>
    name in Object.prototype && !Object.hasOwn(args, name) ? undefined : args[name];
  return parameters.map(({ name = "", as = name, names }: ParameterContract) =>
    names ? Object.fromEntries(names.map((one) => [one, find(one)])) : find(as)
  );
}
