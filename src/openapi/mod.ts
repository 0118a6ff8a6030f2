/**
 * OpenAPI 3.1 documents of the routes of an application, and the extensions that serve them.
 *
 * @module
 */
export { Components, freeName } from "./components.ts";
export { openApiDocument } from "./document.ts";
export { ApiVersionError, SchemaNameError } from "./errors.ts";
export { apiInfo, openApi } from "./extension.ts";
export { valueSchema } from "./inputs.ts";
export { Operation } from "./operation.ts";
export { piecesOf } from "./path.ts";
export { problemSchemas } from "./responses.ts";
export { swaggerUi } from "./swagger_ui.ts";
export type * from "./types.ts";
export { documentVersions, versionHeaders } from "./versions.ts";
