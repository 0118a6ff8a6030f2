import type { Application } from "@irori/irori";
import { COMPONENTS, conformanceApp } from "../../conformance/app.ts";
import { type SettingName, SETTINGS } from "./settings.ts";

/** The conformance application in a setting, or in none of them. */
export function conformanceIn(setting: string): Promise<Application> {
  return conformanceApp(
    SETTINGS[setting as SettingName],
    setting === "browser" ? COMPONENTS : undefined,
  );
}
