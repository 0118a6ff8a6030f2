/** With CORS and security headers, as an API that browsers call. */
import { cors } from "hono/cors";
import { secureHeaders } from "hono/secure-headers";
import { ORIGIN } from "../settings.ts";
import { ours } from "./ours_app.ts";

const app = await ours({
  middleware: [cors({ origin: [ORIGIN] }), secureHeaders()],
  config: { server: { address: "127.0.0.1", port: 0 } },
});
await app.listen();
