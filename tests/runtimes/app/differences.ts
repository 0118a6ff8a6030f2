/** Serves what runtimes answer differently, as `docs/runtime-differences.md` lists it. */
import {
  bootstrap,
  GetMapping,
  type HttpRequest,
  PostMapping,
  ResponseEntity,
  RestController,
} from "@irori/irori";
import { webSocket } from "@irori/irori/websocket";

@RestController()
class DifferencesController {
  @GetMapping("/url/{*rest}")
  url(request: HttpRequest) {
    return { url: request.url, rest: request.pathVariable("rest") };
  }

  @GetMapping("/changed-headers")
  changedHeaders(request: HttpRequest) {
    try {
      request.headers.set("X-New", "set");
      return { header: request.header("X-New") };
    } catch (error) {
      return { error: (error as Error).name };
    }
  }

  @GetMapping("/latin-1")
  latin1() {
    return ResponseEntity.ok().withHeader("X-A", "caf\u00e9").withJson({});
  }

  @GetMapping("/deep")
  deep() {
    let value: unknown = [];
    for (let level = 1; level < 20_000; level++) value = [value];
    return value;
  }

  @GetMapping("/stream")
  stream() {
    let isSent = false;
    const body = new ReadableStream({
      pull(controller) {
        if (isSent) return controller.close();
        isSent = true;
        controller.enqueue(new Uint8Array(100_000));
      },
    });
    return new Response(body, { headers: { "Content-Length": "100000" } });
  }

  /** Answers after a while. */
  @GetMapping("/slow")
  async slow() {
    console.log("slow is reached");
    await new Promise((resolve) => setTimeout(resolve, 200));
    return "slow";
  }

  @GetMapping("/floating")
  floating() {
    void Promise.reject(new Error("Not awaited"));
    return "answered";
  }

  @PostMapping("/read")
  async read(request: HttpRequest) {
    return { read: await request.text() };
  }

  @PostMapping("/unread")
  unread() {
    return "unread";
  }

  @PostMapping({ path: "/small", maxBodySize: 3 })
  async small(request: HttpRequest) {
    return { length: (await request.bytes()).length };
  }

  @PostMapping("/form")
  async form(request: HttpRequest) {
    try {
      const fields: [string, string][] = [];
      for (const [name, value] of await request.raw.formData()) {
        fields.push([name, typeof value === "string" ? value : `file ${value.name}`]);
      }
      return { fields };
    } catch {
      return { fields: "none" };
    }
  }

  @GetMapping("/socket")
  socket(request: HttpRequest) {
    return webSocket(request, { message: (data, socket) => socket.send(`took ${data.length}`) });
  }
}

const app = await bootstrap({
  components: [DifferencesController],
  config: { server: { port: 0, address: "127.0.0.1" } },
});
console.log(`url ${(await app.listen()).url}`);
