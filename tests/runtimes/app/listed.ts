/** Serves the conformance application and the users example, whose components are listed. */
import { conformanceApp } from "../../conformance/app.ts";
import { usersApp } from "./users_app.ts";

await (await conformanceApp()).listen();
await (await usersApp()).listen();
