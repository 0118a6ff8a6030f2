import { MappingError } from "../errors.ts";

/**
 * The name of a method that can be a handler.
 *
 * @throws {MappingError} for anything else that a decorator may stand on
 */
export function handlerName(decorator: string, context: ClassMethodDecoratorContext): string {
  const { kind, name } = context;
  if (kind === "method" && !context.static && !context.private && typeof name === "string") {
    return name;
  }
  const found = [context.static && "static", context.private && "private", kind];
  if (typeof name === "symbol") found.push("named by a symbol");
  throw new MappingError(
    `Cannot apply @${decorator} to '${String(name)}': expected a public method of instances, ` +
      `found a ${found.filter(Boolean).join(" ")}`,
  );
}
