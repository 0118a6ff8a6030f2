/**
 * CORS and security headers for browsers, for an application, for paths, classes and methods.
 *
 * @example A shop on another origin, and a public path
 * ```ts
 * import { bootstrap, GetMapping, RestController } from "@irori/irori";
 * import { browser, CrossOrigin } from "@irori/irori/browser";
 *
 * @RestController()
 * class OrderController {
 *   @GetMapping("/orders")
 *   all() {
 *     return [];
 *   }
 *
 *   @GetMapping("/status")
 *   @CrossOrigin()
 *   status() {
 *     return "up";
 *   }
 * }
 *
 * const app = await bootstrap({
 *   components: [OrderController],
 *   extensions: [browser({ cors: { origin: ["https://shop.example"] }, headers: true })],
 * });
 * const allowed = async (path: string, origin: string) =>
 *   (await app.request(path, { headers: { origin } })).headers.get("Access-Control-Allow-Origin");
 * console.log(await allowed("/orders", "https://shop.example")); // https://shop.example
 * console.log(await allowed("/orders", "https://evil.example")); // null
 * console.log(await allowed("/status", "https://any.example")); // *
 * ```
 *
 * @module
 */
export { CrossOrigin } from "./decorator.ts";
export { browser } from "./extension.ts";
export type {
  ApplicationCors,
  BrowserOptions,
  CorsOptions,
  CorsPath,
  SecurityHeaders,
} from "./types.ts";
export type { Extension } from "../../app/mod.ts";
export type { Asked } from "../../web/mod.ts";
