import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { bootstrap, GetMapping, MappingError, Model, RestController } from "../../../mod.ts";
import { Page, Pageable, pageOf, Slice, sliceOf } from "../../../src/features/paging/mod.ts";
import { openApiDocument } from "../../../src/features/contract/mod.ts";
import { quietly } from "../../conformance/quietly.ts";

class View extends Model(z.object({ id: z.int() })) {}
const stored = [{ id: 1, secret: "x" }];
const asynchronous = z.object({ id: z.int().refine(() => Promise.resolve(true)) });

@RestController()
class VendorController {
  @GetMapping({ path: "/zod", returns: pageOf(z.object({ id: z.int() })) }, Pageable())
  zod(pageable: Pageable<never>): Page<{ id: number }> {
    return new Page(stored, pageable, 1);
  }
  @GetMapping({ path: "/model", returns: pageOf(View) }, Pageable())
  async model(pageable: Pageable<never>): Promise<Page<{ id: number }>> {
    return await Promise.resolve(new Page(stored, pageable, 1));
  }
  @GetMapping({ path: "/valibot", returns: pageOf(v.object({ id: v.number() })) }, Pageable())
  valibot(pageable: Pageable<never>): Page<{ id: number }> {
    return new Page(stored, pageable, 1);
  }
  @GetMapping({
    path: "/arktype",
    returns: pageOf(type({ id: "number" }).onDeepUndeclaredKey("delete")),
  }, Pageable())
  arktype(pageable: Pageable<never>): Page<{ id: number }> {
    return new Page(stored, pageable, 1);
  }
  @GetMapping({ path: "/async", returns: pageOf(asynchronous) }, Pageable())
  async(pageable: Pageable<never>): Page<{ id: number }> {
    return new Page(stored, pageable, 1);
  }
  @GetMapping({ path: "/broken", returns: sliceOf(View) }, Pageable())
  broken(pageable: Pageable<never>) {
    return new Slice([{ id: 1 }, { id: "secret" as unknown as number }], pageable, false);
  }
  @GetMapping({ path: "/other", returns: pageOf(View) }, Pageable())
  other(pageable: Pageable<never>) {
    return new Slice([{ id: 1 }], pageable, false) as unknown as Page<{ id: number }>;
  }
}

Deno.test("pageOf() + sends what the schema of the elements names, of any vendor", async () => {
  await using app = await bootstrap({ components: [VendorController] });
  for (const path of ["/zod", "/model", "/valibot", "/arktype", "/async"]) {
    const response = await app.request(path);
    assertEquals(response.headers.get("link"), '<?page=1>; rel="first", <?page=1>; rel="last"');
    assertEquals(await response.json(), {
      content: [{ id: 1 }],
      page: { size: 20, number: 1, totalElements: 1, totalPages: 1 },
    }, path);
  }
});

Deno.test("pageOf() + pages of several kinds share one description of what a page is", async () => {
  class Other extends Model(z.object({ name: z.string() })) {}
  @RestController()
  class Pages {
    @GetMapping({ path: "/views", returns: pageOf(View) }, Pageable())
    views(pageable: Pageable<never>): Page<{ id: number }> {
      return new Page(stored, pageable, 1);
    }
    @GetMapping({ path: "/others", returns: pageOf(Other) }, Pageable())
    others(pageable: Pageable<never>): Page<{ name: string }> {
      return new Page<{ name: string }>([], pageable, 0);
    }
  }
  await using app = await bootstrap({ components: [Pages] });
  const { components } = openApiDocument(app.routeTable, { title: "Pages", version: "1" });
  const names = ["Other", "OtherPage", "PageMetadata", "View", "ViewPage"];
  assertEquals(
    Object.keys(components?.schemas ?? {}).filter((name) => names.includes(name)),
    names,
  );
});

Deno.test("pageOf(), sliceOf() + stand beside each other in one document, whatever their elements", async () => {
  class Other extends Model(z.object({ name: z.string() })) {}
  const schemas = [
    pageOf(View),
    pageOf(Other),
    pageOf(z.object({ id: z.int() })),
    pageOf(v.object({ id: v.number() })),
    pageOf(type({ id: "number" }).onDeepUndeclaredKey("delete")),
    pageOf(z.array(View)),
    sliceOf(View),
    sliceOf(Other),
    sliceOf(z.object({ id: z.int() })),
  ];
  for (const one of schemas) {
    for (const other of schemas) {
      @RestController()
      class Pages {
        @GetMapping({ path: "/one", returns: one as never })
        one(): never {
          throw new Error();
        }
        @GetMapping({ path: "/other", returns: other as never })
        other(): never {
          throw new Error();
        }
      }
      await using app = await bootstrap({ components: [Pages], config: {} });
      const { paths } = openApiDocument(app.routeTable, { title: "Pages", version: "1" });
      assertEquals(Object.keys(paths ?? {}), ["/one", "/other"]);
    }
  }
});

Deno.test("pageOf() + a class of the author's keeps its name, and the component gets another", async () => {
  class PageMetadata extends Model(z.object({ author: z.string() })) {}
  for (const paths of [["/a", "/b"], ["/b", "/a"]] as const) {
    @RestController()
    class Pages {
      @GetMapping({ path: paths[0], returns: pageOf(View) }, Pageable())
      views(pageable: Pageable<never>): Page<{ id: number }> {
        return new Page(stored, pageable, 1);
      }
      @GetMapping({ path: paths[1], returns: PageMetadata })
      metadata(): PageMetadata {
        return { author: "Ada" };
      }
    }
    await using app = await bootstrap({ components: [Pages], config: {} });
    const { components } = openApiDocument(app.routeTable, { title: "Pages", version: "1" });
    const { PageMetadata: theirs, PageMetadata_2: ours } = components.schemas;
    assertEquals(Object.keys(Object(theirs?.properties)), ["author"]);
    assertEquals("totalElements" in Object(ours?.properties), true);
  }
});

Deno.test("pageOf() + what does not fit is a 500 that names the element and no value", async () => {
  const messages: unknown[] = [];
  await using app = await bootstrap({
    components: [VendorController],
    extensions: [() => ({ log: (message, error) => messages.push(`${message} ${error}`) })],
  });
  const statuses = await quietly(() =>
    Promise.all(["/broken", "/other"].map(async (path) => {
      const response = await app.request(path);
      assertEquals(response.headers.get("link") === null, true);
      return response.status;
    }))
  );
  assertEquals(statuses, [500, 500]);
  assertStringIncludes(
    messages.join("\n"),
    "does not match the schema of 'returns' at '/content/1/id'",
  );
  assertStringIncludes(
    messages.join("\n"),
    "does not match the schema of 'returns' at '/page/totalElements'",
  );
  assert(!messages.join("\n").includes("secret"));
});

Deno.test("pageOf() + rejects at startup a schema of elements that allows unknown keys", async () => {
  @RestController()
  class LooseController {
    @GetMapping({ path: "/loose", returns: pageOf(type({ id: "number", in: { of: "number" } })) })
    loose(): Page<{ id: number; in: { of: number } }> {
      return new Page([], { page: 1, size: 1 }, 0);
    }
  }
  const error = await assertRejects(
    () => bootstrap({ components: [LooseController] }),
    MappingError,
    "allows unknown keys at '/content/*'",
  );
  assertStringIncludes(error.message, "onDeepUndeclaredKey");
});
