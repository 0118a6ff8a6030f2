/** Serves what a shutdown, a slow client and one that leaves have to do with. */
import process from "node:process";
import {
  bootstrap,
  GetMapping,
  type HttpRequest,
  PostMapping,
  PreDestroy,
  RestController,
} from "@irori/irori";

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

  /** Answers when the process is told to end. */
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

  /** Says when its client has left. */
  @GetMapping("/left")
  async left(request: HttpRequest) {
    console.log("left is reached");
    await aborted(request.signal);
    console.log("left is aborted");
  }

  @PostMapping("/upload")
  async upload(request: HttpRequest) {
    console.log("upload is reached");
    process.once("SIGTERM", () => console.log("told to end"));
    return { length: (await request.bytes()).length };
  }

  @PreDestroy()
  close() {
    console.log("bean is closed");
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve());
  });
}

const server = {
  port: 0,
  address: "127.0.0.1",
  "request-timeout": Number(process.env.REQUEST_TIMEOUT ?? 30),
  "shutdown-timeout": Number(process.env.SHUTDOWN_TIMEOUT ?? 30),
};
const app = await bootstrap({ components: [WireController], config: { server } });
const [{ url }, again] = await Promise.all([app.listen(), app.listen()]);
console.log(`url ${url} ${again.url === url}`);
