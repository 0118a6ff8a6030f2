import {
  type Application,
  bootstrap,
  type BootstrapOptions,
  GetMapping,
  HttpError,
  type HttpRequest,
  HttpStatus,
  PathVariable,
  PostMapping,
  RequestBody,
  RequestMapping,
  ResponseEntity,
  RestController,
  ServerSentEvent,
  Use,
} from "@irori/irori";
import { etag, IfNoneMatch, notModified } from "@irori/irori/conditional";
import { fileResponse } from "@irori/irori/files";
import { Authenticated, basic, PermitAll, security } from "@irori/irori/security";
import { webSocket } from "@irori/irori/websocket";
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import * as z from "zod";

const early = createMiddleware((context) => Promise.resolve(context.text("early", 403)));
const around = createMiddleware(async (context, next) => {
  await next();
  context.header("X-Around", context.res.headers.get("Content-Type") ?? "none");
  context.header("Vary", "Accept-Language", { append: true });
});

@RestController()
@PermitAll()
class AnswerController {
  @GetMapping("/json/{id}", PathVariable("id", "int"))
  json(id: number) {
    return { id };
  }

  @GetMapping("/text")
  text() {
    return "text";
  }

  @GetMapping("/none")
  none() {}

  @GetMapping("/fixed")
  fixed() {
    return Response.redirect("http://localhost/text");
  }

  @GetMapping("/fields")
  fields() {
    return ResponseEntity.ok()
      .withHeader("Vary", "Accept, Origin")
      .withHeader("X-Powered-By", "steam")
      .withCookie("a", "1")
      .withCookie("b", "2")
      .withJson({ a: 1 });
  }

  @GetMapping("/allowing")
  allowing() {
    return ResponseEntity.ok().withHeader("Access-Control-Allow-Origin", "https://own.example")
      .withJson({});
  }

  @GetMapping("/pieces")
  async *pieces() {
    yield "one ";
    await Promise.resolve();
    yield "two";
  }

  @GetMapping({ path: "/events", produces: "text/event-stream" })
  *events() {
    yield new ServerSentEvent({ data: "one" });
  }

  @GetMapping("/file")
  file() {
    return fileResponse("versioning.md", { root: "docs" });
  }

  @GetMapping("/tagged", IfNoneMatch())
  tagged(known: IfNoneMatch) {
    return known.matches(7) ? notModified(7) : ResponseEntity.ok().withHeader("ETag", etag(7))
      .withJson({ version: 7 });
  }

  @GetMapping("/fails")
  fails() {
    throw new Error("Failed");
  }

  @GetMapping("/conflict")
  conflict() {
    throw new HttpError(HttpStatus.CONFLICT, "Taken");
  }

  @GetMapping("/early")
  @Use(early)
  early() {}

  @GetMapping("/around")
  @Use(around)
  around() {
    return { a: 1 };
  }

  @PostMapping("/body", RequestBody(z.object({ name: z.string() })))
  body(form: { name: string }) {
    return form;
  }

  @GetMapping("/private")
  @Authenticated()
  private() {
    return "private";
  }

  @RequestMapping({ path: "/mapped", method: "OPTIONS" })
  options() {
    return "mapped";
  }

  @GetMapping("/socket")
  socket(request: HttpRequest) {
    return webSocket(request, { open: (socket) => socket.send("hello") }, { origins: "*" });
  }
}

/** Method, path, headers and body of what the application answers in each way that it has. */
export const REQUESTS: readonly (readonly [
  method: string,
  path: string,
  headers?: Readonly<Record<string, string>>,
  body?: string,
])[] = [
  ...["/json/7", "/text", "/none", "/fixed", "/fields", "/pieces", "/events", "/file", "/tagged"]
    .flatMap((path) => [["GET", path], ["HEAD", path]] as const),
  ["GET", "/json/seven"],
  ["GET", "/file", { Range: "bytes=2-4" }],
  ["GET", "/tagged", { "If-None-Match": '"7"' }],
  ["GET", "/fails"],
  ["GET", "/conflict"],
  ["GET", "/early"],
  ["GET", "/around"],
  ["GET", "/around", { Accept: "image/png" }],
  ["GET", "/private"],
  ["GET", "/private", { Authorization: `Basic ${btoa("ada:secret")}` }],
  ["GET", "/nowhere"],
  ["GET", "/%zz"],
  ["DELETE", "/text"],
  ["POST", "/body", { "Content-Type": "application/json" }, '{"name":"Ada"}'],
  ["POST", "/body", { "Content-Type": "application/json" }, '{"name":7}'],
  ["POST", "/body", { "Content-Type": "application/json" }, "{"],
  ["POST", "/body", { "Content-Type": "text/csv" }, "a"],
  ["POST", "/body", { "Content-Type": "application/json" }, `"${"a".repeat(2000)}"`],
  ["GET", "/own"],
  ["GET", "/own/nowhere"],
  ["GET", "/own/fails"],
  ["GET", "/mounted/page"],
  ["GET", "/socket"],
];

/** An application that answers in each way that there is. */
export async function startAnswers(options: BootstrapOptions = {}): Promise<Application> {
  const users = basic({
    verify: (name, password) => password === "secret" ? { name } : undefined,
  });
  const app = await bootstrap({
    ...options,
    components: [AnswerController],
    config: { server: { address: "127.0.0.1", port: 0, "max-body-size": 1000 } },
    extensions: [
      security({ schemes: { users }, default: "permitAll" }),
      () => ({ log: () => {} }),
      ...options.extensions ?? [],
    ],
  });
  app.hono.get("/own", (context) => context.html("<p>own</p>"));
  app.hono.get("/own/fails", () => {
    throw new Error("Failed");
  });
  const mounted = new Hono();
  mounted.get("/page", (context) => context.json({ mounted: true }));
  app.hono.route("/mounted", mounted);
  return app;
}
