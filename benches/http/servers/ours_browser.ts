/** With CORS and security headers, as an API that browsers call. */
import { ours } from "./ours_app.ts";
import { FOR_BROWSERS } from "./ours_for_browsers.ts";

const app = await ours({ extensions: [FOR_BROWSERS] });
await app.listen();
