type RunIn = <R>(action: () => R) => R;

/** Holds a value for what an action does, however asynchronous: an `AsyncLocalStorage` of the runtime. */
export interface AsyncStorage<T> {
  run<R>(value: T, action: () => R): R;
  getStore(): T | undefined;
}

/** Remembers what each `AsyncLocalStorage` holds, for what runs later; nothing where there is none. */
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

/** Never by an `import`, which edge isolates without Node's modules could not follow. */
function storageType(): AsyncLocalStorageType | undefined {
  const { process } = globalThis as unknown as {
    readonly process?: { getBuiltinModule?(name: string): Record<string, unknown> | undefined };
  };
  const type = process?.getBuiltinModule?.("node:async_hooks")?.AsyncLocalStorage;
  return typeof type === "function" && "snapshot" in type
    ? type as unknown as AsyncLocalStorageType
    : undefined;
}
