import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { bootstrap, MappingError, PostMapping, RequestPart, RestController } from "../../../mod.ts";
import { MultipartStream, type Part } from "../../../src/features/multipart/mod.ts";
import { contractOf, openApiDocument } from "../../../src/features/contract/mod.ts";

@RestController()
class UploadController {
  @PostMapping("/uploads", MultipartStream())
  upload(_: AsyncIterable<Part>) {}
}

Deno.test("MultipartStream() + is described as multipart/form-data", async () => {
  await using app = await bootstrap({ components: [UploadController] });
  const { paths } = openApiDocument(app.routeTable, { title: "Uploads", version: "1" });
  assertEquals(paths["/uploads"]?.post?.requestBody, {
    required: true,
    content: {
      "multipart/form-data": { schema: { type: "object", additionalProperties: {} } },
    },
  });
  assertEquals(contractOf(app.routeTable).UploadController?.upload?.parameters, [{
    in: "multipart",
    as: "body",
  }]);
});

Deno.test("MultipartStream() + refuses limits that are none", () => {
  for (const limit of [-1, 1.5, NaN, Infinity]) {
    assertThrows(() => MultipartStream({ maxPartSize: limit }), MappingError, "maxPartSize");
    assertThrows(() => MultipartStream({ maxParts: limit }), MappingError, "maxParts");
  }
});

Deno.test("MultipartStream() + refuses a mapping of other bodies", async () => {
  @RestController()
  class ImageController {
    @PostMapping({ path: "/images", consumes: "image/*" }, MultipartStream())
    upload(_: AsyncIterable<Part>) {}
  }
  const error = await assertRejects(
    () => bootstrap({ components: [ImageController] }),
    MappingError,
  );
  assertStringIncludes(error.message, "'ImageController.upload': expected a mapping that consumes");
});

Deno.test("MultipartStream() + refuses another binder of the body", async () => {
  @RestController()
  class TwiceController {
    @PostMapping("/twice", MultipartStream(), RequestPart("file"))
    upload(_: AsyncIterable<Part>, _file: File) {}
  }
  const error = await assertRejects(
    () => bootstrap({ components: [TwiceController] }),
    MappingError,
  );
  assertStringIncludes(error.message, "'TwiceController.upload': expected no other binder");
});
