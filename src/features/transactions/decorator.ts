import {
  addedMetadata,
  allMetadata,
  type AnyClass,
  decorator,
  inject,
  type InjectionTarget,
  isInjecting,
  type MethodContext,
} from "../../container/mod.ts";
import { isEventStream } from "../../text/mod.ts";
import { MappingError, MAPPINGS, MIDDLEWARE } from "../../web/mod.ts";
import type { Transaction } from "./_transaction.ts";
import {
  endingTransaction,
  handlerScopeOf,
  isUsedUp,
  type TransactionalDecorator,
} from "./handler.ts";
import { TransactionError } from "./errors.ts";
import { type Managed, TransactionManager } from "./manager.ts";
import { checkOptions, type TransactionOptions } from "./options.ts";
import { begin, isNested, join, nest, openFor, refuseNew } from "./transactional.ts";

/** Options of {@linkcode Transactional}. */
export interface TransactionalOptions extends TransactionOptions {
  /**
   * The database: the class or name of the bean, or the manager itself.
   *
   * @default the bean of the type `TransactionManager`
   */
  readonly manager?: TransactionManager | InjectionTarget<TransactionManager>;
}

/**
 * Runs a method in a transaction, as {@linkcode transactional} does: what it throws rolls back. That of a handler ends
 * when the response is rendered, before it is sent: a result that `returns` rejects rolls back, too.
 *
 * ```ts ignore
 * @Transactional({ isolation: "serializable", retry: 3 })
 * async transfer(from: number, to: number, amount: number): Promise<void> { … }
 * ```
 *
 * It decorates methods of beans, of any visibility; calls by `this` run in the transaction, too.
 *
 * @throws {TransactionError} for options that are not allowed; at startup where the database refuses `requires-new`
 * @throws {MappingError} at startup for a handler of event streams
 */
export function Transactional(options: TransactionalOptions = {}): TransactionalDecorator {
  const apply = (context: MethodContext, method: Method) => {
    const name = String(context.name);
    if (String(context.kind) !== "method") {
      throw new TransactionError(
        `Cannot apply @Transactional to the ${context.kind} '${name}': expected a method`,
      );
    }
    if (/Generator/.test(Object.prototype.toString.call(method))) throw refusedStream(name);
    const managers = new WeakMap<object, Managed>();
    let isPrepared = false;
    context.addInitializer(function () {
      const bean = this as object;
      isPrepared ||= prepareHandler(bean, method, context, options);
      const found = managed(options);
      if (found) managers.set(bean, found);
    });
    const decorated = function (this: object, ...parameters: unknown[]): Promise<unknown> {
      const found = managers.get(this);
      if (found === undefined) return Promise.reject(unmanaged(name));
      const open = openFor(found);
      return open && !isNested(open, found)
        ? join(open, method, this, parameters)
        : perform(open, found, method, this, parameters);
    };
    const { length } = method;
    return Object.defineProperties(decorated, { length: { value: length }, name: { value: name } });
  };
  const decorate = decorator("Transactional", arguments, apply);
  checkOptions(options);
  return decorate as unknown as TransactionalDecorator;
}

/** Apart from {@linkcode join}, which stays free of functions. */
function perform(
  open: Transaction | undefined,
  options: Managed,
  method: Method,
  bean: object,
  parameters: unknown[],
): Promise<unknown> {
  const work = () => method.apply(bean, parameters);
  if (open) return nest(open, work);
  const label = `${bean.constructor.name}.${method.name}`;
  return handlerScopeOf(method)?.begin(options, work, label) ??
    begin(options, work, () => !parameters.some(isUsedUp));
}

type Method = (this: unknown, ...parameters: unknown[]) => Promise<unknown>;

/** @throws {TransactionError} where the database refuses the propagation */
function managed(options: TransactionalOptions): Managed | undefined {
  const { manager = TransactionManager } = options;
  // The method of an object that the container does not build may never be called.
  if (typeof manager !== "object" && !isInjecting()) return undefined;
  const found = { ...options, manager: typeof manager === "object" ? manager : inject(manager) };
  refuseNew(found);
  return found;
}

/** @returns whether it is a handler @throws {MappingError} when its response would be produced after the commit */
function prepareHandler(
  bean: object,
  method: Method,
  context: MethodContext,
  options: TransactionOptions,
): boolean {
  const handler = String(context.name);
  const mappings = allMetadata(bean.constructor as AnyClass, MAPPINGS)
    .filter((one) => one.handler === handler);
  if (mappings.some(({ produces }) => produces.some(isEventStream))) throw refusedStream(handler);
  if (mappings.length === 0) return false;
  const middleware = [endingTransaction(method, options)];
  // The last in reading order, so that it is next to the handler.
  const uses = [{ handler, middleware }, ...addedMetadata(context, MIDDLEWARE)];
  Object.assign(context.metadata, { [MIDDLEWARE]: uses });
  return true;
}

function refusedStream(name: string): MappingError {
  return new MappingError(
    `Cannot apply @Transactional to '${name}': expected a method that gives a promise of a whole value, found a ` +
      "stream, which would be produced after the commit",
  );
}

function unmanaged(name: string): TransactionError {
  return new TransactionError(
    `Cannot run '${name}' in a transaction: expected an object that the container builds, or ` +
      "@Transactional({ manager }) with a manager",
  );
}
