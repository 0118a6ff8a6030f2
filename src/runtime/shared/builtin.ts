/** A module of the runtime, else `undefined`. No `import()`, which edge bundlers would hoist. */
export function builtin<T>(name: string): T {
  const { process } = globalThis as unknown as {
    readonly process?: { getBuiltinModule?(name: string): T };
  };
  return process?.getBuiltinModule?.(name) as T;
}

export function crc32(bytes: Uint8Array): number {
  return builtin<typeof import("node:zlib")>("node:zlib").crc32(bytes);
}
