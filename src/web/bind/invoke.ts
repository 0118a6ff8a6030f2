import { followedBy } from "../../text/mod.ts";
import type { Bind, Exchange } from "./binder.ts";
import { BindingError } from "./binding_error.ts";
import { MappingError } from "../errors.ts";

export type Handler = (...parameters: unknown[]) => unknown;

/** Reads the descriptor, as `bean[name]` would run getters. @throws {MappingError} when there is no such method */
export function methodOf(bean: object, name: string, label: string): Handler {
  for (let owner: object | null = bean; owner !== null; owner = Object.getPrototypeOf(owner)) {
    const value = Object.getOwnPropertyDescriptor(owner, name)?.value;
    if (typeof value === "function") return value;
  }
  throw new MappingError(`Cannot map '${label}': there is no such method`);
}

/** Composes binding and call once; awaits only asynchronous binders. The request comes last. */
export function invoker(
  bean: object,
  handler: Handler,
  binds: readonly Bind[],
): (exchange: Exchange) => unknown {
  const [bind] = binds;
  if (bind === undefined) return (exchange) => handler.call(bean, exchange.request);
  if (binds.length === 1) {
    return (exchange) =>
      followedBy(bind(exchange), (value) => handler.call(bean, value, exchange.request));
  }
  return (exchange) => {
    const values: unknown[] = [];
    let pending = false;
    for (const bind of binds) {
      try {
        const value = bind(exchange);
        if (value instanceof Promise) pending = true;
        values.push(value);
      } catch (error) {
        const rest = binds.slice(values.length + 1).map(async (bind) => await bind(exchange));
        return settleAll([...values, Promise.reject(error), ...rest]);
      }
    }
    if (!pending) return handler.call(bean, ...values, exchange.request);
    return settleAll(values).then((values) => handler.call(bean, ...values, exchange.request));
  };
}

async function settleAll(values: readonly unknown[]): Promise<unknown[]> {
  const results = await Promise.allSettled(values);
  const failures = results.flatMap((result) => result.status === "rejected" ? [result.reason] : []);
  if (failures.length > 0) throw mergedFailures(failures);
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value);
}

/** Merges binding failures; any other failure that comes first is kept alone. */
export function mergedFailures(failures: readonly unknown[]): unknown {
  const [first] = failures;
  // All fields of a malformed form fail with the same error.
  const binding = [...new Set(failures)].filter((failure) => failure instanceof BindingError);
  if (!(first instanceof BindingError) || binding.length === 1) return first;
  const message = binding.map(({ message }) => message).join("; ");
  return new BindingError(400, message, binding.flatMap(({ errors }) => errors), { cause: first });
}
