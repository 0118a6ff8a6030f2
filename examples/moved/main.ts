import { bootstrap } from "@irori/irori";
import { notes } from "./notes.ts";

const app = await bootstrap(notes);
await app.listen();
