/** Serves the conformance application, and the users example by its component scan. */
import { fileURLToPath } from "node:url";
import { bootstrap } from "@irori/irori";
import { conformanceApp } from "../../conformance/app.ts";
import { more, options } from "./extensions.ts";

const root = fileURLToPath(new URL("../../../examples/users", import.meta.url));
await (await conformanceApp()).listen();
await (await bootstrap({ root, components: more, ...options })).listen();
