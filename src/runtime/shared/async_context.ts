import { builtin } from "./builtin.ts";

export type RunIn = <R>(action: () => R) => R;

/** Holds a value for what an action does, however asynchronous: an `AsyncLocalStorage` of the runtime. */
export interface AsyncStorage<T> {
  run<R>(value: T, action: () => R): R;
  getStore(): T | undefined;
}

/**
 * Remembers what every `AsyncLocalStorage` holds now, for what is run later from elsewhere; does nothing where the
 * runtime has none.
 */
export function rememberAsyncContext(): RunIn {
  return storageType()?.snapshot() ?? ((action) => action());
}

export function asyncStorage<T>(): AsyncStorage<T> | undefined {
  const type = storageType();
  return type && new type<T>();
}

interface AsyncLocalStorageType {
  new <T>(): AsyncStorage<T>;
  snapshot(): RunIn;
}

function storageType(): AsyncLocalStorageType | undefined {
  const { AsyncLocalStorage } = builtin<Partial<Module> | undefined>("node:async_hooks") ?? {};
  return AsyncLocalStorage && "snapshot" in AsyncLocalStorage ? AsyncLocalStorage : undefined;
}

interface Module {
  readonly AsyncLocalStorage: AsyncLocalStorageType;
}
