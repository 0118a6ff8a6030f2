import { type Configurable, configured, type Extension } from "../../app/mod.ts";
import type { Config } from "../../config/mod.ts";
import { quoted } from "../../text/mod.ts";
import { failure, servedRoute } from "../../web/mod.ts";
import { assetResponder } from "./asset.ts";
import { once } from "./components.ts";
import { openApiDocument } from "./document.ts";
import { GIVEN } from "./exported.ts";
import type { ApiInfo, OpenApiOptions } from "./types.ts";
import { describedVersion, documentVersions } from "./versions.ts";

/**
 * Serves the OpenAPI document of the application at `/openapi.json`, below `server.context-path`.
 * `openapi.enabled: false` in the configuration disables it. Where a request header selects the version of the API, each
 * version has a document of its own: `/openapi.json?version=2`.
 *
 * With options, export the extension from a module of `component-scan`, so that `irori openapi` and `irori contract` use
 * the same options.
 *
 * @param given options, or a function that makes them from the configuration
 * @throws {SchemaNameError} at startup, when two classes would be schemas with one name
 * @throws {ApiVersionError} at startup, when `apiVersion` does not exist
 */
export function openApi(given: Configurable<OpenApiOptions> = {}): Extension {
  const extension: Extension = async ({ config, contextPath, routes }) => {
    const path = `${contextPath}/openapi.json`;
    if (!config.boolean("openapi.enabled", true)) return { disabled: [path] };
    const options = await configured(given, config);
    const info = apiInfo(config, options.info);
    const onUnknownSchema = once(options.onUnknownSchema);
    const headers = { "Content-Type": "application/json" };
    const documents = new Map(
      documentVersions(routes).map((apiVersion) => {
        const document = openApiDocument(routes, info, { ...options, apiVersion, onUnknownSchema });
        const bytes = new TextEncoder().encode(JSON.stringify(document));
        return [apiVersion, assetResponder(() => Promise.resolve(bytes), headers)];
      }),
    );
    const described = describedVersion(routes.map(servedRoute), options.apiVersion);
    return {
      endpoints: [{
        method: "GET",
        path,
        respond: (context) => {
          const version = described === undefined ? undefined : context.req.query("version");
          const respond = documents.get(version ?? described);
          if (respond !== undefined) return respond(context);
          const expected = quoted([...documents.keys()].map(String));
          throw failure({ in: "query", name: "version" }, `expected one of ${expected}`);
        },
      }],
    };
  };
  return Object.assign(extension, { [GIVEN]: given });
}

/** The metadata below `openapi` in the configuration. @throws {ConfigError} for a value that is not text */
export function apiInfo(config: Config, given: Partial<ApiInfo> = {}): ApiInfo {
  const description = config.string("openapi.description") ?? given.description;
  return {
    ...given,
    title: config.string("openapi.title") ?? given.title ?? "API",
    version: config.string("openapi.version") ?? given.version ?? "0.0.0",
    ...(description !== undefined && { description }),
  };
}
