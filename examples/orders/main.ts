import { bootstrap } from "irori";
import { migrateSql } from "irori/migrations";
import { orders } from "./orders.ts";

const app = await bootstrap({ ...orders, startup: [migrateSql()] });
await app.listen();
