import { assertEquals } from "@std/assert";
import {
  bootstrap,
  GetMapping,
  PathVariable,
  PostMapping,
  RequestParam,
  RestController,
} from "../../mod.ts";

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
