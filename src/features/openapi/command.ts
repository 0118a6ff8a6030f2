import { command, type Context, tell, text } from "../../cli/mod.ts";
import type { Route } from "../../web/mod.ts";
import type { ApiInfo, OpenApiDocument, OpenApiOptions } from "./types.ts";

export const API_VERSION = text(
  "version",
  "API version to describe, when requests name it in a header",
);

export const SCANNED = `
Imports the modules below the folders of 'component-scan' and reads the declarations of their controllers. Creates no
bean and starts nothing; controllers that only code registers are not included.
`;

export const declared = command({
  name: "openapi",
  description: "print the OpenAPI document of the controllers",
  options: { apiVersion: API_VERSION },
  examples: [["openapi > openapi.json", "write the document without starting a server"]],
  epilogue: SCANNED,
  worked: `
$ irori openapi > openapi.json
`,
  async run(context, { apiVersion }) {
    const document = await presentDocument(context, { apiVersion });
    context.runtime.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  },
});

interface Described {
  readonly apiVersion?: string | undefined;
  readonly onWarning?: (message: string) => void;
}

export async function presentDocument(
  context: Context,
  described: Described,
): Promise<OpenApiDocument> {
  const { openApiDocument } = await import("./document.ts");
  return await describeRoutes(context, described, ({ routes, info, options, warn }) => {
    const document = openApiDocument(routes, info, options);
    for (const scheme of unknownSchemes(document)) {
      warn(
        `the security scheme '${scheme}' is not described: export openApi({ securitySchemes })`,
      );
    }
    const isProtected = routes.some(({ access }) => access && access.allows !== "permitAll");
    if (isProtected && operationsOf(document).every(({ security }) => security === undefined)) {
      warn("the schemes that protect routes are not described: export security()");
    }
    return document;
  });
}

interface Scanned {
  readonly routes: readonly Route[];
  readonly info: ApiInfo;
  readonly options: OpenApiOptions;
  readonly warn: (unknown: string) => void;
}

export async function describeRoutes<T>(
  context: Context,
  { apiVersion, onWarning }: Described,
  describe: (scanned: Scanned) => T,
): Promise<T> {
  const { SchemaNameError } = await import("./component_names.ts");
  const { apiInfo } = await import("./extension.ts");
  const { ApiVersionError, documentVersions } = await import("./versions.ts");
  const { exportedOptions } = await import("./exported.ts");
  const warn = (unknown: string) => {
    const message = `${unknown} from a module of 'component-scan'`;
    tell(context.screen, "warning", message);
    onWarning?.(message);
  };
  const { withScanned } = await import("../../cli/scanned_routes.ts");
  return await withScanned(context, async ({ config, routes, exported }) => {
    documentVersions(routes, apiVersion);
    const given = await exportedOptions(exported, config);
    const onUnknownSchema = (name: string) => {
      given.onUnknownSchema?.(name);
      warn(`the schema '${name}' is described as any value: export openApi({ jsonSchema })`);
    };
    const info = apiInfo(config, given.info);
    const options = { ...given, ...(apiVersion !== undefined && { apiVersion }), onUnknownSchema };
    return describe({ routes, info, options, warn });
  }, [ApiVersionError, SchemaNameError]);
}

function unknownSchemes(document: OpenApiDocument): ReadonlySet<string> {
  const asked = operationsOf(document).flatMap(({ security = [] }) => security);
  const known = Object.keys(document.components.securitySchemes ?? {});
  return new Set(asked.flatMap(Object.keys)).difference(new Set(known));
}

function operationsOf({ paths }: OpenApiDocument) {
  return Object.values(paths).flatMap((path) => Object.values(path));
}
