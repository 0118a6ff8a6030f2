/**
 * Files as responses of handlers: ranges, conditional requests, downloads.
 *
 * @example Files of a folder
 * ```ts
 * import { bootstrap, GetMapping, PathVariable, RestController } from "@irori/irori";
 * import { fileResponse } from "@irori/irori/files";
 *
 * @RestController()
 * class DocumentController {
 *   @GetMapping("/documents/{*path}", PathVariable("path"))
 *   document(path: string) {
 *     return fileResponse(path, { root: "docs" });
 *   }
 * }
 *
 * const app = await bootstrap({ components: [DocumentController] });
 * const headers = { Range: "bytes=0-9" };
 * const response = await app.request("/documents/versioning.md", { headers });
 * console.log(response.status, response.headers.get("Content-Length")); // 206 10
 * await response.body?.cancel();
 * ```
 *
 * @module
 */
export {
  type FileAtPathOptions,
  type FileOptions,
  type FileResponse,
  fileResponse,
} from "./file_response.ts";
export type { Version } from "../conditional/mod.ts";
