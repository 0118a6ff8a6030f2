import { bootstrap } from "irori";
import { migrateSql } from "irori/migrations";
import { parcels } from "./parcels.ts";

const app = await bootstrap({ ...parcels, startup: [migrateSql()] });
await app.listen();
