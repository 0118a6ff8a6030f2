import { browser } from "irori/browser";
import { ORIGIN } from "../fields.ts";

/** CORS and security headers of an API that browsers call, as the guide recommends them. */
export const FOR_BROWSERS: ReturnType<typeof browser> = browser({
  cors: { origin: [ORIGIN] },
  headers: true,
});
