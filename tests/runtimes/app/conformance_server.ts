/** Serves the conformance application, and nothing beside it, if its controllers have their names. */
import { conformanceApp } from "../../conformance/app.ts";

const app = await conformanceApp();
const names = app.routeTable.map(({ controller }) => controller);
const lost = names.filter((name) => !/^[a-z]+Controller$/.test(name));
if (lost.length > 0) throw new Error(`Controllers have lost their names: ${lost.join(", ")}`);
await app.listen();
