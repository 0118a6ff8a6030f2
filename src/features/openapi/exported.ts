import { type Configurable, configured } from "../../app/mod.ts";
import type { Config } from "../../config/mod.ts";
import type { OpenApiOptions } from "./types.ts";

/** The options of an extension, for the command line, which may be another copy of this library. */
export const GIVEN: unique symbol = Symbol.for("irori: options of openApi()") as never;

/** @throws {ConfigError | ScanError} */
export async function exportedOptions(
  exported: ReadonlyMap<unknown, string>,
  config: Config,
): Promise<OpenApiOptions> {
  const extensions = [...exported.keys()].filter(isOpenApi);
  if (extensions.length > 1) {
    const found = `expected one exported openApi(), found ${extensions.length}`;
    throw config.error("component-scan", found);
  }
  const [extension] = extensions;
  if (extension === undefined) return {};
  const { readExported } = await import("../../app/files.ts");
  return await readExported("openApi()", exported.get(extension)!, config, (config) => {
    return configured(extension[GIVEN], config);
  });
}

function isOpenApi(
  value: unknown,
): value is { readonly [GIVEN]: Configurable<OpenApiOptions> } {
  return typeof value === "function" && Object.hasOwn(value, GIVEN);
}
