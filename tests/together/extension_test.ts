import { assertEquals, assertRejects } from "@std/assert";
import type { Context } from "hono";
import { actuator } from "../../src/features/actuator/mod.ts";
import { configured } from "../../src/app/mod.ts";
import { requestContext } from "../../src/features/context/mod.ts";
import { logging } from "../../src/features/logging/mod.ts";
import { openApi } from "../../src/features/contract/mod.ts";
import { observing } from "../../src/web/mod.ts";
import { tracing } from "../../src/features/tracing/mod.ts";
import {
  bootstrap,
  type Extension,
  GetMapping,
  type HttpRequest,
  MappingError,
  RestController,
} from "../../mod.ts";

@RestController()
class Pages {
  @GetMapping("/pages/{id}")
  get(request: HttpRequest): string {
    return `page ${request.pathVariable("id")}`;
  }

  @GetMapping("/broken")
  broken(): string {
    throw new Error("s3cr3t");
  }

  @GetMapping("/**")
  rest(): string {
    return "rest";
  }
}

const start = (...extensions: Extension[]) =>
  bootstrap({ components: [Pages], config: {}, extensions });

const extras: Extension = () => ({
  endpoints: [
    { method: "GET", path: "/extra", respond: (context: Context) => context.text("extra") },
    { method: "POST", path: "/extra", respond: () => new Response(null, { status: 204 }) },
    {
      method: "GET",
      path: "/extra/:name",
      respond: () => {
        throw new Error("s3cr3t");
      },
    },
  ],
});

Deno.test("an extension's endpoints are answered before the routes", async () => {
  await using app = await start(extras);
  const ask = async (method: string, path: string) => {
    const response = await app.request(path, { method });
    return [response.status, await response.text(), response.headers.get("allow")];
  };
  assertEquals(await ask("GET", "/extra"), [200, "extra", null]);
  assertEquals(await ask("HEAD", "/extra"), [200, "", null]);
  assertEquals(await ask("POST", "/extra"), [204, "", null]);
  assertEquals(await ask("OPTIONS", "/extra"), [204, "", "GET, HEAD, POST, OPTIONS"]);
  const [status, , allow] = await ask("DELETE", "/extra");
  assertEquals([status, allow], [405, "GET, HEAD, POST, OPTIONS"]);
  assertEquals(await ask("GET", "/other"), [200, "rest", null]);
  assertEquals(await ask("GET", "/pages/1"), [200, "page 1", null]);
});

Deno.test("what an extension's endpoint throws is answered as what handlers throw", async () => {
  const logged: string[] = [];
  await using app = await start(extras, () => ({ log: (message) => logged.push(message) }));
  const response = await app.request("/extra/x");
  assertEquals([response.status, (await response.json()).title], [500, "Internal Server Error"]);
  await app.request("/broken").then((response) => response.body?.cancel());
  assertEquals(logged.map((line) => line.replace(/ \(request .*/, "")), [
    "Cannot answer GET /extra/x",
    "Cannot answer GET /broken",
  ]);
});

Deno.test("an extension stands around each route, the first one outermost", async () => {
  const seen: string[] = [];
  const watching = (name: string): Extension => () => ({
    observe: observing((route) => ({
      around(_, run) {
        seen.push(`${name} ${route?.path ?? "none"}`);
        return run();
      },
    })),
  });
  await using app = await start(watching("a"), extras, watching("b"));
  for (const [method, path] of [["GET", "/pages/1"], ["POST", "/pages/1"]] as const) {
    await (await app.request(path, { method })).body?.cancel();
  }
  assertEquals(seen, ["a /pages/{id}", "b /pages/{id}", "a none", "b none"]);
});

Deno.test("an extension sees configuration, beans, routes and the process", async () => {
  let found: unknown[] = [];
  await using _app = await start(({ config, context, routes, runtime }) => {
    found = [config.get("x"), context.has(Pages), routes.length, runtime?.name];
    return undefined;
  });
  assertEquals(found, [undefined, true, 3, "deno"]);
});

Deno.test("an extension may not answer what a controller or another one answers", async () => {
  const respond = () => new Response();
  const twin: Extension = () => ({ endpoints: [{ method: "GET", path: "/broken", respond }] });
  const error = await assertRejects(() => start(twin), MappingError);
  assertEquals(
    error.message,
    "Cannot answer 'GET /broken' by an extension: pages.broken() already handles it",
  );
  await assertRejects(() => start(extras, extras), MappingError, "another extension");
});

Deno.test("an extension may not answer where the default version has one more path", async () => {
  @RestController()
  class Versioned {
    @GetMapping({ path: "/openapi.json", version: "1" })
    own(): string {
      return "own";
    }
  }
  const starting = () =>
    bootstrap({
      components: [Versioned],
      config: { server: { "api-version": { path: "/v{version}", default: "1" } } },
      extensions: [openApi()],
    });
  await assertRejects(
    async () => {
      await using _ = await starting();
    },
    MappingError,
    "Cannot answer 'GET /openapi.json' by an extension: versioned.own() already handles it",
  );
});

Deno.test("an extension's endpoints have the limits of the application, and nosniff", async () => {
  const echo: Extension = () => ({
    endpoints: [
      {
        method: "POST",
        path: "/echo",
        respond: async (context) => new Response(await context.req.text()),
      },
      { method: "GET", path: "/text", respond: () => new Response("text") },
    ],
  });
  await using app = await bootstrap({
    config: { server: { "max-body-size": 10 } },
    extensions: [echo],
  });
  const post = async (body: BodyInit, type: string) => {
    const init = { method: "POST", body, headers: { "Content-Type": type }, duplex: "half" };
    return (await app.request("/echo", init)).status;
  };
  assertEquals(await post("[1]", "application/json"), 200);
  assertEquals(await post("[1]", "application/x-www-form-urlencoded"), 415);
  assertEquals(await post("1".repeat(11), "application/json"), 413);
  assertEquals(await post(new Blob(["1".repeat(11)]).stream(), "application/json"), 413);
  const text = await app.request("/text");
  assertEquals(
    ["content-type", "x-content-type-options"].map((name) => text.headers.get(name)),
    ["text/plain;charset=UTF-8", "nosniff"],
  );
  await text.body?.cancel();
});

Deno.test("optionsOf() + makes the options of an extension of the configuration, once", async () => {
  const asked: unknown[] = [];
  const secret =
    (given: Parameters<typeof configured<{ readonly secret: string }>>[0]): Extension =>
    async ({ config }) => {
      asked.push((await configured(given, config)).secret);
      return undefined;
    };
  await using _ = await bootstrap({
    config: { "jwt.secret": "${KEY}" },
    env: { KEY: "of the environment" },
    extensions: [
      secret({ secret: "written" }),
      secret((config) => ({ secret: config.string("jwt.secret", "") })),
      secret(() => Promise.resolve({ secret: "later" })),
    ],
  });
  assertEquals(asked, ["written", "of the environment", "later"]);
});

Deno.test("optionsOf() + is what the actuator and the document take", async () => {
  await using app = await bootstrap({
    components: [Pages],
    config: { name: "pages", management: { endpoints: { include: ["migrations"] } } },
    extensions: [
      actuator((config) => ({
        migrations: [() => Promise.resolve({ [config.string("name", "")]: [] })],
      })),
      openApi((config) => ({ info: { title: config.string("name", "") } })),
    ],
  });
  const json = async (path: string) => await (await app.request(path)).json();
  assertEquals((await json("/actuator/migrations")).contexts.application.migrations, { pages: [] });
  assertEquals((await json("/openapi.json")).info.title, "pages");
});

Deno.test("what observes requests changes nothing of an answer", async () => {
  const config = {
    management: { endpoints: { include: "*" } },
    logging: { level: { root: "OFF" } },
  };
  const seen = async (...extensions: Extension[]) => {
    await using app = await bootstrap({ components: [Pages], config, extensions });
    const response = await app.request("/pages/1");
    const { ["x-request-id"]: _id, ...headers } = Object.fromEntries(response.headers);
    return [response.status, headers, await response.text()];
  };
  const plain = await seen();
  for (const extension of [actuator(), logging(), requestContext(), tracing()]) {
    assertEquals(await seen(extension), plain);
  }
});
