/**
 * Pages of results: what of a list is asked for, and what it is answered with.
 *
 * @example A list with pages
 * ```ts
 * import { bootstrap, GetMapping, RestController } from "@irori/irori";
 * import { Page, Pageable } from "@irori/irori/paging";
 *
 * const names = ["Ada", "Alan", "Grace"];
 *
 * @RestController()
 * class NameController {
 *   @GetMapping("/names", Pageable({ size: 2, maxSize: 50 }))
 *   list(pageable: Pageable) {
 *     const { offset, size } = pageable;
 *     return new Page(names.slice(offset, offset + size), pageable, names.length);
 *   }
 * }
 *
 * const app = await bootstrap({ components: [NameController] });
 * const response = await app.request("/names?page=2");
 * console.log(response.headers.get("Link")); // <?page=1>; rel="first", <?page=1>; rel="prev", …
 * console.log(await response.json()); // { content: ["Grace"], page: { size: 2, number: 2, … } }
 * ```
 *
 * @module
 */
export { Page, type PageMetadata, Slice, type SliceMetadata } from "./page.ts";
export { pageOf, sliceOf } from "./page_schema.ts";
export { Pageable, type PageableOptions, type PageQuery, type SortOrder } from "./pageable.ts";
