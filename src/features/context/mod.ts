/**
 * The request that is being answered, wherever it is asked for, and facts for its log lines.
 *
 * @example A service that asks for the request
 * ```ts
 * import { bootstrap, GetMapping, RestController } from "@irori/irori";
 * import { currentRequest, requestContext, withContext } from "@irori/irori/context";
 *
 * function language(): string {
 *   return currentRequest().header("Accept-Language") ?? "en";
 * }
 *
 * @RestController()
 * class GreetingController {
 *   @GetMapping("/greeting")
 *   greeting() {
 *     return withContext({ language: language() }, () => `Hello (${language()})`);
 *   }
 * }
 *
 * const app = await bootstrap({ components: [GreetingController], extensions: [requestContext()] });
 * const response = await app.request("/greeting", { headers: { "Accept-Language": "de" } });
 * console.log(await response.text()); // Hello (de)
 * ```
 *
 * @module
 */
export { currentRequest, withContext } from "./current.ts";
export { requestContext, requestIdHeader } from "./request_context.ts";
export type { Extension } from "../../app/mod.ts";
export type { HttpRequest } from "../../http/mod.ts";
