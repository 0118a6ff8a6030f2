/** Serves what a shutdown, a slow client and one that leaves have to do with. */
import process from "node:process";
import type { Context } from "hono";
import type { GetConnInfo } from "hono/conninfo";
import type { WSEvents } from "hono/ws";
import {
  bootstrap,
  type Extension,
  GetMapping,
  type HttpRequest,
  PostMapping,
  PreDestroy,
  RequestBody,
  RestController,
  Use,
} from "@irori/irori";
import { webSocket } from "@irori/irori/websocket";

@RestController()
class WireController {
  /** Listens to its signal. */
  @GetMapping("/events")
  async *events(request: HttpRequest) {
    try {
      yield "first";
      await aborted(request.signal);
    } finally {
      await Promise.resolve();
      console.log("events have ended");
    }
  }

  /** Listens to nothing. */
  @GetMapping("/ticks")
  async *ticks() {
    try {
      for (let tick = 0;; tick++) {
        yield tick;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    } finally {
      console.log("ticks have ended");
    }
  }

  /** Sleeps for longer than any shutdown. */
  @GetMapping("/sleeper")
  async *sleeper() {
    yield "first";
    await new Promise((resolve) => setTimeout(resolve, 600_000));
  }

  /** More than a connection takes before its client reads. */
  @GetMapping("/large")
  large() {
    console.log("large is answered");
    return "x".repeat(5_000_000);
  }

  /** A body that is neither read nor made by other code than its stream. */
  @GetMapping("/raw")
  raw() {
    return new Response("raw body");
  }

  /** Node 24 adds to the body of a form even after it was cancelled. */
  @GetMapping("/form-data")
  formData() {
    const form = new FormData();
    form.append("a", "1");
    form.append("b", new Blob(["x".repeat(300_000)]), "b.txt");
    return new Response(form);
  }

  /** Goes on for a while after its client has left. */
  @GetMapping("/iterable")
  iterable({ signal }: HttpRequest) {
    async function* source() {
      yield new TextEncoder().encode("first");
      await aborted(signal);
      await new Promise((resolve) => setTimeout(resolve, 50));
      setTimeout(() => console.log("iterable has ended"));
    }
    return new Response(source() as unknown as BodyInit, {
      headers: { "Content-Type": "text/event-stream" },
    });
  }

  @GetMapping("/blob")
  blob() {
    return new Response(new Blob(["x".repeat(300_000)]));
  }

  @GetMapping("/parameters")
  parameters() {
    return new Response(new URLSearchParams({ a: "1" }));
  }

  /** The client's address without Hono's helper. */
  @GetMapping("/address")
  address(request: HttpRequest) {
    return request.clientAddress;
  }

  /** Ends the application, and answers when the process receives a signal to end, too. */
  @GetMapping("/close")
  async close() {
    const told = new Promise((resolve) => process.once("SIGTERM", resolve));
    void app.close();
    console.log("close is reached");
    await told;
    return "closed but finished";
  }

  /** Fails as soon as its first event is there. */
  @GetMapping("/broken")
  async *broken() {
    yield await Promise.resolve("first");
    throw new Error("a defect");
  }

  /** Answers when the process receives a signal to end. */
  @GetMapping("/slow")
  async slow() {
    console.log("slow is reached");
    await new Promise((resolve) => process.once("SIGTERM", resolve));
    return "slow but finished";
  }

  /** Never answers. */
  @GetMapping("/stuck")
  async stuck(request: HttpRequest) {
    console.log("stuck is reached");
    await aborted(request.signal);
    console.log("stuck is aborted");
    return await new Promise<never>(() => {});
  }

  /** Says when its client has left, and fails by it. */
  @GetMapping("/left")
  async left(request: HttpRequest) {
    console.log("left is reached");
    await aborted(request.signal);
    console.log("left is aborted");
    request.signal.throwIfAborted();
  }

  /** Says when its client has left, and fails by itself. */
  @GetMapping("/left-defect")
  async leftDefect(request: HttpRequest) {
    console.log("left is reached");
    await aborted(request.signal);
    console.log("left is aborted");
    throw new TypeError("A defect");
  }

  @PostMapping("/upload")
  async upload(request: HttpRequest) {
    console.log("upload is reached");
    process.once("SIGTERM", () => console.log("told to end"));
    return { length: (await request.bytes()).length };
  }

  /** Reads a body as `Request` does. */
  @PostMapping("/upload-raw")
  async uploadRaw(request: HttpRequest) {
    console.log("upload is reached");
    return { length: (await request.raw.text()).length };
  }

  /** Reads a body chunk by chunk, from the `Request` itself. */
  @PostMapping("/upload-chunks")
  async uploadChunks(request: HttpRequest) {
    console.log("upload is reached");
    let length = 0;
    for await (const chunk of request.raw.body!) length += chunk.length;
    return { length };
  }

  /** Asks for its signal only after its body broke off. */
  @PostMapping("/upload-late")
  async uploadLate(request: HttpRequest) {
    console.log("upload is reached");
    await request.bytes().catch(() => {});
    await aborted(request.signal);
    console.log("late signal is aborted");
  }

  /** Has its signal from the beginning. */
  @PostMapping("/upload-early")
  async uploadEarly(request: HttpRequest) {
    const { signal } = request;
    console.log("upload is reached");
    await request.bytes().catch(() => {});
    await aborted(signal);
    console.log("early signal is aborted");
  }

  @PostMapping("/bound", RequestBody())
  bound(value: unknown) {
    return value;
  }

  /** The client's address, by Hono's helper of the runtime and by ours. */
  @GetMapping("/client")
  async client(request: HttpRequest) {
    const { getConnInfo } = await adapter();
    return [getConnInfo(request.context).remote.address, request.clientAddress];
  }

  /** Says everything twice. */
  @GetMapping("/echo")
  async echo({ context }: HttpRequest) {
    const { upgradeWebSocket } = await adapter();
    const events: WSEvents = {
      onMessage: ({ data }, socket) => socket.send(`${data} ${data}`),
      onClose: () => console.log("socket is closed"),
    };
    return await upgradeWebSocket(context, events);
  }

  /** Says what it hears, and sends it back. */
  @GetMapping("/socket")
  socket(request: HttpRequest) {
    request.signal.addEventListener("abort", () => console.log("signal is aborted"));
    return webSocket(request, {
      open: (socket) => socket.send("welcome"),
      message: async (data, socket) => {
        await Promise.resolve();
        if (data === "fail") throw new Error("a defect");
        if (data === "signal") return socket.send(`aborted: ${request.signal.aborted}`);
        if (data === "end") return socket.close(4000, "as you like");
        socket.send(data);
      },
      close: (socket, { code, reason }) => {
        console.log(`closed with ${code} ${reason}, open: ${socket.isOpen}`);
      },
    });
  }

  /** Asks for its signal when it is open, not before. */
  @GetMapping("/socket-signal")
  socketSignal(request: HttpRequest) {
    return webSocket(request, {
      open: async (socket) => {
        socket.send(`aborted: ${request.signal.aborted}`);
        await aborted(request.signal);
        console.log("signal is aborted");
      },
    });
  }

  /** Its middleware asks for the head of a request that is a WebSocket already. */
  @Use(async ({ req }, next) => {
    await next();
    console.log(`asked afterwards: ${req.header("X-Unasked")} ${req.raw.headers.get("upgrade")}`);
  })
  @GetMapping("/socket-read")
  socketRead(request: HttpRequest) {
    return webSocket(request, { open: (socket) => socket.send("welcome") });
  }

  /** Its middleware fails when it is one. */
  @Use(async (_, next) => {
    await next();
    throw new Error("a defect afterwards");
  })
  @GetMapping("/socket-fails")
  socketFails(request: HttpRequest) {
    return webSocket(request, {});
  }

  @PreDestroy()
  destroy() {
    console.log("bean is closed");
  }
}

interface Adapter {
  readonly getConnInfo: GetConnInfo;
  readonly upgradeWebSocket: (context: Context, events: WSEvents) => Promise<Response>;
}

/**
 * Hono's adapter for the current runtime. The names are no literals, because the types of these modules need those of
 * Deno.
 */
async function adapter(): Promise<Adapter> {
  const names = "Deno" in globalThis
    ? ["hono/deno"]
    : "Bun" in globalThis
    ? ["hono/bun"]
    : ["@hono/node-server", "@hono/node-server/conninfo"];
  return Object.assign({}, ...await Promise.all(names.map((name) => import(name))));
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve());
  });
}

const proxies = process.env.TRUSTED_PROXIES;
const forwarded = process.env.FORWARDED_HEADER;
const server = {
  port: 0,
  address: "127.0.0.1",
  ...(proxies !== undefined && { "trusted-proxies": proxies }),
  ...(forwarded !== undefined && { "forwarded-header": forwarded }),
  sse: { heartbeat: Number(process.env.HEARTBEAT ?? 15) },
  "request-timeout": Number(process.env.REQUEST_TIMEOUT ?? 30),
  "shutdown-timeout": Number(process.env.SHUTDOWN_TIMEOUT ?? 30),
};
/** Takes what it is sent, without reading it, and prints what else is for `logging()` alone. */
const endpoint: Extension = () => ({
  endpoints: [{ method: "POST", path: "/endpoint", respond: () => new Response("read") }],
  log: (message, error, level) => {
    if (level === "DEBUG") console.log(message);
    else console.error(message, error);
  },
});
const app = await bootstrap({
  components: [WireController],
  extensions: [endpoint],
  config: { server },
});
const [{ url }, again] = await Promise.all([app.listen(), app.listen()]);
if (again.url !== url) throw new Error(`Listens twice: at ${url} and ${again.url}`);
console.log(`url ${url}`);
