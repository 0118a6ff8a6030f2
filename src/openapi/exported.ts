import { type Configurable, optionsOf } from "../app/mod.ts";
import type { Config } from "../config/mod.ts";
import { GIVEN } from "./_settings.ts";
import type { OpenApiOptions } from "./extension.ts";

/**
 * What the `openApi()` was told that is among the exports of an application; the second door of this room, for commands.
 *
 * @throws {ConfigError} when there are several
 */
export async function exportedOptions(
  exported: readonly unknown[],
  config: Config,
): Promise<OpenApiOptions> {
  const extensions = exported.filter(isOpenApi);
  if (extensions.length > 1) {
    const found = `expected one exported openApi(), found ${extensions.length}`;
    throw config.error("component-scan", found);
  }
  return await optionsOf(extensions[0]?.[GIVEN] ?? {}, config);
}

function isOpenApi(
  value: unknown,
): value is { readonly [GIVEN]: Configurable<OpenApiOptions> } {
  return typeof value === "function" && Object.hasOwn(value, GIVEN);
}
