import type { ExtendedApplication, Extension } from "../../app/mod.ts";
import type { Type } from "../../container/mod.ts";
import { refuseUnknownOptions } from "../../text/mod.ts";
import { TransactionError, TransactionManager } from "../transactions/mod.ts";
import { servedRoute } from "../../web/mod.ts";
import { KEY_BINDER } from "./decorator.ts";
import { IdempotencyKeys } from "./keys.ts";

/** Options of {@linkcode idempotency}. */
export interface IdempotencyOptions {
  /**
   * The database: the class or name of the bean, or the manager itself.
   *
   * @default the bean of the type `TransactionManager`
   */
  readonly manager?: TransactionManager | Type<TransactionManager> | string;
  /** Seconds for which responses are kept. @default 86400 */
  readonly ttl?: number;
  /** The largest body of a response, in bytes; handlers that give a larger one fail. @default 1048576 */
  readonly maxResponseSize?: number;
}

/**
 * Keeps the responses of handlers with `@Idempotent()`. Without it such handlers are refused at startup.
 *
 * @throws {TransactionError} at startup without a database, and when its table is missing
 */
export function idempotency(options: IdempotencyOptions = {}): Extension {
  refuseUnknownOptions(options, ["manager", "ttl", "maxResponseSize"], (reason) => {
    return new TypeError(`Cannot use idempotency(): ${reason}`);
  });
  const { ttl = 86_400, maxResponseSize = 1_048_576 } = options;
  for (const [name, value] of Object.entries({ ttl, maxResponseSize })) {
    if (Number.isSafeInteger(value) && value > 0) continue;
    throw new RangeError(
      `Expected a whole number above 0 as '${name}' of idempotency(), found '${value}'`,
    );
  }
  const extension: Extension = async (application) => {
    const isUsed = application.routes.map(servedRoute)
      .some(({ binders }) => binders.includes(KEY_BINDER));
    const keys = application.context.get(IdempotencyKeys);
    if (isUsed) await keys.open(managerOf(application, options), { ttl, maxResponseSize });
    return undefined;
  };
  return Object.assign(extension, {
    beans: () => ({ instances: { idempotencyKeys: new IdempotencyKeys() } }),
  });
}

function managerOf(
  { context }: ExtendedApplication,
  { manager = TransactionManager }: IdempotencyOptions,
): TransactionManager {
  if (typeof manager === "object") return manager;
  if (typeof manager === "string") return context.getByName(manager) as TransactionManager;
  if (context.has(manager)) return context.get(manager);
  throw new TransactionError(
    "Cannot use @Idempotent without a database: expected a bean of the type TransactionManager, such as PgTransactions",
  );
}
