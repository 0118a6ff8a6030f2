import {
  isOpenWithUser,
  type Route,
  routesOfVersion,
  type ServedRoute,
  servedRoute,
} from "../web/mod.ts";
import { Components, freeName } from "./components.ts";
import { parametersOf, requestBodyOf } from "./inputs.ts";
import { operationOf } from "./operation.ts";
import { type PathTemplate, pathTemplate } from "./path.ts";
import { responsesOf } from "./responses.ts";
import type {
  ApiInfo,
  DocumentOptions,
  OpenApiDocument,
  OperationObject,
  OperationOptions,
  ParameterObject,
} from "./types.ts";
import { describedVersion, versionParameter } from "./versions.ts";

/**
 * Describes routes as an OpenAPI 3.1 document. Reads nothing but what the routes and their classes declare.
 *
 * Of routes that OpenAPI cannot tell apart, because only a regular expression or a media type does, the one
 * that is tried first is described, with the media types of all.
 *
 * @param routes in the order in which they are tried
 * @throws {SchemaNameError} when two classes would be schemas of one name
 * @throws {ApiVersionError} when there is no document of the version
 */
export function openApiDocument(
  routes: readonly Route[],
  info: ApiInfo,
  options: DocumentOptions = {},
): OpenApiDocument {
  const components = new Components(options);
  const spellings = new Map<string, PathTemplate>();
  const paths: Record<string, Record<string, OperationObject>> = {};
  const ids = new Set<string>();
  const served = routes.map(servedRoute);
  const version = describedVersion(served, options.apiVersion);
  const described = version === undefined ? served : routesOfVersion(served, version);
  for (const route of described) {
    const said = operationOf(route.type, route.handler);
    if (said.hidden) continue;
    const path = pathTemplate(route.path);
    const shape = path.text.replace(/\{[^}]*\}/g, "{}");
    const spelling = spellings.get(shape) ?? path;
    spellings.set(shape, spelling);
    const header = version === undefined ? [] : versionParameter(route, served, version);
    const operation = operationOn(route, path, said, header, components, ids);
    const methods = paths[spelling.text] ??= {};
    const method = route.method.toLowerCase();
    const first = methods[method];
    methods[method] = first ? joined(first, operation) : renamed(operation, path, spelling);
  }
  const securitySchemes = securitySchemesOf(served, options);
  const schemas = components.schemas;
  return {
    openapi: "3.1.0",
    info,
    paths,
    components: { schemas, ...(securitySchemes && { securitySchemes }) },
  };
}

function operationOn(
  route: ServedRoute,
  path: PathTemplate,
  said: OperationOptions,
  header: readonly ParameterObject[],
  components: Components,
  ids: Set<string>,
): OperationObject {
  // A handler may be mapped to more than one method or path.
  const operationId = freeName(`${route.controller}_${route.handler}`, ids);
  const { summary, description, deprecated = route.deprecated } = said;
  const security = requirementsOf(route) ?? said.security;
  const parameters = [...parametersOf(route, path, components, operationId), ...header];
  const requestBody = requestBodyOf(route, components, operationId);
  const refusals = [
    ...accessRefusals(route),
    ...(parameters.length > 0 || requestBody ? [400] : []),
    ...(route.produces.length > 0 ? [406] : []),
    ...(requestBody ? [413, 415] : []),
  ];
  return {
    operationId,
    tags: said.tags ?? [route.type.name.replace(/(?<=.)Controller$/, "")],
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated }),
    ...(security !== undefined && { security }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responsesOf(route, said, refusals, components, operationId),
  };
}

/** Paths that differ in the names of their variables are one path to OpenAPI (4.8.8.2): the first one's names. */
function renamed(
  operation: OperationObject,
  from: PathTemplate,
  to: PathTemplate,
): OperationObject {
  if (from.text === to.text || operation.parameters === undefined) return operation;
  const parameters = operation.parameters.map((parameter) => {
    const index = parameter.in === "path" ? from.names.indexOf(parameter.name) : -1;
    return { ...parameter, name: to.names[index] ?? parameter.name };
  });
  return { ...operation, parameters };
}

/** Adds the media types of a second handler to the first. */
function joined(first: OperationObject, second: OperationObject): OperationObject {
  const { requestBody: one, responses } = first;
  const { requestBody: other } = second;
  const content = { ...other?.content, ...one?.content };
  const required = Boolean(one?.required && other?.required);
  const statuses = Object.keys({ ...responses, ...second.responses });
  return {
    ...first,
    ...((one || other) && { requestBody: { required, content } }),
    responses: Object.fromEntries(statuses.map((status) => {
      const ours = responses[status], theirs = second.responses[status];
      const types = { ...theirs?.content, ...ours?.content };
      const headers = { ...theirs?.headers, ...ours?.headers };
      const description = ours?.description ?? theirs?.description ?? "";
      return [status, {
        description,
        ...(Object.keys(headers).length > 0 && { headers }),
        ...(Object.keys(types).length > 0 && { content: types }),
      }];
    })),
  };
}

/** The schemes of `security()`, and those of the options; without those of which nothing is known. */
export function securitySchemesOf(
  routes: readonly ServedRoute[],
  { securitySchemes }: DocumentOptions,
): DocumentOptions["securitySchemes"] {
  const schemes = routes.find((route) => route.securitySchemes)?.securitySchemes;
  const known = Object.entries({ ...schemes, ...securitySchemes })
    .filter(([, scheme]) => Object.keys(scheme).length > 0);
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}

/**
 * Any of these suffices: a scheme with a role, as all that one requirement names are needed together (OpenAPI 3.1,
 * 4.8.30). None for who may be nobody; `undefined` where nothing is known of schemes.
 */
export function requirementsOf(route: ServedRoute): OperationOptions["security"] {
  const { access, securitySchemes } = route;
  if (access === undefined || securitySchemes === undefined) return undefined;
  const names = Object.keys(securitySchemes);
  if (access.allows !== "permitAll") {
    return (access.roles?.map((role) => [role]) ?? [[]]).flatMap((roles) =>
      names.map((name) => ({ [name]: roles }))
    );
  }
  return isOpenWithUser(route) ? [{}, ...names.map((name) => ({ [name]: [] }))] : [];
}

/** The statuses by which `security()` refuses. */
export function accessRefusals(route: ServedRoute): readonly number[] {
  const { access } = route;
  if (access === undefined) return [];
  if (access.allows === "permitAll") return isOpenWithUser(route) ? [401] : [];
  return access.roles || access.preAuthorize ? [401, 403] : [401];
}
