/** An application that logs: `logging_app.ts <configuration as JSON>`. */
import {
  bootstrap,
  ExceptionHandler,
  GetMapping,
  HttpStatus,
  ResponseEntity,
  RestController,
} from "../../../mod.ts";
import { logger, logging } from "../../../src/features/logging/mod.ts";

@RestController()
class Pages {
  @GetMapping("/ok")
  ok(): string {
    return "ok";
  }

  @GetMapping("/broken")
  broken(): never {
    throw new Error("It broke", { cause: new Error("inside") });
  }

  @GetMapping("/handled")
  handled(): never {
    throw new RangeError("Too far");
  }

  @ExceptionHandler(RangeError)
  range() {
    return ResponseEntity.status(HttpStatus.CONFLICT);
  }
}

const log = logger("users.repository");
log.error("No listener yet");
await using app = await bootstrap({
  components: [Pages],
  config: JSON.parse(Deno.args[0]!),
  extensions: [logging()],
});
log.info("Saved {a user}", { id: 7, password: "s3cr3t", nested: { token: "s3cr3t" } });
log.debug("Looking");
for (const path of ["/ok", "/broken", "/handled", "/a%0A%1b%5b31mb?c", "/%zz"]) {
  await (await app.request(path, { headers: { "X-Request-Id": "r-1" } })).body?.cancel();
}
logger("paths").info("Took a path", { path: { password: "s3cr3t" } });
