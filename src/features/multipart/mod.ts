/**
 * Uploads that are read while they arrive.
 *
 * @example Count what is sent
 * ```ts
 * import { PostMapping, RestController } from "@irori/irori";
 * import { MultipartStream, type Part } from "@irori/irori/multipart";
 *
 * @RestController()
 * class UploadController {
 *   @PostMapping("/uploads", MultipartStream({ maxParts: 10 }))
 *   async upload(parts: AsyncIterable<Part>) {
 *     const sizes: Record<string, number> = {};
 *     for await (const { name, body } of parts) {
 *       let size = 0;
 *       for await (const bytes of body) size += bytes.length;
 *       sizes[name] = size;
 *     }
 *     return sizes;
 *   }
 * }
 * ```
 *
 * @module
 */
export { MultipartStream, type MultipartStreamOptions } from "./multipart_stream.ts";
export type { Part } from "./parts.ts";
