import { cors } from "hono/cors";
import { secureHeaders } from "hono/secure-headers";
import type { BootstrapOptions } from "irori";
import { ORIGIN } from "../fields.ts";

/** CORS and security headers of an API that browsers call, as the guide recommends them. */
export const FOR_BROWSERS: Pick<BootstrapOptions, "middleware"> = {
  middleware: [cors({ origin: [ORIGIN] }), secureHeaders()],
};
