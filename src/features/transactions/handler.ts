import type { Context, MiddlewareHandler } from "hono";
import type { MethodContext } from "../../container/mod.ts";
import { HttpRequest, isPieceSource, isResponse, isStreaming, isUpgrade } from "../../http/mod.ts";
import { currentScope, inScope, type Scope, Transaction } from "./_transaction.ts";
import type { Managed } from "./manager.ts";
import type { TransactionOptions } from "./options.ts";
import { type Retries, retriesOf } from "./outcome.ts";
import { run, type Work } from "./transactional.ts";

export { checkOptions } from "./options.ts";
export { isRetryable } from "./outcome.ts";

/**
 * Middleware of a handler with `@Transactional`: the transaction that the handler begins ends after the response was
 * rendered.
 *
 * @param method stands for the decorated method
 */
export function endingTransaction(method: object, options: TransactionOptions): MiddlewareHandler {
  return async (context, next) => {
    const outer = currentScope();
    const { headers } = context.newResponse(null);
    const retries = retriesOf(outer, options, () => {
      resetResponse(context, headers);
      return !isStreamed(context.req);
    });
    await retries(async () => {
      const scope = new HandlerScope(method, outer, retries);
      const before = context.error;
      await inScope(scope, next);
      if (context.error !== before) return void await scope.rollback(context.error);
      await scope.commit(context.res).catch((error) => {
        resetResponse(context, headers);
        throw context.error = error;
      });
      context.error = undefined;
    });
  };
}

/** Lets `next()` run again, without the headers of the attempt that was rolled back, such as cookies. */
function resetResponse(context: Context, headers: Headers): void {
  Object.assign(context, { res: undefined, finalized: false });
  for (const name of [...context.newResponse(null).headers.keys()]) context.header(name);
  for (const [name, value] of headers) context.header(name, value, { append: true });
}

/** The scope of a request in which the method is to run as a handler, and has not begun its transaction. */
export function handlerScopeOf(method: object): HandlerScope | undefined {
  for (let scope = currentScope(); scope !== undefined; scope = scope.outer) {
    if (scope instanceof HandlerScope && scope.method === method && !scope.isTaken) return scope;
  }
}

export class HandlerScope implements Scope {
  transaction?: Transaction;
  /** Whether the handler was called: other calls of the method are like those of any method. */
  isTaken = false;
  beforeCommit?: (response: Response) => Promise<void>;
  #end = Promise.withResolvers<void>();
  #ended?: Promise<void>;

  constructor(
    readonly method: object,
    readonly outer: Scope | undefined,
    readonly retries: Retries,
  ) {}

  begin<T>(options: Managed, work: Work<T>, label: string): Promise<T> {
    this.isTaken = true;
    const attempt = (resolve: (value: T) => void, reject: (error: unknown) => void) => {
      const transaction = this.transaction = new Transaction(options.manager, options.timeout);
      this.#end = Promise.withResolvers();
      const inTransaction = async () => {
        // The rest of a failed handler must not run outside of the transaction.
        const value = await inScope({ transaction, outer: this }, work);
        requireWhole(value, label);
        resolve(value);
        await this.#end.promise;
      };
      // Callbacks after the commit run outside of the transaction.
      this.#ended = inScope(this.outer ?? {}, () => run(transaction, options, inTransaction));
      this.#ended.catch((error) => {
        this.transaction = undefined;
        reject(error);
      });
    };
    return this.retries(() => new Promise(attempt));
  }

  /** @throws {unknown} why it was not committed */
  async commit(response: Response): Promise<void> {
    try {
      await inScope(this, async () => await this.beforeCommit?.(response));
    } catch (error) {
      await this.rollback(error);
      throw error;
    }
    this.#end.resolve();
    if (this.transaction) await this.#ended;
  }

  async rollback(failure: unknown): Promise<void> {
    if (this.transaction) this.#end.reject(failure);
    await this.#ended?.catch(() => {});
  }
}

/** @throws {TypeError} for what is sent after the commit */
function requireWhole(value: unknown, label: string): void {
  const isStream = isStreaming(value) && !isResponse(value);
  if (!isStream && !isUpgrade(value)) return;
  throw new TypeError(
    `Cannot send what '${label}' returned: expected a whole value from a handler with @Transactional(), found a ` +
      `${isStream ? "stream" : "WebSocket"}, which would be produced after the commit`,
  );
}

/**
 * Decorates a method that gives a promise, and no stream or WebSocket.
 *
 * @internal
 */
export type TransactionalDecorator = <
  This,
  // deno-lint-ignore no-explicit-any -- as the context of the proposal has it
  V extends (this: This, ...parameters: any) => Promise<any>,
>(
  method: V & WholeResult<V>,
  context: MethodContext<This, V>,
) => V;

/** @internal */
// deno-lint-ignore no-explicit-any -- of any method
type WholeResult<V> = V extends (...parameters: any) => Promise<infer R>
  ? R extends AsyncIterable<unknown> | ReadableStream | { readonly kind: "websocket" } ? never
  : unknown
  : never;

/** Whether a parameter may have been read once, and cannot be read again. */
export function isUsedUp(value: unknown): boolean {
  if (value instanceof HttpRequest) return isStreamed(value.context.req);
  return value instanceof ReadableStream || isPieceSource(value);
}

/** Whether a body was read as it arrived, and is not kept. */
function isStreamed({ raw, bodyCache }: HttpRequest["context"]["req"]): boolean {
  return Object.keys(bodyCache).length === 0 && (raw.bodyUsed || raw.body?.locked === true);
}
