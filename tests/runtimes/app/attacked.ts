/** An application for attacks over raw sockets: answers of every kind, early, late and never. */
import process from "node:process";
import {
  bootstrap,
  GetMapping,
  type HttpRequest,
  PostMapping,
  RequestBody,
  ResponseEntity,
  RestController,
} from "@irori/irori";
import { webSocket } from "@irori/irori/websocket";
import { type SettingName, SETTINGS } from "./settings.ts";
import { UPGRADED } from "./upgraded.ts";

@RestController()
class AttackedController {
  @GetMapping("/innocent")
  innocent() {
    return "innocent";
  }

  @GetMapping("/fields")
  fields({ headers }: HttpRequest) {
    return ["authorization", "origin", "x-empty", "x-twice"].map((name) => headers.get(name));
  }

  @GetMapping("/none")
  none() {}

  @GetMapping("/created")
  created() {
    return ResponseEntity.created("/innocent");
  }

  @GetMapping("/redirect")
  redirect() {
    return Response.redirect("http://localhost/innocent");
  }

  @GetMapping("/not-modified")
  notModified() {
    return new Response(null, { status: 304, headers: { ETag: '"1"' } });
  }

  @GetMapping("/text")
  text() {
    return new Response("text", { headers: { "X-Text": "yes" } });
  }

  @GetMapping("/fails")
  fails() {
    throw new Error("a defect");
  }

  /** Slower than the next request of a pipeline. */
  @GetMapping("/slow")
  async slow() {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return "slow";
  }

  /** Answers when the client has left, or after `LEFT_MS`. */
  @GetMapping("/left")
  async left({ signal }: HttpRequest) {
    console.log("left is reached");
    await new Promise<unknown>((resolve) => {
      signal.addEventListener("abort", resolve);
      if (process.env.LEFT_MS) setTimeout(resolve, Number(process.env.LEFT_MS));
    });
    console.log("left is aborted");
  }

  /** Ends when the client has left. */
  @GetMapping("/events")
  async *events({ signal }: HttpRequest) {
    yield "first";
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  }

  /** More than a connection takes before its client reads. */
  @GetMapping("/large")
  large() {
    const piece = new TextEncoder().encode("x".repeat(100_000));
    let left = 100;
    return new ReadableStream({
      pull(controller) {
        if (left === 100) console.log("large is made");
        if (left-- > 0) controller.enqueue(piece);
        else controller.close();
      },
    }, { highWaterMark: 0 });
  }

  @PostMapping("/json", RequestBody())
  json(value: unknown) {
    return { value };
  }

  @PostMapping("/bytes")
  async bytes({ raw }: HttpRequest) {
    return { length: (await raw.arrayBuffer()).byteLength };
  }

  @PostMapping("/unread")
  unread() {
    return "unread";
  }

  @GetMapping("/socket")
  socket(request: HttpRequest) {
    return webSocket(request, {
      open: (socket) => socket.send("welcome"),
      message: (data, socket) => socket.send(data),
    });
  }
}

const app = await bootstrap({
  ...(process.env.UPGRADED
    ? UPGRADED
    : { components: [AttackedController], ...SETTINGS[process.env.SETTING as SettingName] }),
  config: {
    server: {
      port: 0,
      address: "127.0.0.1",
      "request-timeout": Number(process.env.REQUEST_TIMEOUT ?? 30),
      sse: { heartbeat: 1 },
    },
  },
});
console.log(`url ${(await app.listen()).url}`);
