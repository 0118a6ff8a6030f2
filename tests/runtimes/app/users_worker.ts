import type { Application } from "@irori/irori";
import { usersApp } from "./users_app.ts";

const app: Application = await usersApp();
export default app;
