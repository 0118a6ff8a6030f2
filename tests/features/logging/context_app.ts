/** An application whose requests write lines below `withContext`, by the library's logger and by LogTape itself. */
import { getLogger } from "@logtape/logtape";
import { bootstrap, GetMapping, PathVariable, RestController } from "../../../mod.ts";
import { requestContext, withContext } from "../../../src/features/context/mod.ts";
import { logger, logging } from "../../../src/features/logging/mod.ts";

const log = logger("pages");

@RestController()
class Pages {
  @GetMapping("/pages/{id}", PathVariable("id"))
  async page(id: string) {
    withContext({ page: id });
    log.info("begins", { password: "s3cr3t" });
    await withContext(
      { step: "inner", token: "s3cr3t", nested: { secret: "s3cr3t" } },
      async () => {
        await Promise.resolve();
        getLogger(["library"]).info("inside");
        log.info("own", { step: "own" });
      },
    );
    return "";
  }

  @GetMapping("/events/{id}", PathVariable("id"))
  async *events(id: string) {
    withContext({ page: id });
    for (let i = 0; i < 2; i++) {
      await Promise.resolve();
      log.info(`event ${i}`);
      yield i;
    }
  }
}

await using app = await bootstrap({
  components: [Pages],
  config: JSON.parse(Deno.args[0]!),
  extensions: [logging(), requestContext()],
});
log.info("outside");
await Promise.all(
  ["/pages/a", "/pages/b", "/events/c"].map(async (path) => {
    await (await app.request(path, { headers: { "X-Request-Id": path.at(-1)! } })).text();
  }),
);
