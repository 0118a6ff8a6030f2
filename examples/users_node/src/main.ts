import { bootstrap } from "irori";
import { actuator } from "irori/actuator";
import { fileURLToPath } from "node:url";

// The root of the project: `config/` and `dist/` lie there.
const root = fileURLToPath(new URL("..", import.meta.url));
const app = await bootstrap({ root, extensions: [actuator()] });
await app.listen();
