/**
 * The contract with Hono: middleware sees and changes requests and answers as it does in a plain Hono application, whether
 * it is that of the application or of `@Use()`, in `app.fetch` and in `listen()`.
 */
import { STATUS_CODES } from "node:http";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import {
  type Application,
  bootstrap,
  ControllerAdvice,
  ExceptionHandler,
  FormParam,
  GetMapping,
  type HttpRequest,
  HttpStatus,
  PostMapping,
  RequestBody,
  ResponseEntity,
  RestController,
  Use,
} from "@irori/irori";
import { type Answer, type Ask, inProcess, overSocket } from "../exchange.ts";
import { quietly } from "../conformance/quietly.ts";
import { CASES, type MiddlewareCase } from "./middleware_cases.ts";

/** What one case found. */
export interface MiddlewareOutcome {
  readonly name: string;
  /** What middleware noted and what was answered, with Hono. */
  readonly hono: string;
  /** The same with ours. */
  readonly found: string;
}

class Special extends Error {}

const LONG = "word ".repeat(1000);
const OWN_FIELDS = {
  "Content-Type": "text/own",
  "X-Own": "1",
  "Set-Cookie": ["own=1", "own=2"],
};
const OWN_HEADERS = Object.entries(OWN_FIELDS).flatMap(([name, values]) =>
  [values].flat().map((value): [string, string] => [name, value])
);
const PLAIN = { "Content-Type": "text/plain" };
const pieces = () => ReadableStream.from(["one ", "two"]).pipeThrough(new TextEncoderStream());
const pause = () => new Promise((resolve) => setTimeout(resolve, 100));

class Routes {
  @GetMapping("/object")
  object() {
    return { a: 1, b: [2] };
  }

  @GetMapping("/text")
  text() {
    return "text";
  }

  @GetMapping("/long")
  long() {
    return LONG;
  }

  @GetMapping("/none")
  none() {
    return ResponseEntity.noContent();
  }

  @GetMapping("/own")
  own() {
    return new Response("own", { status: 201, headers: OWN_HEADERS });
  }

  @GetMapping("/redirect")
  redirect() {
    return Response.redirect("http://localhost/text");
  }

  @GetMapping("/stream")
  stream() {
    return new Response(pieces(), { headers: PLAIN });
  }

  @GetMapping("/slow")
  async slow() {
    await pause();
    return "slow";
  }

  @GetMapping("/fails")
  fails() {
    throw new Error("broken");
  }

  @GetMapping("/refuses")
  refuses() {
    throw new HTTPException(409, { message: "refused" });
  }

  @GetMapping("/special")
  special() {
    throw new Special("special");
  }

  @PostMapping("/json", RequestBody())
  json(body: unknown) {
    return { body };
  }

  @PostMapping("/words", RequestBody("text"))
  words(body: string) {
    return { body };
  }

  @PostMapping("/form", FormParam("a"))
  form(body: string) {
    return { body };
  }

  @PostMapping("/request")
  async request(request: HttpRequest) {
    return { body: await request.text() };
  }

  /** The innermost one for what these handlers throw. */
  @ExceptionHandler(Special)
  handled({ message }: Special) {
    return ResponseEntity.status(HttpStatus.CONFLICT).withJson({ message });
  }
}

@ControllerAdvice()
class Advice {
  @ExceptionHandler(Special)
  handled() {
    return ResponseEntity.status(HttpStatus.GONE).withJson({ message: "outer" });
  }
}

/** The same as users of Hono write it. */
function honoOf(middleware: readonly MiddlewareHandler[]): Hono {
  const read = (body: (context: Context) => Promise<unknown>) => async (context: Context) =>
    context.json({ body: await body(context) });
  const special = new Hono()
    .get("/special", () => {
      throw new Special("special");
    })
    .onError((error, c) => c.json({ message: error.message }, 409));
  return new Hono()
    .use(...middleware)
    .get("/object", (c) => c.json({ a: 1, b: [2] }))
    // With a status, so that Bun, too, tells the type of a text.
    .get("/text", (c) => c.text("text", 200))
    .get("/long", (c) => c.text(LONG, 200))
    .get("/none", (c) => c.body(null, 204))
    // Ours adds what middleware prepared to a `Response` of a handler, too.
    .get("/own", (c) => c.body("own", 201, OWN_FIELDS))
    .get("/redirect", (c) => c.redirect("http://localhost/text"))
    .get("/stream", (c) => c.body(pieces(), 200, PLAIN))
    .get("/slow", async (c) => {
      await pause();
      return c.text("slow", 200);
    })
    .get("/fails", () => {
      throw new Error("broken");
    })
    .get("/refuses", () => {
      throw new HTTPException(409, { message: "refused" });
    })
    .post("/json", read((c) => c.req.json()))
    .post("/words", read((c) => c.req.text()))
    .post("/form", read(async (c) => (await c.req.formData()).get("a")))
    .post("/request", read((c) => c.req.text()))
    .route("/", special)
    .notFound((c) => problem(c, 404, `No resource at '${c.req.path}'`))
    .onError((error, c) =>
      error instanceof HTTPException
        ? problem(c, error.status, error.status < 500 && error.message || undefined)
        : problem(c, 500)
    );
}

function problem(context: Context, status: number, detail?: string): Response {
  const body = problemOf(status, context.req.path, detail);
  return context.json(body, status as 500, { "Content-Type": "application/problem+json" });
}

function problemOf(status: number, instance: string, detail?: string): unknown {
  // Node has the older name of 413.
  const title = status === 413 ? "Content Too Large" : STATUS_CODES[status];
  return { type: "about:blank", title, status, detail, instance };
}

/** Runs each case in each way, and says where it is not as in Hono. */
export async function middlewareContract(): Promise<readonly MiddlewareOutcome[]> {
  const outcomes: MiddlewareOutcome[] = [];
  for (const one of CASES) outcomes.push(...await quietly(() => outcomesOf(one)));
  return outcomes;
}

async function outcomesOf({ middleware, ...one }: MiddlewareCase): Promise<MiddlewareOutcome[]> {
  const notes: unknown[] = [];
  const made = middleware((...values) => void notes.push(...values));
  const seen = async (ask: Ask): Promise<string> => {
    const answer = lines(await ask(one));
    // The blank in front of a parameter says nothing (RFC 9110, 5.6.6).
    return [JSON.stringify(notes.splice(0)), ...answer].join("\n").replaceAll(
      "; charset",
      ";charset",
    );
  };
  const askHono = inProcess(honoOf(made).fetch);
  const hono = await seen((asked) => askHono(asked).catch(() => REJECTED));
  const outcomes: MiddlewareOutcome[] = [];
  for (const cover of one.isOfApplication ? [COVERS[0]] : COVERS) {
    await using app = await oursOf(made, cover);
    const ways = {
      "app.fetch": inProcess(app.fetch),
      "listen()": overSocket((await app.listen()).url),
    };
    for (const [way, ask] of Object.entries(ways)) {
      const name = `${one.name}: ${cover}, ${way}`;
      if (KNOWN.some(({ cases }) => cases.test(name))) continue;
      outcomes.push({ name, hono, found: await seen(ask) });
    }
  }
  return outcomes;
}

/** What differs from Hono, and why. */
const KNOWN: readonly { readonly cases: RegExp; readonly why: string }[] = [
  {
    cases: /^makes an ETag for HEAD of \/(?:own|stream):/,
    why: "HEAD cancels the body of a `Response` of a handler before middleware sees it",
  },
  { cases: /^answers 404 by c\.notFound\(\) .*application/, why: "404 is an error, too" },
  {
    cases: /^answers 404 by c\.notFound\(\) .*@Use/,
    why: "A defect: middleware of the route runs again and again",
  },
  {
    cases: /^neither answers nor goes on/,
    why: "The error is that of the middleware, so that those around it see its answer",
  },
];

const COVERS = ["application", "@Use()"] as const;

function oursOf(
  middleware: readonly MiddlewareHandler[],
  cover: typeof COVERS[number],
): Promise<Application> {
  @RestController()
  @Use(...(cover === "@Use()" ? middleware : []))
  class Covered extends Routes {}
  return bootstrap({
    components: [Covered, Advice],
    middleware: cover === "application" ? middleware : [],
    config: { server: { port: 0, address: "127.0.0.1" } },
  });
}

/** Servers answer so what Hono throws on, that is no `Error`. */
const REJECTED: Answer = {
  status: 500,
  fields: [["content-type", "application/problem+json"]],
  body: JSON.stringify(problemOf(500, "/object")),
};

/** Set by servers, and by the library for every answer. */
const IGNORED = [
  ...["date", "connection", "keep-alive", "transfer-encoding", "x-content-type-options"],
];

function lines({ status, fields, body }: Answer): readonly (string | number)[] {
  const kept = fields.filter(([name, value]) =>
    // Servers add a length to what has none, and ours an id to what it logs.
    !IGNORED.includes(name) && !(name === "content-length" && Number(value) === body.length) &&
    !(name === "x-request-id" && value.length === 36)
  );
  return [status, ...kept.map((field) => field.join(": ")), "", body];
}
