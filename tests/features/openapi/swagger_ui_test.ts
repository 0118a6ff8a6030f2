import { assert, assertEquals, assertMatch, assertNotEquals, assertThrows } from "@std/assert";
import type { Context } from "hono";
import { type Application, bootstrap, type BootstrapOptions, HttpRequest } from "@irori/irori";
import { openApi, swaggerUi } from "../../../src/features/contract/mod.ts";

const FILES: Readonly<Record<string, string>> = {
  "/docs": "text/html; charset=utf-8",
  "/docs/start.js": "text/javascript; charset=utf-8",
  "/docs/swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "/docs/swagger-ui.css": "text/css; charset=utf-8",
  "/docs/favicon-32x32.png": "image/png",
};

function application(config: BootstrapOptions["config"] = {}): Promise<Application> {
  return bootstrap({ config, extensions: [openApi(), swaggerUi()] });
}

Deno.test("swaggerUi() + serves the page and its files, with a strict policy", async () => {
  const app = await application();
  for (const [path, type] of Object.entries(FILES)) {
    const response = await app.request(path);
    assertEquals([response.status, response.headers.get("Content-Type")], [200, type], path);
    assertEquals(response.headers.get("X-Content-Type-Options"), "nosniff");
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    assertMatch(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /);
    assertEquals(/unsafe|https?:|\*/.test(policy), false);
    assert((await response.bytes()).length > 100, path);
  }
  const html = await (await app.request("/docs")).text();
  const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = ""]) => `/${url}`);
  assertEquals(loaded.sort(), Object.keys(FILES).filter((path) => path !== "/docs").sort());
});

Deno.test("swaggerUi() + answers 304 for an unchanged file", async () => {
  const app = await application();
  const tags = new Set<string>();
  for (const path of Object.keys(FILES)) {
    const { headers } = await app.request(path);
    assertEquals(headers.get("Cache-Control"), "no-cache");
    const tag = headers.get("ETag") ?? "";
    assertMatch(tag, /^"[0-9a-f]{32}"$/);
    tags.add(tag);
    for (const known of [tag, `W/${tag}`, `"a", ${tag}`, "*"]) {
      const again = await app.request(path, { headers: { "If-None-Match": known } });
      assertEquals([again.status, await again.text(), again.headers.get("ETag")], [304, "", tag]);
      assertNotEquals(again.headers.get("Content-Security-Policy"), null);
    }
    const other = await app.request(path, { headers: { "If-None-Match": '"a"' } });
    assertEquals(other.status, 200);
    await other.body?.cancel();
  }
  assertEquals(tags.size, Object.keys(FILES).length);
});

Deno.test("swaggerUi() + serves below the context path, unless 'openapi.enabled' is false", async () => {
  const app = await application({ server: { "context-path": "/api" } });
  assertEquals((await app.request("/api/docs", { method: "HEAD" })).status, 200);
  assertEquals((await app.request("/docs")).status, 404);
  assertEquals((await app.request("/api/docs", { method: "POST" })).status, 405);
  const off = await application({ openapi: { enabled: false } });
  for (const path of Object.keys(FILES)) assertEquals((await off.request(path)).status, 404);
});

Deno.test("swaggerUi() + fails at startup on an edge isolate", async () => {
  const { config, context, routeTable: routes } = await application();
  const requestOf = (context: Context) => new HttpRequest(context);
  const rest = { routesAt: () => [], middleware: [] };
  assertThrows(
    () => swaggerUi()({ config, contextPath: "", context, routes, requestOf, ...rest }),
    Error,
    "Cannot serve the documentation page here: on an edge isolate, leave out swaggerUi()",
  );
});
