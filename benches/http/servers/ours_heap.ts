/** With two small middleware of the user, and its heap after a collection at another address. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { ours } from "./ours_app.ts";
import { SMALL } from "./small_middleware.ts";

const { gc, Bun } = globalThis as {
  /** Where `--expose-gc` is set. */
  readonly gc?: () => void;
  readonly Bun?: { gc(isForced: boolean): void };
};

/** In bytes, after several collections: finalizers run between them, and unused code is dropped only after some. */
async function heapSize(): Promise<number> {
  if (!gc && !Bun) throw new Error("Cannot collect garbage: expected --expose-gc");
  for (let time = 0; time < 20; time++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (Bun) Bun.gc(true);
    else gc?.();
  }
  return process.memoryUsage().heapUsed;
}

const config = { server: { address: "127.0.0.1", port: 0 } };
await (await ours({ middleware: SMALL, config })).listen();
const server = createServer(async (_, response) => void response.end(`${await heapSize()}`));
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
