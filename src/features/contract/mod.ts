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
export {
  type ApiInfo,
  apiInfo,
  ApiVersionError,
  type Content,
  type DocumentOptions,
  documentVersions,
  type HeaderObject,
  type MediaTypeObject,
  openApi,
  type OpenApiDocument,
  openApiDocument,
  type OpenApiOptions,
  Operation,
  type OperationObject,
  type OperationOptions,
  type ParameterObject,
  type ResponseDescription,
  type ResponseObject,
  type SchemaConverter,
  SchemaNameError,
  swaggerUi,
} from "../openapi/mod.ts";
export type { Direction, JsonSchema } from "../../schema/mod.ts";
export type { OpenApiChange, OpenApiComparison } from "./changes.ts";
export { compareOpenApi, versionRemoved } from "./compare.ts";
export { contractModule, contractOf } from "./contract.ts";
