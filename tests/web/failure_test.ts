import { assertEquals, assertMatch, assertStrictEquals } from "@std/assert";
import { format } from "node:util";
import type { MiddlewareHandler } from "hono";
import { requestId } from "hono/request-id";
import {
  Component,
  type ErrorController,
  FormParam,
  GetMapping,
  HttpError,
  type HttpRequest,
  HttpStatus,
  PostMapping,
  RequestBody,
  RequestParam,
  type ResponseEntity,
  RestController,
  Use,
} from "../../mod.ts";
import { requestIdOf } from "../../src/web/mod.ts";
import { appOf, Failures, logged } from "./helpers.ts";

const secret = new Error("secret", { cause: new Error("deeper") });

@RestController()
class Failing {
  @GetMapping("/unexpected")
  unexpected() {
    throw secret;
  }

  @GetMapping("/expected")
  expected() {
    throw new HttpError(404, "There is nothing");
  }

  @GetMapping("/text")
  text() {
    throw "a text";
  }
}

Deno.test("failures + are logged once, with the error itself and a request id, when unexpected", async () => {
  await using app = await appOf([Failing]);
  let response: Response | undefined;
  const lines = await logged(async () => {
    response = await app.request("/unexpected?token=hidden", {
      headers: { "X-Request-Id": "r-1" },
    });
  });
  assertEquals(lines.length, 1);
  assertEquals(lines[0]?.[0], "Cannot answer GET /unexpected (request r-1)");
  assertStrictEquals(lines[0]?.[1], secret);
  assertEquals(response?.headers.get("x-request-id"), "r-1");
  assertEquals((await response?.text())?.includes("secret"), false);
});

Deno.test("failures + get an id of their own where the client's could do harm", async () => {
  await using app = await appOf([Failing]);
  const ids: (string | null)[] = [];
  const lines = await logged(async () => {
    for (const id of [undefined, "a b", "a".repeat(256), "<script>"]) {
      const headers: HeadersInit = id === undefined ? {} : { "X-Request-Id": id };
      ids.push((await app.request("/unexpected", { headers })).headers.get("x-request-id"));
    }
  });
  for (const [index, id] of ids.entries()) {
    assertMatch(id ?? "", /^[\da-f-]{36}$/);
    assertEquals(lines[index]?.[0], `Cannot answer GET /unexpected (request ${id})`);
  }
});

Deno.test("failures + whose path has format specifiers are logged as they were sent", async () => {
  @RestController()
  class Formats {
    @GetMapping("/formats/{name}")
    fails() {
      throw secret;
    }
  }
  await using app = await appOf([Formats]);
  const headers = { "X-Request-Id": "r-1" };
  const path = "/formats/%d0%bf%c3%a9%25s%25%25";
  const [line = []] = await logged(() => app.request(path, { headers }));
  // As each runtime's console writes it.
  assertEquals(
    format(...line).split("\n")[0],
    `Cannot answer GET ${path} (request r-1) Error: secret`,
  );
});

Deno.test("failures + keep the id that was asked for first, whatever middleware behind it takes", async () => {
  const asked: string[] = [];
  await using app = await appOf([Failing], {
    middleware: [
      async (context, next) => {
        asked.push(requestIdOf(context));
        await next();
        asked.push(requestIdOf(context));
      },
      requestId({ generator: () => "made later" }),
    ],
  });
  const [line] = await logged(async () => void await app.request("/unexpected"));
  assertEquals(asked[1], asked[0]);
  assertEquals(line?.[0], `Cannot answer GET /unexpected (request ${asked[0]})`);
});

Deno.test("failures + are not logged when the client is to blame", async () => {
  await using app = await appOf([Failing]);
  const lines = await logged(async () => {
    for (const path of ["/expected", "/nothing", "/%zz"]) await app.request(path);
  });
  assertEquals(lines, []);
});

Deno.test("error controller + gets request, response, status and error", async () => {
  const calls: unknown[][] = [];
  @Component("errorController")
  class Recorder implements ErrorController {
    async handleError(
      request: HttpRequest,
      response: ResponseEntity,
      status: HttpStatus,
      error?: unknown,
    ) {
      await Promise.resolve();
      calls.push([request.path, response.status, response.body, status, error]);
      response.withStatusCode(418).withHeader("X-Handled", "1").withJson({ own: true });
    }
  }
  await using app = await appOf([Failing, Recorder]);
  await logged(async () => {
    for (const path of ["/unexpected", "/nothing", "/%zz", "/text"]) {
      const response = await app.request(path);
      assertEquals(response.status, 418);
      assertEquals(response.headers.get("x-handled"), "1");
      assertEquals(await response.json(), { own: true });
    }
  });
  const { INTERNAL_SERVER_ERROR, NOT_FOUND, BAD_REQUEST } = HttpStatus;
  assertEquals(calls, [
    ["/unexpected", INTERNAL_SERVER_ERROR, undefined, INTERNAL_SERVER_ERROR, secret],
    ["/nothing", NOT_FOUND, undefined, NOT_FOUND, undefined],
    ["/%zz", BAD_REQUEST, undefined, BAD_REQUEST, undefined],
    ["/text", INTERNAL_SERVER_ERROR, undefined, INTERNAL_SERVER_ERROR, "a text"],
  ]);
});

Deno.test("error controller + that fails itself is a plain 500, and both are logged", async (t) => {
  const ways: Record<string, (response: ResponseEntity) => void | Promise<void>> = {
    throws: () => {
      throw new Error("own secret");
    },
    rejects: () => Promise.reject(new Error("own secret")),
    "fills what cannot be written": (response) => void response.withJson({ value: 1n }),
  };
  for (const [way, fill] of Object.entries(ways)) {
    await t.step(way, async () => {
      @Component("errorController")
      class Broken implements ErrorController {
        handleError(_: HttpRequest, response: ResponseEntity) {
          return fill(response);
        }
      }
      await using app = await appOf([Failing, Broken]);
      let response: Response | undefined;
      const lines = await logged(async () => {
        response = await app.request("/unexpected");
      });
      assertEquals(response?.status, 500);
      assertEquals(response?.headers.get("content-type"), "application/problem+json");
      assertEquals((await response?.json()).title, "Internal Server Error");
      assertEquals(lines.length, 2);
    });
  }
});

Deno.test("failures + of middleware go the same way, whatever is thrown", async () => {
  const outer: MiddlewareHandler = async (context, next) => {
    await next();
    context.header("X-Outer", context.error?.message ?? "none");
  };
  const thrower: MiddlewareHandler = (context, next) => {
    if (context.req.path === "/ok") return next();
    throw context.req.path === "/http" ? new HttpError(403, "No") : "a text";
  };
  @RestController()
  class Fine {
    @GetMapping("/ok")
    ok() {
      return "ok";
    }
  }
  await using app = await appOf([Fine], { middleware: [outer, thrower] });
  await logged(async () => {
    const found: unknown[] = [];
    for (const path of ["/ok", "/http", "/text"]) {
      const response = await app.request(path);
      found.push([response.status, response.headers.get("x-outer")]);
    }
    assertEquals(found, [[200, "none"], [403, "No"], [500, "a text"]]);
  });
});

Deno.test("failures + that the error controller answers as the client's are not logged", async () => {
  @Component("errorController")
  class Domain implements ErrorController {
    handleError(request: HttpRequest, response: ResponseEntity) {
      response.withStatusCode(request.path === "/expected" ? 500 : 422).withJson({});
    }
  }
  await using app = await appOf([Failing, Domain]);
  let response: Response | undefined;
  assertEquals(
    await logged(async () => {
      response = await app.request("/unexpected");
    }),
    [],
  );
  assertEquals([response?.status, response?.headers.get("x-request-id")], [422, null]);
  const lines = await logged(() => app.request("/expected"));
  assertEquals(lines.map(([line]) => line), ["Cannot answer GET /expected"]);
});

Deno.test("failures + of a body that breaks off are the client's", async () => {
  @RestController()
  class Uploads {
    @PostMapping("/bound", RequestBody())
    bound() {}
    @PostMapping("/read")
    async read(request: HttpRequest) {
      await request.text();
    }
    @PostMapping("/form", FormParam("a"))
    form() {}
    @PostMapping("/twice", RequestBody())
    @Use(async (context, next) => {
      await context.req.raw.text();
      await next();
    })
    twice() {}
  }
  const { extension, errors, debug } = new Failures();
  await using app = await appOf([Uploads], { extensions: [extension] });
  const send = async (path: string, type: string) => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("[1,"));
      },
      pull(controller) {
        controller.error(new TypeError("error reading a body from connection"));
      },
    });
    const headers = { "Content-Type": type };
    const init = { method: "POST", body, headers, duplex: "half" } as RequestInit;
    return (await app.request(path, init)).status;
  };
  const statuses: number[] = [];
  statuses.push(await send("/bound", "application/json"));
  statuses.push(await send("/read", "text/plain"));
  statuses.push(await send("/form", "application/x-www-form-urlencoded"));
  assertEquals([statuses, errors], [[400, 400, 400], []]);
  const waiting = (path: string) => [`The client disconnected before the response to POST ${path}`];
  assertEquals(debug, ["/bound", "/read", "/form"].map(waiting));
  // The code that read it before caused this one.
  const init = { method: "POST", body: "1", headers: { "Content-Type": "application/json" } };
  assertEquals((await app.request("/twice", init)).status, 500);
  assertEquals(errors.length, 1);
});

Deno.test("failures + of a client that leaves in the middle of its body are not logged", async () => {
  const started = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<unknown>();
  @RestController()
  class Uploads {
    @PostMapping("/read")
    async read(request: HttpRequest) {
      started.resolve();
      try {
        await request.bytes();
      } catch (error) {
        failed.resolve(error);
        throw error;
      }
    }
  }
  const lines = await logged(async () => {
    await using app = await appOf([Uploads], {
      config: { server: { port: 0, address: "127.0.0.1" } },
    });
    const { port } = await app.listen();
    const connection = await Deno.connect({ port });
    const request = "POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc";
    await connection.write(new TextEncoder().encode(request));
    await started.promise;
    connection.close();
    const error = await failed.promise;
    assertEquals((error as HttpError).status, HttpStatus.BAD_REQUEST);
  });
  assertEquals(lines, []);
});

@RestController()
class LeftController {
  @GetMapping("/left", RequestParam("by"))
  left(by: string, request: HttpRequest) {
    const { reason } = request.signal;
    if (by === "reason") throw reason;
    if (by === "cause") throw new TypeError("Cannot fetch", { cause: reason });
    throw new TypeError("A defect");
  }

  @GetMapping("/own")
  own() {
    throw new DOMException("Of another signal", "AbortError");
  }
}

Deno.test("a handler that fails because its client has left + is no failure of the server", async () => {
  const { extension, errors, debug } = new Failures();
  const app = await appOf([LeftController], { extensions: [extension] });
  const statusOf = async (path: string, signal?: AbortSignal) => {
    const request = new Request(`http://localhost${path}`, { signal });
    return (await app.fetch(request)).status;
  };
  const left = AbortSignal.abort();
  for (const by of ["reason", "cause", "defect"]) {
    assertEquals(await statusOf(`/left?by=${by}`, left), 400);
  }
  assertEquals(debug, Array(3).fill(["The client disconnected before the response to GET /left"]));
  assertEquals(errors, []);
  assertEquals(await statusOf("/left?by=defect"), 500);
  assertEquals(await statusOf("/own"), 500);
  assertEquals(errors.length, 2);
});
