import { bootstrap } from "irori";
import { migrateSql } from "irori/migrations";
import { conduit } from "./application.ts";

const app = await bootstrap({ ...conduit, startup: [migrateSql()] });
await app.listen();
