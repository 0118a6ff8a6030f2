import { assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { HTTPException } from "hono/http-exception";
import type { MiddlewareHandler } from "hono";
import {
  Bean,
  BindingError,
  Component,
  Configuration,
  ControllerAdvice,
  type ErrorController,
  ExceptionHandler,
  GetMapping,
  HttpError,
  type HttpRequest,
  HttpStatus,
  MappingError,
  PathVariable,
  PostMapping,
  problem,
  RequestParam,
  ResponseEntity,
  RestController,
  Scope,
  ServerSentEvent,
  STATUS,
  Use,
} from "../../mod.ts";
import type { Constructor } from "../../src/container/mod.ts";
import { brand } from "../../src/http/mod.ts";
import { appOf, Failures } from "./helpers.ts";

class Base extends Error {}
class Near extends Base {}
class Nearest extends Near {}
class Other extends Error {}

/** Throws what a test wants. */
let thrown: unknown;

@RestController()
class Throwing {
  @GetMapping("/throw")
  sync() {
    throw thrown;
  }

  @GetMapping("/reject")
  async async() {
    await Promise.resolve();
    throw thrown;
  }

  @GetMapping("/stream")
  async *stream() {
    await Promise.resolve();
    yield* failing(thrown);
  }

  @GetMapping("/unwritable")
  unwritable() {
    return { value: 1n };
  }

  @GetMapping("/middleware")
  @Use(() => {
    throw thrown;
  })
  middleware() {}

  @GetMapping("/bound", RequestParam("n", "int"))
  bound(n: number) {
    return n;
  }

  @GetMapping({ path: "/xml", produces: "application/xml" })
  xml() {
    throw thrown;
  }

  @GetMapping("/items/{id:[a-z]+}", PathVariable("id"))
  item() {
    throw thrown;
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** The lines that were logged as errors, and those for debugging. */
  readonly errors: readonly unknown[][];
  readonly debug: readonly unknown[][];
}

/** The answer of an application of these classes beside the one that throws. */
async function ask(
  components: readonly Constructor[],
  error: unknown,
  path = "/throw",
  init: RequestInit = {},
  middleware: readonly MiddlewareHandler[] = [],
): Promise<Answer> {
  const { extension, errors, debug } = new Failures();
  await using app = await appOf([Throwing, ...components], { middleware, extensions: [extension] });
  thrown = error;
  const response = await app.request(path, init);
  const text = await response.text();
  const { status, headers } = response;
  return { status, text, headers, errors, debug };
}

const tell = (who: string) => ResponseEntity.status(HttpStatus.CONFLICT).setBody(who);

@ControllerAdvice()
class Classes {
  @ExceptionHandler(Base)
  base() {
    return tell("base");
  }

  @ExceptionHandler(Near, Other)
  near(error: Near | Other, request: HttpRequest) {
    return tell(`near ${error.message} ${request.path}`);
  }
}

/** The response where no handler can answer. */
const PLAIN = { type: "about:blank", title: "Internal Server Error", status: 500 };

Deno.test("@ExceptionHandler + of the nearest class of an error answers it", async () => {
  const found: string[] = [];
  for (const error of [new Base("a"), new Near("b"), new Nearest("c"), new Other("d")]) {
    found.push((await ask([Classes], error)).text);
  }
  assertEquals(found, ["base", "near b /throw", "near c /throw", "near d /throw"]);
});

Deno.test("@ExceptionHandler + is not asked for anything else, as ever", async () => {
  for (const error of ["a text", undefined, null, 7, {}, new Error("secret"), new Map()]) {
    const { status, text, errors } = await ask([Classes], error);
    assertEquals([status, JSON.parse(text).title], [500, "Internal Server Error"]);
    assertEquals(errors.length, 1);
    assertStrictEquals(errors[0]?.[1], error);
  }
});

Deno.test("@ExceptionHandler + receives all kinds of failures in a route", async () => {
  for (const path of ["/throw", "/reject", "/stream", "/middleware"]) {
    const { status, text } = await ask([Classes], new Other("x"), path);
    assertEquals([path, status, text], [path, 409, `near x ${path}`]);
  }
  @ControllerAdvice()
  class Everything {
    @ExceptionHandler(Error)
    everything(error: Error) {
      return { name: error.constructor.name };
    }
  }
  const unwritable = await ask([Everything], undefined, "/unwritable");
  assertEquals([unwritable.status, unwritable.text], [500, '{"name":"TypeError"}']);
  const global = () => {
    throw new Other("x");
  };
  const inApplication = await ask([Classes], undefined, "/bound?n=1", {}, [global]);
  assertEquals([inApplication.status, inApplication.text], [409, "near x /bound"]);
});

Deno.test("@ExceptionHandler + of the controller counts first, and for its own routes alone", async () => {
  @RestController()
  class Own {
    @GetMapping("/own")
    own() {
      throw new Nearest("own");
    }

    @GetMapping("/other")
    other() {
      throw new Other("other");
    }

    @GetMapping("/guarded")
    @Use(() => {
      throw new Nearest("guard");
    })
    guarded() {}

    // Farther than the one of the advice, and yet nearer by its place.
    @ExceptionHandler(Base)
    base(error: Base) {
      return tell(`own ${error.message}`);
    }
  }
  const answerText = async (path: string, error?: unknown) => {
    return (await ask([Classes, Own], error, path)).text;
  };
  assertEquals(await answerText("/own"), "own own");
  assertEquals(await answerText("/guarded"), "own guard");
  assertEquals(await answerText("/other"), "near other /other");
  assertEquals(await answerText("/throw", new Nearest("a")), "near a /throw");
});

Deno.test("@ControllerAdvice + asks advices in the order of their registration", async () => {
  @ControllerAdvice()
  class Far {
    @ExceptionHandler(Error)
    all() {
      return tell("far");
    }
  }
  assertEquals((await ask([Far, Classes], new Nearest())).text, "far");
  assertEquals((await ask([Classes, Far], new Nearest("a"))).text, "near a /throw");
});

Deno.test("@ExceptionHandler + takes errors of binding, of HttpError and of Hono, with their status", async () => {
  @ControllerAdvice()
  class Http {
    @ExceptionHandler(BindingError)
    binding({ errors, status }: BindingError) {
      return { status: status.value, errors };
    }

    @ExceptionHandler(HttpError)
    http(error: HttpError) {
      return { http: error.message };
    }

    @ExceptionHandler(HTTPException)
    hono(error: HTTPException) {
      return `hono ${error.message}`;
    }
  }
  const binding = await ask([Http], undefined, "/bound?n=x");
  assertEquals(binding.status, 400);
  assertEquals(JSON.parse(binding.text).errors[0].parameter, "n");
  const headers = { "Retry-After": "7" };
  const http = await ask([Http], new HttpError(429, "Slower", { headers }));
  assertEquals([http.status, http.text], [429, '{"http":"Slower"}']);
  assertEquals(http.headers.get("Retry-After"), "7");
  const res = new Response("no", { headers: { "WWW-Authenticate": "Bearer" } });
  const hono = await ask([Http], new HTTPException(401, { message: "Who?", res }));
  assertEquals([hono.status, hono.text], [401, "hono Who?"]);
  assertEquals(hono.headers.get("WWW-Authenticate"), "Bearer");
  assertEquals(hono.headers.get("Content-Type"), "text/plain;charset=UTF-8");
});

Deno.test("@ExceptionHandler + knows classes of other copies of the library and of Hono", async () => {
  class HttpErrorOfACopy extends Error {
    static {
      brand(this, "HttpError");
    }
    readonly status = HttpStatus.GONE;
    readonly headers = {};
  }
  class Sub extends HttpErrorOfACopy {}
  class ExceptionOfACopy extends Error {
    readonly status = 402;
    getResponse() {
      return new Response();
    }
  }
  class SubException extends ExceptionOfACopy {}
  class Unlike extends Error {
    getResponse() {}
  }
  @ControllerAdvice()
  class Http {
    @ExceptionHandler(HttpError)
    http() {
      return "http";
    }

    @ExceptionHandler(HTTPException)
    hono() {
      return "hono";
    }
  }
  const found: unknown[] = [];
  for (const type of [HttpErrorOfACopy, Sub, ExceptionOfACopy, SubException]) {
    const { status, text } = await ask([Http], new type("a"));
    found.push([status, text]);
  }
  assertEquals((await ask([Http], new Unlike("a"))).status, 500);
  assertEquals(found, [[410, "http"], [410, "http"], [402, "hono"], [402, "hono"]]);
});

Deno.test("@ControllerAdvice + may answer what no route takes, with what its status has to say", async () => {
  @ControllerAdvice()
  class Unrouted {
    @ExceptionHandler(HttpError)
    http({ status }: HttpError, request: HttpRequest) {
      return { code: status.value, path: request.path };
    }
  }
  const missing = await ask([Unrouted], undefined, "/nothing");
  assertEquals([missing.status, missing.text], [404, '{"code":404,"path":"/nothing"}']);
  const method = await ask([Unrouted], undefined, "/throw", { method: "PUT" });
  assertEquals([method.status, method.headers.get("Allow")], [405, "GET, HEAD, OPTIONS"]);
  const type = await ask([Unrouted], undefined, "/xml", { headers: { Accept: "text/csv" } });
  assertEquals(type.status, 406);
  assertEquals((await ask([Unrouted], undefined, "/%zz")).status, 400);
  const options = await ask([Unrouted], undefined, "/throw", { method: "OPTIONS" });
  assertEquals([options.status, options.text], [204, ""]);
});

const XML: Readonly<Record<string, string>> = {
  "an object": '<?xml version="1.0" encoding="UTF-8"?>\n<response><a>1</a></response>',
  "a list": '<?xml version="1.0" encoding="UTF-8"?>\n<response><item>1</item></response>',
};

Deno.test("@ExceptionHandler + answers with anything that a handler may return", async (t) => {
  class Gone extends Error {
    static readonly [STATUS] = HttpStatus.GONE;
  }
  const ways: Record<
    string,
    [give: () => unknown, status: number, type: string | null, text: string]
  > = {
    "an object": [() => ({ a: 1 }), 410, "application/json", '{"a":1}'],
    "a list": [() => [1], 410, "application/json", "[1]"],
    "null": [() => null, 410, "application/json", "null"],
    "a text": [() => "gone", 410, "text/plain;charset=UTF-8", "gone"],
    "a promise": [() => Promise.resolve("later"), 410, "text/plain;charset=UTF-8", "later"],
    "nothing": [() => undefined, 410, null, ""],
    "an entity": [() => ResponseEntity.accepted().withJson(1), 202, "application/json", "1"],
    "a response": [
      () => new Response("raw", { status: 418 }),
      418,
      "text/plain;charset=UTF-8",
      "raw",
    ],
    "a redirect": [() => Response.redirect("http://localhost/else"), 302, null, ""],
    "a problem": [
      () => problem(HttpStatus.CONFLICT, { type: "/problems/gone", sku: "a" }),
      409,
      "application/problem+json",
      '{"type":"/problems/gone","title":"Conflict","status":409,"sku":"a"}',
    ],
    "events": [
      async function* () {
        await Promise.resolve();
        yield new ServerSentEvent("gone");
      },
      410,
      "text/event-stream",
      "data: gone\n\n",
    ],
  };
  for (const [name, [give, status, type, text]] of Object.entries(ways)) {
    await t.step(name, async () => {
      @ControllerAdvice()
      class Giving {
        @ExceptionHandler(Gone)
        gone() {
          return give();
        }
      }
      for (const path of ["/throw", "/xml"]) {
        const found = await ask([Giving], new Gone("secret"), path);
        // A body with a structure is in the media type of the route.
        const xml = path === "/xml" ? XML[name] : undefined;
        assertEquals([found.status, found.headers.get("Content-Type"), found.text], [
          status,
          xml ? "application/xml" : type,
          xml ?? text,
        ]);
        assertEquals(found.headers.get("X-Content-Type-Options"), "nosniff");
        assertEquals(found.errors, []);
        assertEquals(found.debug, [[`Giving.gone answered GET ${path} with ${status}`]]);
      }
      const head = await ask([Giving], new Gone(), "/throw", { method: "HEAD" });
      assertEquals([head.status, head.text], [status, ""]);
    });
  }
});

Deno.test("@ExceptionHandler + is given the variables of the path, and the bean as this", async () => {
  @ControllerAdvice()
  class Stateful {
    readonly #own = "own";

    @ExceptionHandler(Other)
    other(_: Other, request: HttpRequest) {
      request.context.header("X-Prepared", "1");
      return tell(`${this.#own} ${request.pathVariable("id")}`);
    }
  }
  const { text, headers } = await ask([Stateful], new Other(), "/items/ada");
  assertEquals([text, headers.get("X-Prepared")], ["own ada", "1"]);
});

Deno.test("@ExceptionHandler + that answers with a 5xx is logged once, with the error and an id", async () => {
  @ControllerAdvice()
  class Unavailable {
    @ExceptionHandler(Other)
    other() {
      return Response.json({}, { status: 503 });
    }

    @ExceptionHandler(Near)
    near() {
      return { known: true };
    }
  }
  for (const [error, status] of [[new Other("a"), 503], [new Near("b"), 500]] as const) {
    const found = await ask([Unavailable], error, "/throw", { headers: { "X-Request-Id": "r-1" } });
    assertEquals([found.status, found.headers.get("X-Request-Id")], [status, "r-1"]);
    assertEquals(found.errors, [["Cannot answer GET /throw (request r-1)", error]]);
    assertEquals(found.debug, []);
  }
});

@ControllerAdvice()
class Broken {
  @ExceptionHandler(Other)
  broken() {
    throw new Error("own secret");
  }
}

Deno.test("@ExceptionHandler + that throws is logged, and the next place is asked", async () => {
  const error = new Other("secret");
  const found = await ask([Broken, Classes], error);
  assertEquals([found.status, found.text], [409, "near secret /throw"]);
  assertEquals(found.errors.map(([line]) => line), [
    "Broken.broken cannot handle what failed at GET /throw",
  ]);
  assertEquals(found.debug, [["Classes.near answered GET /throw with 409"]]);
});

Deno.test("@ExceptionHandler + that throws leaves it to the error controller, with the error", async () => {
  @Component("errorController")
  class Last implements ErrorController {
    handleError(_: HttpRequest, response: ResponseEntity, status: HttpStatus, error?: unknown) {
      response.withStatusCode(422).setBody(`${status.value} ${(error as Error).message}`);
    }
  }
  const found = await ask([Broken, Last], new Other("original"));
  assertEquals([found.status, found.text], [422, "500 original"]);
});

Deno.test("@ExceptionHandler + that throws is a plain 500 where no other handler answers", async (t) => {
  const ways: Record<string, () => unknown> = {
    throws: () => {
      throw new Error("own secret");
    },
    rejects: () => Promise.reject(new Error("own secret")),
    "throws undefined": () => {
      throw undefined;
    },
    "returns what cannot be written": () => ({ value: 1n }),
    "returns a stream that fails at once": async function* () {
      await Promise.resolve();
      yield* failing(new Error("own secret"));
    },
  };
  for (const [way, give] of Object.entries(ways)) {
    await t.step(way, async () => {
      @ControllerAdvice()
      class Failing {
        @ExceptionHandler(Other, HttpError)
        other() {
          return give();
        }
      }
      const error = new Other("secret");
      const { status, text, errors } = await ask([Failing], error);
      assertEquals([status, JSON.parse(text)], [500, PLAIN]);
      assertEquals(errors.map(([line]) => line), [
        "Failing.other cannot handle what failed at GET /throw",
        "Cannot answer GET /throw",
      ]);
      assertStrictEquals(errors[1]?.[1], error);
      const expected = await ask([Failing], new HttpError(404, "Nothing"));
      assertEquals([expected.status, expected.errors.length], [500, 1]);
    });
  }
});

// deno-lint-ignore require-yield
function* failing(error: unknown) {
  throw error;
}

Deno.test("@ExceptionHandler + that throws the same error passes it on", async () => {
  @ControllerAdvice()
  class Picky {
    @ExceptionHandler(Error)
    picky(error: Error) {
      throw error;
    }
  }
  const next = await ask([Picky, Classes], new Other("a"));
  assertEquals([next.status, next.text, next.errors], [409, "near a /throw", []]);
  const none = await ask([Picky], new HttpError(404, "Nothing"));
  assertEquals([none.status, JSON.parse(none.text).detail], [404, "Nothing"]);
  const unexpected = await ask([Picky], new Other("secret"));
  assertEquals([unexpected.status, unexpected.errors.length], [500, 1]);
});

Deno.test("@ExceptionHandler + of a base class counts, and may be replaced", async () => {
  abstract class Handlers {
    @ExceptionHandler(Near)
    near() {
      return tell("inherited");
    }

    @ExceptionHandler(Other)
    other() {
      return tell("inherited");
    }

    @ExceptionHandler(RangeError)
    range() {
      return tell("inherited");
    }
  }
  @ControllerAdvice()
  class Advice extends Handlers {
    override near() {
      return tell("overridden");
    }

    @ExceptionHandler(TypeError)
    override other() {
      return tell("declared again");
    }
  }
  const found: unknown[] = [];
  for (const error of [new Near(), new Other(), new TypeError(), new RangeError()]) {
    const { status, text } = await ask([Advice], error);
    found.push(status === 409 ? text : status);
  }
  assertEquals(found, ["overridden", 500, "declared again", "inherited"]);
});

Deno.test("@ExceptionHandler + refuses two handlers for one class in one place, and names both", async () => {
  class CopyOfHttpError extends Error {
    static {
      brand(this, "HttpError");
    }
  }
  @ControllerAdvice()
  class Twins {
    @ExceptionHandler(Other, Near)
    one() {}
    @ExceptionHandler(Other)
    two() {}
  }
  @RestController()
  class Copies {
    @ExceptionHandler(HttpError)
    one() {}
    @ExceptionHandler(CopyOfHttpError)
    two() {}
  }
  class Parent {
    @ExceptionHandler(Other)
    one() {}
  }
  @ControllerAdvice()
  class Child extends Parent {
    @ExceptionHandler(Other)
    two() {}
  }
  for (const type of [Twins, Copies, Child]) {
    const error = await assertRejects(
      () => appOf([type]),
      MappingError,
      "Two handlers handle the same errors",
    );
    assertEquals(error.handlers, [`${type.name}.one`, `${type.name}.two`]);
  }
  // Twice by one method is once.
  @ControllerAdvice()
  class Same {
    @ExceptionHandler(Other, Other)
    @ExceptionHandler(Other)
    one() {
      return tell("once");
    }
  }
  assertEquals((await ask([Same], new Other())).text, "once");
});

Deno.test("@ExceptionHandler + refuses what would be without effect at startup", async () => {
  @Component()
  class Neither {
    @ExceptionHandler(Other)
    other() {}
  }
  @ControllerAdvice()
  @Scope("prototype")
  class Prototype {
    @ExceptionHandler(Other)
    other() {}
  }
  @ControllerAdvice()
  @RestController()
  class Both {}
  @ControllerAdvice()
  class Mapped {
    @GetMapping("/a")
    a() {}
  }
  const refused: readonly [Constructor, string][] = [
    [Neither, "'other' handles errors, but the class has no @ControllerAdvice() or"],
    [Prototype, "an advice must be a singleton"],
    [Both, "expected @RestController() or @ControllerAdvice() on the class, found both"],
    [Mapped, "'a' has a mapping, but the class has no @RestController()"],
  ];
  for (const [type, message] of refused) {
    await assertRejects(() => appOf([type]), MappingError, `Cannot map '${type.name}': ${message}`);
  }
});

Deno.test("@ExceptionHandler + refuses what it cannot stand on, or for, while the class is defined", () => {
  const none = [] as unknown as [typeof Error];
  const refused: readonly [() => unknown, string][] = [
    [
      () => {
        class A {
          @ExceptionHandler(...none)
          a() {}
        }
        return A;
      },
      "Cannot apply @ExceptionHandler to 'a': expected one or more classes of errors, found none",
    ],
    [
      () => {
        class A {
          @ExceptionHandler(Error, Map as unknown as typeof Error)
          a() {}
        }
        return A;
      },
      "found 'Map', which does not extend Error",
    ],
    [
      () => {
        class A {
          @ExceptionHandler(undefined as unknown as typeof Error)
          a() {}
        }
        return A;
      },
      "found undefined; a module that imports this one",
    ],
    [
      () => {
        class A {
          @ExceptionHandler(Error)
          static a() {}
        }
        return A;
      },
      "Cannot apply @ExceptionHandler to 'a': expected a public instance method, found a static method",
    ],
    [
      () => {
        class A {
          @ExceptionHandler(Error)
          #a() {}
          b() {
            return this.#a;
          }
        }
        return A;
      },
      "found a private method",
    ],
  ];
  for (const [define, message] of refused) assertThrows(define, MappingError, message);
});

Deno.test("@ControllerAdvice + may be made by a @Bean method, and be overridden", async () => {
  @Configuration()
  class Beans {
    @Bean("custom", { type: Classes })
    custom() {
      return new Classes();
    }
  }
  assertEquals((await ask([Beans], new Base())).text, "base");
  const stub = { base: () => tell("stub"), near: () => tell("stub") };
  await using app = await appOf([Throwing, Classes], { overrides: [[Classes, stub]] });
  thrown = new Base();
  assertEquals(await (await app.request("/throw")).text(), "stub");
  const error = await assertRejects(
    () => appOf([Classes], { overrides: [[Classes, {}]] }),
    MappingError,
  );
  assertEquals(error.message, "Cannot map 'Classes.base': there is no such method");
});

class OutOfStock extends Error {
  static readonly [STATUS] = HttpStatus.CONFLICT;
}
class SoldOut extends OutOfStock {}
class Down extends Error {
  static readonly [STATUS] = 503;
}

Deno.test("[STATUS] + is the status of an error's class, and of those that extend it", async () => {
  for (const type of [OutOfStock, SoldOut]) {
    const { status, text, errors, debug } = await ask([], new type("Item 7 is sold out"));
    assertEquals([status, JSON.parse(text).detail], [409, "Item 7 is sold out"]);
    assertEquals([errors, debug], [[], []]);
  }
  const error = new Down("secret");
  const down = await ask([], error, "/throw", { headers: { "X-Request-Id": "r-1" } });
  assertEquals([down.status, down.text.includes("secret")], [503, false]);
  assertEquals(down.errors, [["Cannot answer GET /throw (request r-1)", error]]);
  const httpError = class extends HttpError {
    static readonly [STATUS] = HttpStatus.CONFLICT;
  };
  assertEquals((await ask([], new httpError(404))).status, 404);
});

Deno.test("[STATUS] + is what the error controller is given", async () => {
  @Component("errorController")
  class Envelope implements ErrorController {
    handleError(_: HttpRequest, response: ResponseEntity, status: HttpStatus) {
      response.setBody(status.reasonPhrase);
    }
  }
  const { status, text } = await ask([Envelope], new SoldOut("a"));
  assertEquals([status, text], [409, "Conflict"]);
});

Deno.test("[STATUS] + that is none is an error at startup where it is known, else 500", async () => {
  for (const wrong of [HttpStatus.OK, 99, 600, 404.5, "404", undefined, null, {}]) {
    class Wrong extends Error {
      static readonly [STATUS] = wrong;
    }
    @ControllerAdvice()
    class Advice {
      @ExceptionHandler(Wrong)
      wrong() {}
    }
    await assertRejects(
      () => appOf([Advice]),
      MappingError,
      "Cannot use the [STATUS] of 'Wrong'",
    );
    const { status, text, errors } = await ask([], new Wrong("secret"));
    assertEquals([status, JSON.parse(text)], [500, PLAIN]);
    assertEquals(errors.length, 2);
  }
});

Deno.test("@ExceptionHandler + may read the body of the request", async () => {
  @RestController()
  class Bodies {
    @PostMapping("/bodies")
    async post(request: HttpRequest) {
      throw new Other(await request.text());
    }

    @ExceptionHandler(Other)
    async other(error: Other, request: HttpRequest) {
      return tell(`${error.message} ${await request.text()}`);
    }
  }
  const found = await ask([Bodies], undefined, "/bodies", { method: "POST", body: "a" });
  assertEquals(found.text, "a a");
});

Deno.test("@ExceptionHandler + answers in a media type of the route, where that may hold an error", async () => {
  @RestController()
  class Typed {
    @GetMapping({ path: "/both", produces: ["application/json", "application/xml"] })
    both() {
      throw new TypeError("both");
    }
    @GetMapping({ path: "/table", produces: "text/csv" })
    table() {
      throw new TypeError("table");
    }
    @GetMapping({ path: "/text", produces: "application/xml" })
    text() {
      throw new RangeError("text");
    }
    @GetMapping({ path: "/problem", produces: "application/xml" })
    problem() {
      throw new SyntaxError("problem");
    }
    @ExceptionHandler(TypeError)
    object(error: TypeError) {
      return { message: error.message };
    }
    @ExceptionHandler(RangeError)
    word(error: RangeError) {
      return error.message;
    }
    @ExceptionHandler(SyntaxError)
    detail() {
      return problem(HttpStatus.CONFLICT);
    }
  }
  const failures = new Failures();
  const app = await appOf([Typed], { extensions: [failures.extension] });
  const answerOf = async (path: string, accept: string) => {
    const { headers, body } = await app.request(path, { headers: { accept } });
    await body?.cancel();
    return headers.get("content-type");
  };
  assertEquals(await answerOf("/both", "application/xml"), "application/xml");
  assertEquals(await answerOf("/both", "*/*"), "application/json");
  assertEquals(await answerOf("/table", "text/csv"), "application/json");
  assertEquals(await answerOf("/text", "application/xml"), "text/plain;charset=UTF-8");
  assertEquals(await answerOf("/problem", "application/xml"), "application/problem+json");
});

Deno.test("problem() + returned by a handler is answered with its status and type", async () => {
  @RestController()
  class Problems {
    @GetMapping({ path: "/problem", status: HttpStatus.CREATED, produces: "application/xml" })
    problem() {
      return problem(HttpStatus.PAYMENT_REQUIRED, { title: "Pay", detail: "first", price: 7 });
    }
  }
  const { status, headers, text } = await ask([Problems], undefined, "/problem");
  assertEquals([status, headers.get("Content-Type")], [402, "application/problem+json"]);
  const [type, instance] = ["about:blank", undefined];
  assertEquals(
    JSON.parse(text),
    JSON.parse(JSON.stringify({
      type,
      title: "Pay",
      status: 402,
      detail: "first",
      instance,
      price: 7,
    })),
  );
});
