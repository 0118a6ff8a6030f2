import type { Application } from "@irori/irori";
import { conformanceApp } from "../../conformance/app.ts";

const app: Application = await conformanceApp();
export default app;
