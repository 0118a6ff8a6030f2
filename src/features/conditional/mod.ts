/**
 * Conditional requests (RFC 9110, 13): entity tags of versions, 304 for clients that have one, optimistic locking.
 *
 * @example A resource that no client overwrites by mistake
 * ```ts
 * import { bootstrap, PutMapping, ResponseEntity, RestController } from "@irori/irori";
 * import { etag, IfMatch } from "@irori/irori/conditional";
 *
 * @RestController()
 * class CounterController {
 *   #version = 1;
 *
 *   @PutMapping("/counter", IfMatch())
 *   put(ifMatch: IfMatch) {
 *     ifMatch.check(this.#version++);
 *     return ResponseEntity.ok().withHeader("ETag", etag(this.#version)).withJson({ saved: true });
 *   }
 * }
 *
 * const app = await bootstrap({ components: [CounterController] });
 * const put = (tag: string) =>
 *   app.request("/counter", { method: "PUT", headers: { "If-Match": tag } });
 * console.log((await put('"1"')).headers.get("ETag")); // "2"
 * console.log((await put('"1"')).status); // 412
 * ```
 *
 * @module
 */
export { type CurrentVersion, IfMatch, IfNoneMatch, notModified } from "./binders.ts";
export { etag, type Version } from "./entity_tag.ts";
