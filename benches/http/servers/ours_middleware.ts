/** With two small middleware of the user. */
import { ours } from "./ours_app.ts";
import { SMALL } from "./small_middleware.ts";

const app = await ours({
  middleware: SMALL,
  config: { server: { address: "127.0.0.1", port: 0 } },
});
await app.listen();
