import { bootstrap } from "irori";
import { migrateSql } from "irori/migrations";
import { mountReports } from "./src/reports/reports.ts";
import { tracks } from "./tracks.ts";

const app = await bootstrap({ ...tracks, startup: [migrateSql()] });
mountReports(app);
await app.listen();
