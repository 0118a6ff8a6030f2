import { assertEquals } from "@std/assert";
import { z } from "zod";
import {
  bootstrap,
  FormParam,
  GetMapping,
  PostMapping,
  RequestParam,
  RestController,
} from "@irori/irori";
import { contractOf, openApiDocument } from "@irori/irori/openapi";
import { client } from "@irori/irori/client";

const URL_ENCODED = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";
const Title = z.object({ title: z.string() });
const Optional = z.object({ title: z.string().optional(), kind: z.string().default("d") });

@RestController()
class FormController {
  @PostMapping({ path: "/field/url", consumes: URL_ENCODED }, FormParam("title"))
  fieldUrl(title: string) {
    return { title };
  }
  @PostMapping({ path: "/field/multipart", consumes: MULTIPART }, FormParam("title"))
  fieldMultipart(title: string) {
    return { title };
  }
  @PostMapping("/field/any", FormParam("title"))
  fieldAny(title: string) {
    return { title };
  }
  @PostMapping({ path: "/whole/url", consumes: URL_ENCODED }, FormParam(Title))
  wholeUrl(form: z.infer<typeof Title>) {
    return form;
  }
  @PostMapping({ path: "/whole/multipart", consumes: MULTIPART }, FormParam(Title))
  wholeMultipart(form: z.infer<typeof Title>) {
    return form;
  }
}

@RestController()
class EmptyController {
  @PostMapping("/optional", FormParam(Optional))
  optional(form: z.infer<typeof Optional>) {
    return form;
  }
  @PostMapping({ path: "/multipart", consumes: MULTIPART }, FormParam(Optional))
  multipart(form: z.infer<typeof Optional>) {
    return form;
  }
  @PostMapping("/either", FormParam(z.union([Title, Optional])))
  either(form: object) {
    return form;
  }
  @PostMapping("/needed", FormParam(Title))
  needed(form: z.infer<typeof Title>) {
    return form;
  }
  @PostMapping("/unions", FormParam(z.union([Title, z.object({ id: z.string() })])))
  unions(form: object) {
    return form;
  }
  @PostMapping("/maybe", FormParam(Title, { required: false }))
  maybe(form: z.infer<typeof Title> | undefined) {
    return { form: form ?? null };
  }
  @GetMapping("/query", RequestParam(z.union([Title, z.object({ id: z.string() })])))
  query(query: object) {
    return query;
  }
}

Deno.test("openApiDocument() + lists the media types of a form that the server takes", async () => {
  await using app = await bootstrap({ components: [FormController] });
  const { paths } = openApiDocument(app.routeTable, { title: "", version: "" });
  for (const [path, { post }] of Object.entries(paths)) {
    const data = new FormData();
    data.append("title", "a");
    const bodies = { [URL_ENCODED]: new URLSearchParams({ title: "a" }), [MULTIPART]: data };
    const taken: string[] = [];
    for (const [type, body] of Object.entries(bodies)) {
      const { status } = await app.request(path, { method: "POST", body });
      if (status === 200) taken.push(type);
      else assertEquals(status, 415);
    }
    assertEquals(Object.keys(post?.requestBody?.content ?? {}), taken, path);
  }
});

Deno.test("client() + sends a form as the type that its mapping consumes", async () => {
  await using app = await bootstrap({ components: [FormController] });
  const { form } = client("http://a", contractOf(app.routeTable), {
    fetch: async (request) => await app.fetch(request),
  });
  for (const [name, call] of Object.entries(form!)) {
    const fields = { title: "a,b" };
    const args = name.startsWith("whole") ? { form: fields } : fields;
    assertEquals(await call(args), fields, name);
  }
});

Deno.test("FormParam() + a form without fields is refused only where the document requires it", async () => {
  await using app = await bootstrap({ components: [EmptyController] });
  const { paths } = openApiDocument(app.routeTable, { title: "", version: "" });
  const headers = { "Content-Type": URL_ENCODED };
  for (const [path, { post }] of Object.entries(paths)) {
    if (post === undefined) continue;
    const isRequired = post.requestBody?.required;
    assertEquals(isRequired, ["/needed", "/unions"].includes(path), path);
    const bare = await app.request(path, { method: "POST" });
    assertEquals(bare.status, isRequired ? 400 : path === "/multipart" ? 415 : 200, path);
    if (path === "/multipart") continue;
    const empty = await app.request(path, { method: "POST", headers, body: "" });
    assertEquals(empty.status, isRequired ? 400 : 200, path);
  }
  assertEquals(paths["/query"]?.get?.parameters?.[0]?.required, true);
  const refused = await app.request("/needed", { method: "POST", headers, body: "" });
  const { errors } = await refused.json();
  assertEquals(errors.map(({ pointer }: { pointer: string }) => pointer), ["/title"]);
});

Deno.test("client() + sends a form without fields", async () => {
  await using app = await bootstrap({ components: [EmptyController] });
  const { empty } = client("http://a", contractOf(app.routeTable), {
    fetch: async (request) => await app.fetch(request),
  });
  for (const name of ["optional", "multipart"]) {
    assertEquals(await empty![name]!({ form: { title: undefined } }), { kind: "d" }, name);
    assertEquals(await empty![name]!({ form: { title: null, kind: "k" } }), { kind: "k" }, name);
  }
  assertEquals(await empty!.optional!(), { kind: "d" });
});
