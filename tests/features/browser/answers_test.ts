import {
  type Application,
  bootstrap,
  GetMapping,
  ResponseEntity,
  RestController,
} from "@irori/irori";
import { type Asked, browser, type BrowserOptions } from "@irori/irori/browser";
import { assertEquals, assertMatch } from "@std/assert";
import { REQUESTS, startAnswers } from "./answers.ts";
import { appWith, corsFields, preflight, SHOP } from "./helpers.ts";

const extensions = [browser({
  cors: { origin: [SHOP], credentials: true },
  headers: { xFrameOptions: "DENY" },
})];

type Send = (path: string, init?: RequestInit) => Promise<Response>;

async function inBothWays(
  use: (send: Send, app: Application) => Promise<void>,
): Promise<void> {
  await using app = await startAnswers({ extensions });
  await use((path, init) => app.request(path, init), app);
  const { url } = await app.listen();
  await use((path, init) => fetch(`${url}${path}`, { redirect: "manual", ...init }), app);
}

Deno.test("browser() + adds its fields to every answer", async () => {
  const statuses = new Set<number>();
  await inBothWays(async (send) => {
    for (const [method, path, headers, body] of REQUESTS) {
      const init = { method, headers: { ...headers, Origin: SHOP }, body };
      const response = await send(path, init);
      await response.body?.cancel();
      const { vary = "", ...fields } = corsFields(response);
      const place = `${method} ${path} ${response.status}`;
      assertEquals(fields, { "allow-credentials": "true", "allow-origin": SHOP }, place);
      assertMatch(vary, /(?:^|, )Origin(?:,|$)/, place);
      assertEquals(vary.match(/Origin/g)?.length, 1, place);
      assertEquals(response.headers.get("X-Frame-Options"), "DENY", place);
      assertEquals(response.headers.get("X-Powered-By"), null, place);
      if (path === "/fields") assertEquals(response.headers.getSetCookie().length, 2, place);
      statuses.add(response.status);
    }
  });
  const expected = [200, 204, 206, 302, 304, 400, 401, 403, 404, 405, 409, 413, 415, 426, 500];
  assertEquals([...statuses].sort(), expected);
});

Deno.test("browser() + answers preflights of all paths, bodies and all", async () => {
  await inBothWays(async (send, app) => {
    for (const [method, path] of REQUESTS) {
      const response = await preflight({ request: send }, path, method);
      assertEquals([response.status, await response.text()], [204, ""], path);
      assertEquals(corsFields(response)["allow-origin"], SHOP, path);
      assertEquals(response.headers.get("X-Frame-Options"), "DENY", path);
    }
    const mapped = await send("/mapped", { method: "OPTIONS", headers: { Origin: SHOP } });
    assertEquals(await mapped.text(), "mapped");
    await app.request("/text");
  });
});

Deno.test("browser() + adds its fields to the handshake of a WebSocket", async () => {
  await using app = await startAnswers({ extensions });
  const { port } = await app.listen();
  const head = await headOf(
    port,
    `GET /socket HTTP/1.1\r\nHost: localhost\r\nOrigin: ${SHOP}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  );
  assertMatch(head, /^HTTP\/1\.1 101 /);
  assertMatch(head, /\r\naccess-control-allow-origin: https:\/\/shop\.example\r\n/i);
  assertMatch(head, /\r\nx-frame-options: DENY\r\n/i);
});

Deno.test("browser() + hostile requests get an answer, and no origin", async () => {
  await using app = await startAnswers({ extensions });
  const { port } = await app.listen();
  const hostile = [
    `GET /text HTTP/1.1\r\nHost: localhost\r\nOrigin: ${SHOP}\r\nOrigin: https://evil.example\r\n`,
    `GET /text HTTP/1.1\r\nHost: localhost\r\nOrigin: ${SHOP}/\r\n`,
    `GET /text HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\n`,
    `GET /text HTTP/1.1\r\nHost: localhost\r\nOrigin:\r\n`,
    `GET /text HTTP/1.1\r\nHost: localhost\r\nOrigin: https://${"a".repeat(5000)}.example\r\n`,
    `OPTIONS * HTTP/1.1\r\nHost: localhost\r\nOrigin: ${SHOP}\u0001\r\nAccess-Control-Request-Method: GET\r\n`,
    `OPTIONS /text HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nAccess-Control-Request-Method: GET\r\n`,
    `GET http://localhost/text HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n`,
  ];
  for (const request of hostile) {
    const head = await headOf(port, `${request}Connection: close\r\n\r\n`);
    assertMatch(head, /^HTTP\/1\.1 [24]\d\d /, request);
    assertEquals(/access-control-allow-origin/i.test(head), false, request);
  }
  assertEquals((await app.request("/text")).status, 200);
});

Deno.test("browser() + of an application that is mounted by fetch adds its fields, too", async () => {
  await using inner = await startAnswers({ extensions });
  await using outer = await bootstrap();
  outer.hono.mount("/inner", inner.fetch);
  const { headers } = await outer.request("/inner/text", { headers: { Origin: SHOP } });
  assertEquals(headers.get("Access-Control-Allow-Origin"), SHOP);
});

async function headOf(port: number, request: string): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(new TextEncoder().encode(request));
  const decoder = new TextDecoder();
  let text = "";
  const bytes = new Uint8Array(4096);
  while (!text.includes("\r\n\r\n")) {
    const length = await connection.read(bytes);
    if (length === null) break;
    text += decoder.decode(bytes.subarray(0, length), { stream: true });
  }
  return text;
}

const CONSTANT = new Response(null, { status: 204 });

@RestController()
class Own {
  @GetMapping("/constant")
  constant() {
    return CONSTANT;
  }

  @GetMapping("/own")
  own() {
    return ResponseEntity.ok().withJson({}).withHeader("Access-Control-Allow-Origin", "*");
  }

  @GetMapping("/json")
  json() {
    return {};
  }
}

Deno.test("browser() + leaves no field of one answer to the next, nor that of a handler", async () => {
  const config = { server: { port: 0, address: "127.0.0.1" } };
  const cors = { origin: [SHOP] };
  await using app = await appWith({ cors }, { components: [Own], config });
  const { url } = await app.listen();
  for (const path of ["/constant", "/own"]) {
    for (const origin of [SHOP, "https://evil.example", SHOP]) {
      const answers = await Promise.all([
        fetch(url + path, { headers: { Origin: origin } }),
        app.request(path, { headers: { Origin: origin } }),
      ]);
      for (const { headers, body } of answers) {
        await body?.cancel();
        const found = headers.get("Access-Control-Allow-Origin");
        assertEquals([path, found], [path, origin === SHOP ? SHOP : null]);
        assertEquals(headers.get("Vary"), "Origin");
      }
    }
  }
});

Deno.test("browser() + gives functions a request that they may take apart", async () => {
  const config = { server: { port: 0, address: "127.0.0.1" } };
  const cors = {
    origin: (_: string, { header }: Asked) => header("x-tenant") === "a" ? SHOP : undefined,
  };
  await using app = await appWith({ cors } as BrowserOptions, { components: [Own], config });
  const { url } = await app.listen();
  for (const tenant of ["a", "b"]) {
    const headers = { Origin: SHOP, "X-Tenant": tenant };
    const response = await fetch(`${url}/json`, { headers });
    await response.body?.cancel();
    const found = response.headers.get("Access-Control-Allow-Origin");
    assertEquals(found, tenant === "a" ? SHOP : null);
  }
});
