import { addedMetadata, decorator, type MethodContext } from "../../container/mod.ts";
import { describedAs } from "../../schema/mod.ts";
import { isEventStream, refuseUnknownOptions } from "../../text/mod.ts";
import {
  checkOptions,
  endingTransaction,
  handlerScopeOf,
  isUsedUp,
  type TransactionalDecorator,
} from "../transactions/handler.ts";
import { TransactionError, type TransactionOptions } from "../transactions/mod.ts";
import { type binderOf, failure, MappingError, MAPPINGS, MIDDLEWARE } from "../../web/mod.ts";
import { IdempotencyKeys, KeyedRequest, streamed } from "./keys.ts";

/** Options of the transaction of {@linkcode Idempotent}. */
export type IdempotentOptions = Omit<TransactionOptions, "propagation" | "readOnly">;

type Method = (this: unknown, ...parameters: unknown[]) => Promise<unknown>;

const KEY = "Idempotency-Key";

/**
 * Lets requests to a handler take effect once, by the header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header),
 * which clients must send: the handler runs in a transaction, in which its response is stored, and the same request gets
 * the stored response. Stands above the mapping; the application needs {@linkcode idempotency} among its extensions.
 *
 * ```ts ignore
 * @Idempotent()
 * @PostMapping("/orders", RequestBody(NewOrder))
 * async create(order: NewOrder) { … }
 * ```
 *
 * @throws {TransactionError} for options that are not allowed
 * @throws {MappingError} below the mapping, for GET, and for event streams
 */
export function Idempotent(options: IdempotentOptions = {}): TransactionalDecorator {
  const apply = (context: MethodContext, method: Method) => {
    const name = String(context.name);
    const mappings = addedMetadata(context, MAPPINGS);
    const own = mappings.filter(({ handler }) => handler === name);
    const refuse = (expected: string, found: string): never => {
      throw new MappingError(
        `Cannot apply @Idempotent to '${name}': expected ${expected}, found ${found}`,
      );
    };
    if (own.length === 0) refuse("a mapping such as @PostMapping below it", "none");
    if (own.some(({ methods }) => methods.includes("GET"))) {
      refuse("a mapping of POST or PATCH", "GET");
    }
    const isStream = /Generator/.test(Object.prototype.toString.call(method)) ||
      own.some(({ produces }) => produces.some(isEventStream));
    if (isStream) refuse("a handler that gives a promise of a whole value", "a stream");
    const withKey = mappings.map((mapping) =>
      own.includes(mapping) ? { ...mapping, binders: [...mapping.binders, KEY_BINDER] } : mapping
    );
    const middleware = [endingTransaction(method, options)];
    const uses = [{ handler: name, middleware }, ...addedMetadata(context, MIDDLEWARE)];
    Object.assign(context.metadata, { [MAPPINGS]: withKey, [MIDDLEWARE]: uses });
    const decorated: Method = async function (this, ...parameters) {
      const index = parameters.findIndex((one) => one instanceof KeyedRequest);
      if (index < 0) return await method.apply(this, parameters);
      if (parameters.some(isUsedUp)) throw streamed();
      const request = parameters[index] as KeyedRequest;
      const scope = handlerScopeOf(method)!;
      scope.beforeCommit = (response) => request.keys.store(scope, response);
      const call = () => method.apply(this, parameters.toSpliced(index, 1));
      const label = `${(this as object).constructor.name}.${name}`;
      return await request.keys.run(request, scope, options, call, label);
    };
    const { length } = method;
    return Object.defineProperties(decorated, { length: { value: length }, name: { value: name } });
  };
  const decorate = decorator("Idempotent", arguments, apply);
  refuseUnknownOptions(options, ["isolation", "timeout", "retry"], (reason) => {
    return new TransactionError(`Cannot use the options of @Idempotent: ${reason}`);
  });
  checkOptions(options);
  return decorate as unknown as TransactionalDecorator;
}

/** Read by the OpenAPI document only. */
const KEY_SCHEMA = describedAs({
  type: "string",
  pattern: '^("[ !#-\\[\\]-~]+"|[!#-~]+)$',
  maxLength: 255,
});

/** The last value of a handler, behind those of its own binders. */
export const KEY_BINDER: Parameters<typeof binderOf>[0] = {
  input: {
    in: "header",
    name: KEY,
    required: true,
    list: false,
    type: KEY_SCHEMA,
    statuses: [409, 422],
  },
  compile({ beans, guard }) {
    const keys = beans.get(IdempotencyKeys);
    return (exchange) => {
      const field = exchange.header(KEY);
      const key = field === null ? undefined : parseKey(field);
      if (key === undefined) {
        const found = field === null ? "it is missing" : "it is too long, or has other characters";
        throw failure({ in: "header", name: KEY }, `expected a text such as a UUID, ${found}`);
      }
      const user = guard?.identityOf(exchange.subject) ?? null;
      return new KeyedRequest(exchange, key, user, keys);
    };
  },
};

/** A string of structured fields (RFC 9651, 3.3.3) or a text without quotes, of at most 255 characters. */
function parseKey(field: string): string | undefined {
  if (field.length > 255) return undefined;
  const quoted = /^"((?:[ !#-[\]-~]|\\["\\])+)"$/.exec(field.trim())?.[1];
  return quoted?.replace(/\\(.)/g, "$1") ?? /^[!#-~]+$/.exec(field.trim())?.[0];
}
