/** An application that says what its startup functions did, listens, and ends. */
import { bootstrap } from "../../../mod.ts";
import { logging } from "../../../src/features/logging/mod.ts";

const app = await bootstrap({
  config: { ...JSON.parse(Deno.args[0]!), server: { port: 0, address: "127.0.0.1" } },
  startup: [(_config, log) => log("Migration 'main/1.sql' applied (1 ms)")],
  extensions: [logging()],
});
await app.listen();
await app.close();
