import { bootstrap } from "irori";
import { migrateSql } from "irori/migrations";
import { tenants } from "./tenants.ts";

const app = await bootstrap({ ...tenants, startup: [migrateSql()] });
await app.listen();
