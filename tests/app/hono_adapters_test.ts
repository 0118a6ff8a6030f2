import { assert, assertEquals, assertInstanceOf, assertStrictEquals } from "@std/assert";
import { Hono } from "hono";
import { handle as lambda } from "hono/aws-lambda";
import { handle as vercel } from "hono/vercel";
import {
  bootstrap,
  GetMapping,
  type HttpRequest,
  PathVariable,
  RestController,
} from "../../mod.ts";
import { bootstrap as edge } from "../../src/app/edge.ts";

@RestController()
class Users {
  @GetMapping("/users/{id}", PathVariable("id", "int"))
  user(id: number, { url, clientAddress }: HttpRequest) {
    return { id, url, clientAddress };
  }

  @GetMapping("/files/{*path}", PathVariable("path"))
  file(path: string) {
    return { path };
  }
}

for (const [name, start] of Object.entries({ bootstrap, "bootstrap of ./edge": edge })) {
  Deno.test(`${name} + returns a Hono app, which adapters accept and other apps mount`, async () => {
    await using app = await start({ components: [Users] });
    assertInstanceOf(await vercel(app)(new Request("http://x/users/7")), Response);
    const { statusCode, body } = await lambda(app)({
      ...{ version: "2.0", routeKey: "$default", rawPath: "/users/7", rawQueryString: "" },
      ...{ headers: {}, body: null, isBase64Encoded: false },
      requestContext: { domainName: "x", http: { method: "GET" } } as never,
    });
    assertEquals([statusCode, JSON.parse(body).id], [200, 7]);
    assertStrictEquals(app.hono, app);

    const routed = new Hono().route("/api", app);
    assertEquals((await (await routed.request("/api/users/7")).json()).id, 7);
    assertEquals(await (await routed.request("/api/none")).text(), "404 Not Found");
    for (
      const [apart, prefix] of [[routed, "/api"], [
        new Hono().basePath("/a/b").route("/:c", app),
        "/a/b/c",
      ]] as const
    ) {
      const found = await Promise.all(
        ["/x/y", "/x", "/", ""].map(async (path) =>
          (await (await apart.request(`${prefix}/files${path}`)).json()).path
        ),
      );
      assertEquals(found, ["/x/y", "/x", "/", ""]);
    }
    const mounted = new Hono().mount("/api", app.fetch);
    assertEquals(
      (await (await mounted.request("/api/users/7")).json()).url,
      "http://localhost/users/7",
    );
    assertEquals((await (await mounted.request("/api/none")).json()).status, 404);
    assertEquals((await mounted.request("/api/users/x")).status, 400);
  });
}

Deno.test("bootstrap + the Hono app that it returns takes more routes, by its own methods", async () => {
  await using app = await bootstrap({ components: [Users] });
  app.get("/late", (context) => context.text("late")).route(
    "/sub",
    new Hono().all("*", (c) => c.text("sub")),
  );
  assertEquals(await (await app.request("/late")).text(), "late");
  const mounted = await app.fetch(new Request("http://x/sub/any"));
  assertEquals([await mounted.text(), mounted.headers.get("X-Content-Type-Options")], [
    "sub",
    "nosniff",
  ]);
  assertEquals(app.routeTable.map(({ path }) => path).sort(), ["/files/{*path}", "/users/{id}"]);
  assert(app.routes.length > 1);
});
