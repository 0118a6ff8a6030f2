import {
  bootstrap,
  Component,
  GetMapping,
  inject,
  PathVariable,
  RequestMapping,
  RestController,
} from "@irori/irori";
import { currentRequest, requestContext, withContext } from "@irori/irori/context";

/** Whether the runtime can keep the context of requests: `yes`, or what the start says. */
export const KEPT: string = await bootstrap({ config: {}, extensions: [requestContext()] })
  .then(() => "yes", (error: Error) => error.message);

/** Knows nothing of the request but what it asks for. */
@Component()
export class Deep {
  async seen(): Promise<string> {
    await pause();
    const request = currentRequest();
    return `${request.pathVariable("id")} ${request.query("q")} ${request.header("X-Id")}`;
  }
}

@RestController()
class Failing {
  @GetMapping("/fails")
  async fails() {
    withContext({ user: 7, token: "s3cr3t" });
    await pause();
    await withContext({ step: 1 }, () => pause());
    try {
      withContext(null as never);
    } catch (error) {
      throw new Error("broken", { cause: error });
    }
  }
}

@RestController()
@RequestMapping("/context")
export class ContextController {
  constructor(readonly deep: Deep = inject(Deep)) {}

  @GetMapping("/kept")
  kept() {
    return KEPT;
  }

  /** The log of a request that fails, in an application of its own. */
  @GetMapping("/logged")
  async logged() {
    const { error } = console;
    const lines: unknown[] = [];
    const app = await bootstrap({ components: [Failing], extensions: [requestContext()] });
    console.error = (...line: unknown[]) => void lines.push(line[0]);
    try {
      await app.request("/fails", { headers: { "X-Request-Id": "r-1" } });
    } finally {
      console.error = error;
    }
    return lines;
  }

  @GetMapping("/{id}/plain", PathVariable("id"))
  async plain(id: string) {
    return await withContext({ id }, async () => {
      await pause();
      return await withContext({ inner: id }, () => this.deep.seen());
    });
  }

  @GetMapping("/{id}/events")
  async *events() {
    for (let i = 0; i < 3; i++) yield await this.deep.seen();
  }

  @GetMapping({ path: "/{id}/lines", produces: "text/plain" })
  async *lines() {
    for (let i = 0; i < 3; i++) yield `${await this.deep.seen()}\n`;
  }
}

/** So that requests are answered in turns. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
}
