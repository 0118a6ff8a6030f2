/** An application whose facts, messages and paths would like to be what they are not. */
import { getLogger } from "@logtape/logtape";
import { bootstrap, GetMapping, PathVariable, RestController } from "../../../mod.ts";
import { requestContext, withContext } from "../../../src/features/context/mod.ts";
import { logger, logging } from "../../../src/features/logging/mod.ts";

const log = logger("app");
const FORGED = "\n2026-01-01 [FTL] app: FORGED\u001b[31m";

@RestController()
class Pages {
  @GetMapping("/facts")
  facts() {
    withContext({
      level: "FATAL",
      message: "M",
      logger: "L",
      "@timestamp": "never",
    });
    log.info("hello", { message: "m", requestId: "forged too", properties: 1, own: 2 });
    return "";
  }

  @GetMapping("/names/{name}", PathVariable("name"))
  names(name: string) {
    log.info(`Looking for ${name}`, { [name]: 1 });
    getLogger(["library"]).info(name.replace(/[{}]/g, "$&$&"));
    throw new Error(name);
  }
}

await using app = await bootstrap({
  components: [Pages],
  config: JSON.parse(Deno.args[0]!),
  extensions: [logging(), requestContext()],
});
for (const path of ["/facts", `/names/${encodeURIComponent(FORGED)}`]) {
  const response = await app.request(path, { headers: { "X-Request-Id": "r-1" } });
  await response.body?.cancel();
}
