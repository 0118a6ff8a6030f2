import { GetMapping, type HttpRequest, RequestMapping, RestController } from "../../../mod.ts";

/** Handlers that do what no server should have to send, and what shows how a request was read. */
@RestController()
@RequestMapping("/wire")
export class WireController {
  @GetMapping("/path/{*rest}")
  path(request: HttpRequest) {
    return { path: request.path, rest: request.pathVariable("rest") };
  }

  @GetMapping("/url/{*rest}")
  url(request: HttpRequest) {
    return { url: request.url };
  }

  @GetMapping("/control-character")
  controlCharacter() {
    return new Response("never sent", { headers: { "X-A": "1\u0001secret" } });
  }

  @GetMapping("/prepared-control-character")
  prepared(request: HttpRequest) {
    request.context.header("X-A", "1\u0001secret");
    return "never sent";
  }

  @GetMapping("/hop-by-hop")
  hopByHop() {
    return new Response("five!", {
      headers: {
        "Connection": "keep-alive, X-Listed",
        "Keep-Alive": "timeout=1",
        "Transfer-Encoding": "gzip",
        "Trailer": "X-A",
        "Upgrade": "h2c",
        "TE": "trailers",
        "Proxy-Authenticate": "Basic",
        "X-Listed": "listed",
        "X-Kept": "kept",
        "Content-Length": "5",
      },
    });
  }

  /** Asks for its signal as a loop does. */
  @GetMapping("/signal")
  signal(request: HttpRequest) {
    const { signal } = request;
    let isSame = true;
    for (let time = 0; time < 1000; time++) isSame &&= request.signal === signal;
    return { isSame, isAborted: signal.aborted };
  }

  @GetMapping("/error-response")
  errorResponse() {
    return Response.error();
  }

  @GetMapping("/used")
  async used() {
    const response = new Response("used");
    await response.text();
    return response;
  }

  @GetMapping("/failing-stream")
  failingStream() {
    return new Response(failing());
  }

  @GetMapping("/failing-at-once")
  failingAtOnce() {
    return new Response(
      new ReadableStream({
        pull() {
          throw new Error("secret");
        },
      }),
    );
  }

  @GetMapping("/failing-events")
  async *failingEvents() {
    yield "first";
    await Promise.resolve();
    throw new Error("secret");
  }

  @GetMapping("/too-long")
  tooLong() {
    return new Response("longer", { headers: { "Content-Length": "4" } });
  }

  @GetMapping("/too-long/prepared")
  tooLongPrepared(request: HttpRequest) {
    request.context.header("Content-Length", "4");
    return "longer";
  }

  @GetMapping("/no-length")
  noLength() {
    return new Response("body", { headers: { "Content-Length": "four" } });
  }
}

function failing(): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    async pull(controller) {
      // Later than the head.
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (sent) throw new Error("secret");
      sent = true;
      controller.enqueue(new TextEncoder().encode("first"));
    },
  }, { highWaterMark: 0 });
}
