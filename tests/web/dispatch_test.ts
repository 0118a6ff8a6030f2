import { assertEquals } from "@std/assert";
import {
  bootstrap,
  GetMapping,
  PathVariable,
  PostMapping,
  RequestParam,
  ResponseEntity,
  RestController,
} from "../../mod.ts";
import { cors } from "hono/cors";
import { etag } from "hono/etag";

@RestController()
class Users {
  @GetMapping("/users/search", RequestParam("email"))
  search(email: string) {
    return { email };
  }

  @GetMapping("/users/{id}", PathVariable("id", "int"))
  get(id: number) {
    return { id };
  }

  @PostMapping({ path: "/users/{id}", produces: ["application/json"] })
  touch() {
    return {};
  }
}

/** How often the headers of a request were asked for, besides its host. */
async function headersAsked(path: string, method: string): Promise<number> {
  await using app = await bootstrap({ components: [Users] });
  const request = new Request(`http://localhost${path}`, { method });
  const { headers } = request;
  let count = -1; // Every request's host is checked.
  Object.defineProperty(request, "headers", {
    get() {
      count++;
      return headers;
    },
  });
  const response = await app.fetch(request);
  assertEquals(response.status, 200);
  return count;
}

for (const path of ["/users/1", "/users/search?email=ada"]) {
  Deno.test(`dispatcher() + leaves headers alone where they decide nothing: ${path}`, async () => {
    assertEquals(await headersAsked(path, "GET"), 0);
  });
}

Deno.test("dispatcher() + asks for headers where they decide", async () => {
  assertEquals(await headersAsked("/users/1", "POST") > 0, true);
});

@RestController()
class Negotiated {
  @GetMapping({ path: "/several", produces: ["application/json", "application/xml"] })
  several() {
    return { a: 1 };
  }
  @GetMapping({ path: "/failing", produces: ["application/json", "application/xml"] })
  failing() {
    throw new Error("fails");
  }
  @GetMapping({ path: "/one", produces: "application/json" })
  one() {
    return { a: 1 };
  }
  @GetMapping({ path: "/beside", produces: "text/html" })
  html() {
    return "<p>";
  }
  @GetMapping("/beside")
  json() {
    return ResponseEntity.ok().withHeader("Vary", "Accept-Language").withJson({});
  }
  @GetMapping({ path: "/narrow/wide", produces: "text/html" })
  narrow() {
    return "<p>";
  }
  @GetMapping("/narrow/{rest}")
  wide() {
    return {};
  }
  @GetMapping({ path: "/all", produces: ["text/html", "text/csv"] })
  all() {
    return ResponseEntity.ok().withHeader("Vary", "*").setBody("a");
  }
}

Deno.test("dispatcher() + names 'Accept' in 'Vary' where it decides, beside what is there", async () => {
  const origin = "https://shop.example";
  const middleware = [cors({ origin: [origin] }), etag()];
  await using app = await bootstrap({ components: [Negotiated], middleware });
  const cases: readonly (readonly [path: string, accept: string, status: number, vary: string])[] =
    [
      ["/several", "application/xml", 200, "accept origin"],
      ["/several", "image/png", 406, "accept origin"],
      ["/failing", "*/*", 500, "accept origin"],
      ["/one", "*/*", 200, "origin"],
      ["/one", "image/png", 406, "accept origin"],
      ["/beside", "text/html", 200, "accept origin"],
      ["/beside", "application/json", 200, "accept accept-language origin"],
      ["/narrow/wide", "application/json", 200, "accept origin"],
      ["/narrow/other", "application/json", 200, "origin"],
      ["/all", "*/*", 200, "* origin"],
    ];
  for (const [path, accept, status, vary] of cases) {
    const asked = (headers?: Record<string, string>) =>
      app.request(path, { headers: { accept, origin, ...headers } });
    const found = ({ headers }: Response) =>
      headers.get("vary")?.toLowerCase().split(", ").sort().join(" ");
    const response = await asked();
    assertEquals([response.status, found(response)], [status, vary], `${path} ${accept}`);
    if (status !== 200) continue;
    const again = await asked({ "If-None-Match": response.headers.get("ETag") ?? "" });
    assertEquals([again.status, found(again)], [304, vary], `${path} ${accept}`);
  }
});
