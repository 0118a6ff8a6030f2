/** Serves the conformance application, and nothing beside it. */
import { conformanceApp } from "../../conformance/app.ts";

await (await conformanceApp()).listen();
