/** An application that fails by errors whose getters throw: `unreadable_app.ts <configuration as JSON>`. */
import { bootstrap, GetMapping, RestController } from "../../../mod.ts";
import { logger, logging } from "../../../src/features/logging/mod.ts";

class Unreadable extends Error {
  override get name(): string {
    throw new TypeError("It has no name");
  }
}

@RestController()
class Pages {
  @GetMapping("/unreadable")
  unreadable(): never {
    throw new Unreadable();
  }

  @GetMapping("/events")
  async *events() {
    yield await Promise.resolve("first");
    throw new Unreadable();
  }
}

const server = { port: 0, address: "127.0.0.1", "shutdown-timeout": 10 };
const app = await bootstrap({
  components: [Pages],
  config: { ...JSON.parse(Deno.args[0]!), server },
  extensions: [logging()],
});
const log = logger("app");
log.error("Saved", { error: new Unreadable() });
const write = console.log;
// The line with the address is not written by the logger.
console.log = () => {};
const { url } = await app.listen();
console.log = write;
const headers = { "X-Request-Id": "r-1" };
await (await fetch(`${url}/unreadable`, { headers })).body?.cancel();
await (await fetch(`${url}/events`)).text().catch(() => {});
const { error } = console;
const gaveUp: unknown[] = [];
console.error = (...text) => gaveUp.push(...text);
await app.close();
console.error = error;
log.info(gaveUp.length === 0 ? "closed" : `${gaveUp}`);
