import { assertEquals, assertMatch } from "@std/assert";
import {
  bootstrap,
  GetMapping,
  type HttpRequest,
  PostMapping,
  RequestBody,
  RestController,
} from "../../../mod.ts";
import { requestContext, requestIdHeader } from "../../../src/features/context/mod.ts";
import { logged } from "../../web/helpers.ts";

@RestController()
class PageController {
  @GetMapping("/json")
  json() {
    return { a: 1 };
  }

  @GetMapping("/raw")
  raw() {
    return Response.redirect("http://localhost/json");
  }

  @GetMapping("/events")
  async *events() {
    yield await Promise.resolve("one");
  }

  @PostMapping("/body", RequestBody("text"))
  body(text: string) {
    return text;
  }

  @GetMapping("/fails")
  fails(request: HttpRequest) {
    throw new Error(request.path);
  }
}

const CASES: readonly [method: string, path: string, status: number][] = [
  ["GET", "/json", 200],
  ["HEAD", "/json", 200],
  ["GET", "/raw", 302],
  ["GET", "/events", 200],
  ["POST", "/body", 413],
  ["GET", "/extra", 200],
  ["GET", "/missing", 404],
  ["DELETE", "/json", 405],
  ["OPTIONS", "/json", 204],
  ["GET", "/fails", 500],
  ["GET", "/%zz", 400],
];

Deno.test("requestIdHeader() + every response has the id of its request, over a socket", async () => {
  const lines = await logged(async () => {
    await using app = await bootstrap({
      components: [PageController],
      config: { server: { port: 0, address: "127.0.0.1", "max-body-size": 3 } },
      extensions: [
        requestIdHeader(),
        requestContext(),
        () => ({
          endpoints: [{ method: "GET", path: "/extra", respond: () => new Response("extra") }],
          info: () => {},
        }),
      ],
    });
    const { url } = await app.listen();
    for (const [method, path, status] of CASES) {
      const send = async (id?: string) => {
        const response = await fetch(url + path, {
          method,
          redirect: "manual",
          ...(id !== undefined && { headers: { "X-Request-Id": id } }),
          ...(method === "POST" && { body: "large" }),
        });
        await response.body?.cancel();
        return [path, response.status, response.headers.get("X-Request-Id")];
      };
      assertEquals(await send(`id-${status}`), [path, status, `id-${status}`]);
      const [, , made] = await send();
      assertMatch(String(made), /^[\da-f-]{36}$/);
      const [, , harmless] = await send("not harmless");
      assertMatch(String(harmless), /^[\da-f-]{36}$/);
    }
  });
  assertMatch(lines.join("\n"), /^Cannot answer GET \/fails \(request id-500\)/m);
});

Deno.test("requestIdHeader() + nothing is sent without it", async () => {
  await using app = await bootstrap({
    components: [PageController],
    extensions: [requestContext()],
  });
  const response = await app.request("/json", { headers: { "X-Request-Id": "1" } });
  assertEquals(response.headers.get("X-Request-Id"), null);
});
