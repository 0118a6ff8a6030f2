/** Serves uploads that are read as they arrive, and says how much memory they took. */
import process from "node:process";
import {
  bootstrap,
  PostMapping,
  PreDestroy,
  RequestBody,
  RequestMapping,
  RestController,
} from "@irori/irori";
import { MultipartStream, type Part } from "@irori/irori/multipart";

const GIGABYTE = 2 ** 30;
const MEGABYTE = 2 ** 20;
/** After so many bytes it rests. */
const PAUSE = 8 * MEGABYTE;

@RestController()
@RequestMapping("/uploads")
class UploadController {
  /** Slower than its client. */
  @PostMapping({ path: "/sizes", maxBodySize: GIGABYTE }, MultipartStream())
  async sizes(parts: AsyncIterable<Part>) {
    process.once("SIGTERM", () => console.log("told to end"));
    const sizes: Record<string, number> = {};
    const before = process.memoryUsage.rss();
    let largest = before;
    let paused = 0;
    try {
      for await (const { name, body } of parts) {
        let size = 0;
        for await (const bytes of body) {
          if (size === 0) console.log(`${name} has begun`);
          size += bytes.length;
          largest = Math.max(largest, process.memoryUsage.rss());
          if (size - paused < PAUSE) continue;
          paused = size;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        sizes[name] = size;
      }
    } catch (error) {
      console.log(`sizes failed: ${(error as Error).message}`);
      throw error;
    }
    return { sizes, megabytes: Math.ceil((largest - before) / MEGABYTE) };
  }

  @PostMapping({ path: "/names", maxBodySize: GIGABYTE }, MultipartStream())
  async names(parts: AsyncIterable<Part>) {
    const names: string[] = [];
    for await (const { name } of parts) names.push(name);
    return { names };
  }

  @PostMapping({ path: "/first", maxBodySize: GIGABYTE }, MultipartStream())
  async first(parts: AsyncIterable<Part>) {
    for await (const { name } of parts) return { name };
  }

  @PostMapping({ path: "/small", maxBodySize: GIGABYTE }, MultipartStream({ maxPartSize: 10 }))
  async small(parts: AsyncIterable<Part>) {
    for await (const part of parts) await part.text();
  }

  @PostMapping({ path: "/drained", maxBodySize: GIGABYTE }, RequestBody("stream"))
  async drained(stream: ReadableStream<Uint8Array>) {
    console.log("drained has begun");
    try {
      for await (const _ of stream);
    } catch (error) {
      console.log(`drained failed: ${(error as Error).message}`);
      throw error;
    }
  }

  @PreDestroy()
  destroy() {
    console.log("bean is closed");
  }

  @PostMapping({ path: "/stream", maxBodySize: GIGABYTE }, RequestBody("stream"))
  async stream(stream: ReadableStream<Uint8Array>) {
    for await (const _ of stream) return { name: "stream" };
  }
}

const app = await bootstrap({
  components: [UploadController],
  config: {
    server: {
      port: 0,
      address: "127.0.0.1",
      "shutdown-timeout": Number(process.env.SHUTDOWN_TIMEOUT ?? 5),
    },
  },
});
const { url } = await app.listen();
console.log(`url ${url}`);
