/** The same routes with ours and with Hono, for middleware to be put around. */
import { STATUS_CODES } from "node:http";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import {
  ControllerAdvice,
  ExceptionHandler,
  FormParam,
  GetMapping,
  type HttpRequest,
  HttpStatus,
  PostMapping,
  RequestBody,
  ResponseEntity,
} from "@irori/irori";

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

/** Routes whose answers are made of all that handlers can return. */
export class Routes {
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

  @GetMapping("/context")
  context({ context }: HttpRequest) {
    context.header("X-Handler", "1");
    return { seen: context.get("seen") ?? "nothing" };
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
export class Advice {
  @ExceptionHandler(Special)
  handled() {
    return ResponseEntity.status(HttpStatus.GONE).withJson({ message: "outer" });
  }
}

/** The same as users of Hono write it. */
export function honoOf(middleware: readonly MiddlewareHandler[]): Hono {
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
    .get("/context", (c) => {
      c.header("X-Handler", "1");
      return c.json({ seen: c.get("seen" as never) ?? "nothing" });
    })
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

export function problemOf(status: number, instance: string, detail?: string): unknown {
  // Node has the older name of 413.
  const title = status === 413 ? "Content Too Large" : STATUS_CODES[status];
  return { type: "about:blank", title, status, detail, instance };
}
