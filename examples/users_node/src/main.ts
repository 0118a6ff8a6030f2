import { bootstrap } from "irori";
import { fileURLToPath } from "node:url";

// The root of the project: `config/` and `dist/` lie there.
const app = await bootstrap({ root: fileURLToPath(new URL("..", import.meta.url)) });
await app.listen();
