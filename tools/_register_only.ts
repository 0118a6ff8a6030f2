/** Preloaded by `deno test`, makes tests known without running them. */
const { test } = Deno;

const register = (...given: readonly unknown[]): void => {
  const definition: Record<string, unknown> = {};
  for (const part of given) {
    if (typeof part === "string") definition.name = part;
    else if (typeof part === "object") Object.assign(definition, part);
    else if (typeof part === "function") {
      definition.fn = part;
      definition.name ??= part.name;
    }
  }
  test({ ...definition, ignore: true } as unknown as Deno.TestDefinition);
};

Object.defineProperty(Deno, "test", {
  value: Object.assign(register, test, { ignore: register, only: register }),
});
