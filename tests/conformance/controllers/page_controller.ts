import { z } from "zod";
import {
  GetMapping,
  RequestMapping,
  RequestParam,
  ResponseEntity,
  RestController,
} from "../../../mod.ts";
import { Page, Pageable, pageOf, Slice, sliceOf } from "@irori/irori/paging";

const row = z.object({ id: z.int() });

/** The rows of a page among `total`, with more than is to be sent. */
function rows({ offset, size }: Pageable, total: number): { id: number }[] {
  const length = Math.max(0, Math.min(size, total - offset));
  return Array.from({ length }, (_, index) => ({ id: offset + index + 1, secret: "x" }));
}

@RestController()
@RequestMapping("/pages")
export class PageController {
  @GetMapping(
    { path: "/counted", returns: pageOf(row) },
    Pageable({ maxSize: 10, size: 2, sort: ["id", "name"] }),
    RequestParam("total", "int", { defaultValue: 5 }),
  )
  counted(pageable: Pageable<"id" | "name">, total: number) {
    return new Page(rows(pageable, total), pageable, total);
  }

  @GetMapping({ path: "/sliced", returns: sliceOf(row) }, Pageable({ size: 2 }))
  async sliced(pageable: Pageable<never>) {
    await Promise.resolve();
    return new Slice(rows(pageable, 5), pageable, pageable.offset + pageable.size < 5);
  }

  @GetMapping("/entity", Pageable({ size: 2 }))
  entity(pageable: Pageable<never>) {
    return ResponseEntity.ok().withHeader("Link", '</help>; rel="help"')
      .withJson(new Page(rows(pageable, 3), pageable, 3n).map(({ id }) => id));
  }

  @GetMapping("/asked", Pageable({ sort: ["id", "name"], defaultSort: ["name,desc", "id"] }))
  asked({ page, size, offset, sort }: Pageable<"id" | "name">) {
    return { page, size, offset, sort };
  }
}
