import { assertEquals } from "@std/assert";
import type { MiddlewareHandler } from "hono";
import { setCookie } from "hono/cookie";
import { cors } from "hono/cors";
import { logger } from "hono/logger";
import { requestId } from "hono/request-id";
import { secureHeaders } from "hono/secure-headers";
import {
  GetMapping,
  HttpError,
  PathVariable,
  PostMapping,
  ResponseEntity,
  RestController,
  Use,
} from "../../mod.ts";
import { appOf, logged } from "./helpers.ts";

@RestController()
class Controller {
  @GetMapping("/users/{id}", PathVariable("id", "int"))
  get(id: number) {
    return { id };
  }

  @GetMapping("/cookie")
  cookie() {
    return ResponseEntity.ok().withCookie("own", "1").withJson(null);
  }

  @GetMapping("/redirect")
  redirect() {
    return Response.redirect("http://localhost/users/1");
  }

  @GetMapping("/fails")
  fails() {
    throw new HttpError(409, "Taken");
  }
}

Deno.test("bootstrap({ middleware }) + runs around everything, 404 and failures included", async () => {
  const seen: string[] = [];
  await using app = await appOf([Controller], {
    middleware: [
      logger((line) =>
        seen.push(line.replaceAll("\u001b", "").replace(/\[\d+m/g, "").replace(/ \d+m?s$/, ""))
      ),
      requestId({ generator: () => "made" }),
      secureHeaders(),
      cors(),
    ],
  });
  for (const path of ["/users/1", "/nothing", "/fails", "/%zz"]) {
    const { headers } = await app.request(path);
    assertEquals(headers.get("x-request-id"), "made", path);
    assertEquals(headers.get("x-frame-options"), "SAMEORIGIN", path);
    assertEquals(headers.get("access-control-allow-origin"), "*", path);
  }
  assertEquals(seen.filter((line) => line.startsWith("-->")).map((line) => line.split(" ")[3]), [
    "200",
    "404",
    "409",
    "400",
  ]);
});

Deno.test("middleware + adds to headers and cookies of a handler, also of responses that are fixed", async () => {
  const adding: MiddlewareHandler = async (context, next) => {
    context.header("X-Before", "1");
    context.header("Content-Type", "text/never");
    setCookie(context, "added", "2");
    await next();
    context.header("X-After", "1");
  };
  @RestController()
  @Use(adding)
  class Covered extends Controller {}
  for (
    const [components, middleware] of [[[Controller], [adding]], [[Covered], []]] as const
  ) {
    await using app = await appOf(components, { middleware });
    const response = await app.request("/cookie");
    assertEquals(response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]).sort(), [
      "added=2",
      "own=1",
    ]);
    assertEquals(response.headers.get("content-type"), "application/json");
    const redirect = await app.request("/redirect");
    assertEquals(redirect.headers.get("location"), "http://localhost/users/1");
    assertEquals([redirect.headers.get("x-before"), redirect.headers.get("x-after")], ["1", "1"]);
    const failed = await app.request("/fails");
    assertEquals([failed.headers.get("x-before"), failed.headers.get("x-after")], ["1", "1"]);
    assertEquals(failed.headers.get("content-type"), "application/problem+json");
    assertEquals(failed.headers.getSetCookie().length, 1);
    const options = await app.request("/cookie", { method: "OPTIONS" });
    assertEquals(options.headers.get("x-before"), "1");
    assertEquals(options.headers.getSetCookie().length, 1);
  }
});

Deno.test("Use() + sees the variables and the answer of its own handler only", async () => {
  const ran: string[] = [];
  const note = (name: string): MiddlewareHandler => async (_, next) => {
    ran.push(name);
    await next();
  };
  @RestController()
  class Two {
    @GetMapping("/a/{id}")
    @Use(note("get"))
    get() {}
    @PostMapping("/a/{id}")
    @Use(note("post"))
    post() {}
  }
  await using app = await appOf([Two]);
  await app.request("/a/1");
  await app.request("/a/1", { method: "POST" });
  await app.request("/a/1", { method: "HEAD" });
  assertEquals(ran.splice(0), ["get", "post", "get"]);
  await app.request("/a/1", { method: "DELETE" });
  await app.request("/a/1", { method: "OPTIONS" });
  assertEquals(ran.splice(0), ["get", "post", "get", "post"]);
  const headers = { Origin: "http://a", "Access-Control-Request-Method": "POST" };
  await app.request("/a/1", { method: "OPTIONS", headers });
  assertEquals(ran, ["post"]);
});

Deno.test("Use() + may answer by itself, and may not call next() twice", async () => {
  let failures = 0;
  @RestController()
  class Short {
    @GetMapping("/short")
    @Use((context) => Promise.resolve(context.text("stopped", 403)))
    never() {
      throw new Error("Reached");
    }
    @GetMapping("/twice")
    @Use(async (_, next) => {
      await next();
      await next();
    })
    twice() {
      return "once";
    }
    @GetMapping("/failing")
    @Use(async (_, next) => {
      await next();
      await next();
    })
    failing() {
      failures++;
      throw new Error("Refused");
    }
  }
  await using app = await appOf([Short]);
  const stopped = await app.request("/short");
  assertEquals([stopped.status, await stopped.text()], [403, "stopped"]);
  const { error } = console;
  console.error = () => {};
  try {
    assertEquals((await app.request("/twice")).status, 500);
    assertEquals((await app.request("/failing")).status, 500);
    assertEquals(failures, 1);
  } finally {
    console.error = error;
  }
});

Deno.test("Use() + several on one class or method run in reading order, the class's first", async () => {
  const mark = (name: string): MiddlewareHandler => async (context, next) => {
    context.header("X-Order", name, { append: true });
    await next();
  };
  @RestController()
  @Use(mark("base 1"))
  @Use(mark("base 2"))
  class Base {
    @GetMapping("/base")
    base() {}
  }
  @RestController()
  @Use(mark("1"), mark("2"))
  @Use(mark("3"))
  class Ordered extends Base {
    @GetMapping("/ordered")
    @Use(mark("4"))
    @Use(mark("5"), mark("6"))
    ordered() {}
  }
  await using app = await appOf([Ordered]);
  const response = await app.request("/ordered");
  assertEquals(response.headers.get("X-Order"), "base 1, base 2, 1, 2, 3, 4, 5, 6");
});

Deno.test("middleware + that neither answers nor awaits next() is an error that names it", async () => {
  const forgetful: MiddlewareHandler = async () => {};
  const hasty: MiddlewareHandler = (_, next) => {
    next();
    return Promise.resolve();
  };
  @RestController()
  class Forgetful {
    @GetMapping("/forgetful")
    @Use(forgetful)
    forgetful() {}
    @GetMapping("/hasty")
    @Use(hasty)
    async hasty() {
      await Promise.resolve();
    }
  }
  await using app = await appOf([Forgetful]);
  await using everywhere = await appOf([], { middleware: [forgetful] });
  for (
    const [name, asked] of [
      ["forgetful", app],
      ["hasty", app],
      ["forgetful", everywhere],
    ] as const
  ) {
    const lines = await logged(async () => {
      const response = await asked.request(`/${name}`);
      assertEquals([response.status, response.headers.get("X-Content-Type-Options")], [
        500,
        "nosniff",
      ]);
    });
    assertEquals(
      lines.map(([, error]) => (error as Error).message),
      [`The middleware '${name}' neither returned a response nor awaited next()`],
    );
  }
});

Deno.test("Use() + middleware that returns what is no response is named", async () => {
  for (
    const [value, what] of [
      [{ ok: true }, "an object"],
      [[], "an object"],
      ["text", "a string"],
      [7, "a number"],
    ] as const
  ) {
    const wrong: MiddlewareHandler = () => Promise.resolve(value as never);
    class Wrong {
      handle(): Promise<void> {
        return Promise.resolve(value as never);
      }
    }
    @RestController()
    class Wrongly {
      @GetMapping("/function")
      @Use(wrong)
      function() {}
      @GetMapping("/Wrong")
      @Use(Wrong)
      class() {}
    }
    await using app = await appOf([Wrongly]);
    await using everywhere = await appOf([], { middleware: [wrong] });
    for (
      const [asked, path, name] of [[app, "/function", "wrong"], [app, "/Wrong", "Wrong"], [
        everywhere,
        "/",
        "wrong",
      ]] as const
    ) {
      const lines = await logged(async () => {
        assertEquals((await asked.request(path)).status, 500);
      });
      assertEquals(lines.map(([, error]) => (error as Error).message), [
        `The middleware '${name}' returned ${what}: expected a Response, or that it awaits next()`,
      ]);
    }
  }
});
