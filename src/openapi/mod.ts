/**
 * An OpenAPI 3.1 document of an application, from its routes alone, and a page that shows it.
 *
 * ```ts ignore
 * import { bootstrap } from "@irori/irori";
 * import { openApi, swaggerUi } from "@irori/irori/openapi";
 *
 * const app = await bootstrap({ root: import.meta.dirname, extensions: [openApi(), swaggerUi()] });
 * await app.listen(); // GET /openapi.json, GET /docs
 * ```
 *
 * @module
 */
export { compareOpenApi, type OpenApiChange, type OpenApiComparison } from "./compare.ts";
export { contractOf } from "./contract.ts";
export { contractModule } from "./contract_module.ts";
export { openApiDocument } from "./document.ts";
export { documentVersions } from "./_versions.ts";
export { ApiVersionError, SchemaNameError } from "./errors.ts";
export { apiInfo, openApi, type OpenApiOptions } from "./extension.ts";
export { Operation } from "./operation.ts";
export { swaggerUi } from "./swagger_ui.ts";
export type {
  ApiInfo,
  Content,
  Direction,
  DocumentOptions,
  HeaderObject,
  JsonSchema,
  MediaTypeObject,
  OpenApiDocument,
  OperationObject,
  OperationOptions,
  ParameterObject,
  ResponseDescription,
  ResponseObject,
  SchemaConverter,
} from "./types.ts";
export { versionRemoved } from "./version_removed.ts";
