/**
 * A module that is built into the runtime, loaded when it is asked for first: asking for `process` alone takes some runtimes
 * milliseconds. Without contents where the runtime has none.
 */
export function builtin<T extends object>(name: string): () => T {
  let found: T | undefined;
  return () => {
    const { process } = globalThis as unknown as {
      readonly process?: { getBuiltinModule?(name: string): T };
    };
    return found ??= process?.getBuiltinModule?.(name) ?? {} as T;
  };
}
