import { bootstrap } from "irori";
import { migrateSearch } from "irori/migrations";
import { service } from "./service.ts";

const app = await bootstrap({ ...service, startup: [migrateSearch()] });
await app.listen();
