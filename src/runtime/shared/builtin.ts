/** A module of the runtime, else `undefined`. No `import()`, which edge bundlers would hoist. */
export function builtin<T>(name: string): T {
  const { process } = globalThis as unknown as {
    readonly process?: { getBuiltinModule?(name: string): T };
  };
  return process?.getBuiltinModule?.(name) as T;
}
