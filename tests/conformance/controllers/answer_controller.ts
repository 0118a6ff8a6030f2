import { HTTPException } from "hono/http-exception";
import {
  GetMapping,
  HttpError,
  type HttpRequest,
  HttpStatus,
  PostMapping,
  problem,
  RequestMapping,
  ResponseEntity,
  RestController,
} from "../../../mod.ts";

@RestController()
@RequestMapping("/answer")
export class AnswerController {
  @GetMapping("/object")
  object() {
    return { a: 1 };
  }

  @GetMapping("/array")
  array() {
    return [];
  }

  @GetMapping("/string")
  string() {
    return "<b>é</b>";
  }

  @GetMapping("/empty-string")
  emptyString() {
    return "";
  }

  @GetMapping("/null")
  null() {
    return null;
  }

  @GetMapping("/zero")
  zero() {
    return 0;
  }

  @GetMapping("/false")
  false() {
    return false;
  }

  @GetMapping("/undefined")
  undefined() {}

  @GetMapping({ path: "/undefined-created", status: HttpStatus.CREATED })
  undefinedCreated() {}

  @GetMapping({ path: "/accepted", status: HttpStatus.ACCEPTED })
  accepted() {
    return "later";
  }

  @GetMapping({ path: "/no-content", status: HttpStatus.NO_CONTENT })
  noContent() {
    return { dropped: true };
  }

  @GetMapping({ path: "/entity-status", status: HttpStatus.ACCEPTED })
  entityStatus() {
    return ResponseEntity.ok().withJson(1);
  }

  @GetMapping("/bytes")
  bytes() {
    return new TextEncoder().encode("bytes");
  }

  @GetMapping("/stream")
  stream() {
    return new Blob(["stream"]).stream();
  }

  @GetMapping("/events")
  async *events() {
    yield { n: 1 };
    await Promise.resolve();
    yield "two";
  }

  @GetMapping("/response/text")
  untypedText() {
    return new Response("text");
  }

  @GetMapping("/response/own")
  untypedTextWithHeader() {
    return new Response("text", { headers: { "X-Own": "1" } });
  }

  @GetMapping("/response/bytes")
  untypedBytes() {
    return new Response(new TextEncoder().encode("bytes"));
  }

  @GetMapping("/response")
  response() {
    return new Response("as is", {
      status: 418,
      headers: { "X-Own": "1", "Content-Type": "text/own" },
    });
  }

  @GetMapping("/promise")
  promise() {
    return Promise.resolve({ a: 1 });
  }

  @GetMapping("/entity/falsy/{kind}")
  falsy(request: HttpRequest) {
    const values: Record<string, unknown> = { zero: 0, empty: "", false: false, list: [] };
    return ResponseEntity.ok().setBody(values[request.pathVariable("kind") ?? ""]);
  }

  @GetMapping("/entity/headers")
  headers() {
    return ResponseEntity.ok().withHeader("X-A", "1").withHeader("X-A", "2").withJson("a");
  }

  @GetMapping("/entity/created")
  created() {
    return ResponseEntity.created("/answer/1").withJson({ id: 1 });
  }

  @GetMapping("/entity/xml")
  xml() {
    return ResponseEntity.ok().withXml({
      user: { name: "<Ada & Bob>", tags: ["a", "b"], none: null },
    });
  }

  @GetMapping("/entity/xml-array")
  xmlArray() {
    return ResponseEntity.ok().withXml([1, 2]);
  }

  @GetMapping("/entity/xml-text")
  xmlText() {
    return ResponseEntity.ok().withXml("<own/>");
  }

  @GetMapping("/entity/xml-invalid")
  xmlInvalid() {
    return ResponseEntity.ok().withXml({ "no name": 1 });
  }

  @GetMapping("/entity/no-content")
  entityNoContent() {
    return ResponseEntity.noContent().withJson({ dropped: true });
  }

  @GetMapping("/entity/not-modified")
  notModified() {
    return ResponseEntity.status(HttpStatus.NOT_MODIFIED).withHeader("ETag", '"1"').withJson(1);
  }

  @GetMapping("/entity/header-injection")
  injection() {
    return ResponseEntity.ok().withHeader("X-A", "1\r\nX-B: 2");
  }

  @GetMapping("/entity/control-character")
  controlCharacter() {
    return ResponseEntity.created("/a\x01");
  }

  @GetMapping("/entity/connection")
  connection() {
    return ResponseEntity.ok().withHeader("Transfer-Encoding", "chunked");
  }

  @GetMapping("/entity/length")
  entityLength() {
    const entity = ResponseEntity.ok().withJson("longer than it says");
    entity.headers.set("Content-Length", "4");
    return entity;
  }

  @GetMapping("/entity/latin-1")
  latin1() {
    return ResponseEntity.ok().withHeader("X-A", "caf\xe9").withJson("a");
  }

  @GetMapping("/entity/problem")
  problem() {
    return ResponseEntity.status(HttpStatus.GONE).withJson(
      problem(HttpStatus.GONE, { instance: "/answer/entity/problem" }),
    );
  }

  @GetMapping("/redirect")
  redirect() {
    return Response.redirect("http://localhost/answer/object");
  }

  @GetMapping("/context/default")
  contextOfDefault(request: HttpRequest = undefined!) {
    request.context.header("X-Prepared", "1");
    return "prepared";
  }

  @GetMapping("/context/rest")
  contextOfRest(...requests: [HttpRequest]) {
    requests[0].context.header("X-Prepared", "1");
    return "prepared";
  }

  // deno-lint-ignore require-yield
  @GetMapping("/events/refused")
  async *refusedEvents() {
    await Promise.resolve();
    throw new HttpError(409, "Taken");
  }

  @GetMapping("/events/unwritable")
  async *unwritableEvents() {
    yield await Promise.resolve(1n);
  }

  @GetMapping("/events/none")
  async *noEvents() {}

  @GetMapping("/events/sync")
  *syncEvents() {
    yield { n: 1 };
    yield "two";
  }

  @GetMapping("/events/entity")
  entityEvents() {
    return ResponseEntity.ok().withHeader("X-A", "1").setBody(this.events());
  }

  @GetMapping({ path: "/csv", produces: "text/csv" })
  async *csv() {
    yield "a;b\n";
    await Promise.resolve();
    yield new TextEncoder().encode("é;2\n");
  }

  @GetMapping({ path: "/csv/sync", produces: "text/csv" })
  *syncCsv() {
    yield "a;b\n";
    yield "1;2\n";
  }

  @GetMapping({ path: "/csv/object", produces: "text/csv" })
  async *csvOfObjects() {
    yield await Promise.resolve({ a: 1 });
  }

  @GetMapping("/csv/entity")
  csvEntity() {
    return ResponseEntity.ok().withHeader("Content-Type", "text/csv").setBody(this.csv());
  }

  @GetMapping("/map")
  map() {
    return new Map([["a", 1]]);
  }

  @GetMapping("/set")
  set() {
    return new Set([1]);
  }

  @GetMapping("/returned-error")
  returnedError() {
    return new Error("secret");
  }

  @GetMapping("/bigint")
  bigint() {
    return { value: 1n };
  }

  @GetMapping("/cycle")
  cycle() {
    const value: Record<string, unknown> = {};
    value.self = value;
    return value;
  }

  @GetMapping("/error/http")
  httpError() {
    throw new HttpError(409, "Taken", {
      cause: new Error("secret"),
      headers: { "Retry-After": "5" },
    });
  }

  @GetMapping("/error/http-503")
  unavailable() {
    throw new HttpError(HttpStatus.SERVICE_UNAVAILABLE, "secret host down");
  }

  @GetMapping("/error/exception")
  exception() {
    const res = new Response("no", {
      headers: { "WWW-Authenticate": 'Basic realm="a"', "Content-Type": "text/html" },
    });
    throw new HTTPException(401, { message: "Sign in", res });
  }

  @GetMapping("/error/no-error")
  noError() {
    throw new HTTPException(200, { message: "secret" });
  }

  @GetMapping("/error/exception-of-a-proxy")
  exceptionOfProxy() {
    const res = new Response("no", {
      headers: { "Content-Length": "2", "TE": "trailers", "X-Own": "1" },
    });
    throw new HTTPException(502, { res });
  }

  @GetMapping("/error/unexpected")
  unexpected() {
    throw new Error("secret");
  }

  @GetMapping("/error/async")
  async async() {
    await Promise.resolve();
    throw new Error("secret");
  }

  @GetMapping("/error/text")
  text() {
    throw "secret";
  }

  @GetMapping("/error/undefined")
  thrownUndefined() {
    throw undefined;
  }

  @PostMapping({ path: "/consumes", consumes: "application/json" })
  consumesJson() {
    return "json";
  }

  @PostMapping({ path: "/consumes", consumes: ["text/*", "application/*+xml"] })
  consumesText() {
    return "text";
  }

  @GetMapping({ path: "/produces", produces: "application/json" })
  producesJson() {
    return { type: "json" };
  }

  @GetMapping({ path: "/produces", produces: "application/xml" })
  producesXml() {
    return { type: "xml" };
  }

  @GetMapping({ path: "/produces-csv", produces: ["text/csv", "text/html;charset=UTF-8"] })
  producesCsv() {
    return "a,b";
  }

  @PostMapping({ path: "/narrow/special", consumes: "application/json" })
  narrowJson() {
    return "special";
  }

  @PostMapping("/narrow/{v}")
  narrow(request: HttpRequest) {
    return `wide ${request.pathVariable("v")}`;
  }
}
