import { bootstrap } from "irori";
import { application } from "./application.ts";

const app = await bootstrap(application);
await app.listen();
