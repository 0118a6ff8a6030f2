import { MappingError } from "../errors.ts";

/** Refuses what a binder was declared with, and would be ignored. @throws {MappingError} */
export function refuseDeclared(what: string, expected: string, found: unknown): never {
  const shown = typeof found === "function"
    ? `the ${String(found).startsWith("class") ? "class" : "function"} '${found.name}'`
    : typeof found === "object" && found !== null
    ? "an object"
    : `'${found}'`;
  throw new MappingError(`Cannot bind ${what}: expected ${expected}, found ${shown}`);
}
