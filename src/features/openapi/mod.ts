/** OpenAPI 3.1 documents of the routes of an application, and the extensions that serve them. */
export { isToken, SchemaNameError } from "./component_names.ts";
export { Components } from "./components.ts";
export { openApiDocument } from "./document.ts";
export { apiInfo, openApi } from "./extension.ts";
export { queryParameters, valueSchema } from "./inputs.ts";
export { Operation } from "./operation.ts";
export { problemSchema } from "./responses.ts";
export { swaggerUi } from "./swagger_ui.ts";
export type * from "./types.ts";
export { ApiVersionError, documentVersions, versionHeaders } from "./versions.ts";
