import { bootstrap } from "irori";

const app = await bootstrap({ root: import.meta.dirname });
await app.listen();
