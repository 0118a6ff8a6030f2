import type { Config } from "../../config/mod.ts";

export function requireComponentScan(config: Config): void {
  if (config.get("component-scan") !== undefined) return;
  throw config.error("component-scan", "expected the folders of the components, found none");
}
