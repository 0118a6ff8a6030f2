/** Runs an action where something was remembered. */
export type RunIn = <R>(action: () => R) => R;

/**
 * Remembers what every `AsyncLocalStorage` holds now, for what is run later from elsewhere; does nothing where the
 * runtime has none. Never by an `import`, which edge isolates without Node's modules could not follow.
 */
export function rememberAsyncContext(): RunIn {
  storage ??= { type: asyncLocalStorage() };
  return storage.type?.snapshot() ?? ((action) => action());
}

let storage: { readonly type?: AsyncLocalStorageType } | undefined;

interface AsyncLocalStorageType {
  snapshot(): RunIn;
}

function asyncLocalStorage(): AsyncLocalStorageType | undefined {
  const { process } = globalThis as unknown as {
    readonly process?: { getBuiltinModule?(name: string): Record<string, unknown> | undefined };
  };
  const type = process?.getBuiltinModule?.("node:async_hooks")?.AsyncLocalStorage;
  return typeof type === "function" && "snapshot" in type
    ? type as unknown as AsyncLocalStorageType
    : undefined;
}
