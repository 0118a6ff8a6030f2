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
@RequestMapping("/context")
export class ContextController {
  constructor(readonly deep: Deep = inject(Deep)) {}

  @GetMapping("/kept")
  kept() {
    return KEPT;
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
