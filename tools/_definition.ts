/** The definition that the arguments of `Deno.test` give. */
export function definitionOf(given: readonly unknown[]): Deno.TestDefinition {
  const definition: Record<string, unknown> = {};
  for (const part of given) {
    if (typeof part === "string") definition.name = part;
    else if (typeof part === "object") Object.assign(definition, part);
    else if (typeof part === "function") {
      definition.fn = part;
      definition.name ??= part.name;
    }
  }
  return definition as unknown as Deno.TestDefinition;
}

/** Replaces `Deno.test` for the test files that load after this. */
export function replaceTest(register: (...given: readonly unknown[]) => void): void {
  const { test } = Deno;
  Object.defineProperty(Deno, "test", {
    configurable: true,
    value: Object.assign(register, test, {
      ignore: (...given: readonly unknown[]) => register({ ...definitionOf(given), ignore: true }),
      only: (...given: readonly unknown[]) => register({ ...definitionOf(given), only: true }),
    }),
  });
}
