import {
  addMetadata,
  allMetadata,
  type ClassContext,
  decorator,
  metadataKey,
  type MethodContext,
  type Type,
} from "../../container/mod.ts";
import type { OperationOptions } from "./types.ts";

/**
 * Describes a handler, or, on a class, all of its handlers.
 *
 * ```ts ignore
 * @RestController()
 * @Operation({ tags: ["users"], responses: { default: Failure } })
 * class UserController {
 *   @GetMapping("/users/{id}", PathVariable("id", "int"))
 *   @Operation({ summary: "One user", responses: { 200: User } })
 *   get(id: number) { … }
 * }
 * ```
 */
export function Operation(
  options: OperationOptions,
): (target: unknown, context: ClassContext | MethodContext) => void {
  return decorator("Operation", arguments, (context) => {
    if (typeof options !== "object") {
      throw new TypeError(
        `Cannot apply @Operation to '${String(context.name)}': expected options such as ` +
          `@Operation({ summary: "${options ?? "…"}" })`,
      );
    }
    const handler = context.kind === "method" ? String(context.name) : undefined;
    addMetadata(context, OPERATIONS, { handler, options });
  }, "…");
}

export function operationOf(type: Type<unknown>, handler: string): OperationOptions {
  const declared = allMetadata(type, OPERATIONS);
  const of = (name: string | undefined) =>
    declared.filter((one) => one.handler === name).map(({ options }) => options);
  return [...of(undefined), ...of(handler)].reduce(merge, {});
}

function merge(outer: OperationOptions, inner: OperationOptions): OperationOptions {
  const tags = [...new Set([...outer.tags ?? [], ...inner.tags ?? []])];
  const responses = { ...outer.responses, ...inner.responses };
  return { ...outer, ...inner, ...(tags.length > 0 && { tags }), responses };
}

const OPERATIONS = metadataKey<{ handler?: string; options: OperationOptions }>("operation");
