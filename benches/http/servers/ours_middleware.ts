/** With two small middleware of the user. */
import { ours } from "./ours_app.ts";
import { SMALL } from "./small_middleware.ts";

const app = await ours({ middleware: SMALL });
await app.listen();
