import {
  addMetadata,
  type ClassContext,
  decorator,
  type MetadataKey,
  type MethodContext,
  type Type,
} from "../../container/mod.ts";
import { FIELDS, handlerName, MappingError } from "../../web/mod.ts";
import { checkCors, refusing } from "./cors.ts";
import type { CorsOptions } from "./types.ts";

export const DECLARED = FIELDS as MetadataKey<
  NonNullable<typeof FIELDS.type> & { readonly options: CorsOptions }
>;

/**
 * CORS for the handlers of a class, or for one handler. Its options replace those of the class, and these replace those of
 * the path and of the application; none are merged. The application needs {@linkcode browser} among its extensions, or
 * `server.cors`.
 *
 * ```ts ignore
 * @RestController()
 * @CrossOrigin({ origin: "https://shop.example" })
 * class OrderController { … }
 * ```
 *
 * @param options without them, all origins may read the answers
 * @throws {MappingError} for options that are not allowed
 */
export function CrossOrigin(
  options: CorsOptions = {},
): (target: unknown, context: ClassContext | MethodContext) => void {
  const name = "CrossOrigin";
  const decorate = decorator(name, arguments, (context: ClassContext | MethodContext) => {
    const handler = context.kind === "class" ? undefined : handlerName(name, context);
    addMetadata(context, DECLARED, { decorator: name, handler, options, refuse: failWithout });
  });
  checkCors(options, refusing(`apply @${name}`));
  return decorate;
}

function failWithout({ name }: Type<unknown>): never {
  const expected = "expected browser() of '@irori/irori/browser' among the extensions";
  throw new MappingError(`Cannot apply @CrossOrigin to '${name}': ${expected}`, [name]);
}
