/** A module that is built into the runtime; without contents where the runtime has none. */
export function builtin<T extends object>(name: string): T {
  const { process } = globalThis as unknown as {
    readonly process?: { getBuiltinModule?(name: string): T };
  };
  return process?.getBuiltinModule?.(name) ?? {} as T;
}
