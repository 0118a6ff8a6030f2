import {
  addMetadata,
  type ClassContext,
  decorator,
  type MetadataKey,
  type MethodContext,
} from "../../container/mod.ts";
import { refuseUnknownOptions } from "../../text/mod.ts";
import { FIELDS, handlerName, MappingError } from "../../web/mod.ts";
import { checkCors } from "./cors.ts";
import type { CorsOptions } from "./types.ts";

type Declaration = NonNullable<typeof FIELDS.type> & { readonly options: CorsOptions };

export const DECLARED = FIELDS as MetadataKey<Declaration>;

export const OPTIONS: readonly (keyof CorsOptions)[] = [
  ...["origin", "allowMethods", "allowHeaders", "maxAge", "credentials", "exposeHeaders"] as const,
];

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
  const decorate = decorator(
    "CrossOrigin",
    arguments,
    (context: ClassContext | MethodContext) => {
      const name = "CrossOrigin";
      const handler = context.kind === "class" ? undefined : handlerName(name, context);
      const extension = "browser() of '@irori/irori/browser'";
      addMetadata(context, DECLARED, { decorator: name, handler, extension, options });
    },
  );
  const refuse = (message: string) => new MappingError(`Cannot apply @CrossOrigin: ${message}`);
  refuseUnknownOptions(options, OPTIONS, refuse);
  checkCors(options, (option, message) => {
    throw refuse(`'${option}': ${message}`);
  });
  return decorate;
}
