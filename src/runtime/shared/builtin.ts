/**
 * A module that is built into the runtime: `undefined` where it has none of that name. Not by `import()`, which bundlers for edge isolates would
 * hoist to the head of their output, where it fails.
 */
export function builtin<T>(name: string): T {
  const { process } = globalThis as unknown as {
    readonly process?: { getBuiltinModule?(name: string): T };
  };
  return process?.getBuiltinModule?.(name) as T;
}
