import {
  isOpenWithUser,
  piecesOf,
  type Route,
  routesOfVersion,
  type ServedRoute,
  servedRoute,
} from "../../web/mod.ts";
import { freeName } from "../../text/mod.ts";
import { Components } from "./components.ts";
import { InputWriter } from "./inputs.ts";
import { operationOf } from "./operation.ts";
import { preconditionStatuses, responsesOf } from "./responses.ts";
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
 * Describes routes as an OpenAPI 3.1 document, from the declarations of the routes and their classes.
 *
 * Routes that differ only in a regular expression or a media type are one operation in OpenAPI: the route that is tried
 * first is described, with the media types of all.
 *
 * @param routes in the order in which they are tried
 * @throws {SchemaNameError} when two classes would be schemas with one name
 * @throws {ApiVersionError} when the version does not exist
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
  const all = version === undefined ? served : routesOfVersion(served, version);
  for (const route of all) {
    const own = operationOf(route.type, route.handler);
    if (own.hidden) continue;
    const path = pathTemplate(route.path);
    const shape = path.text.replace(/\{[^}]*\}/g, "{}");
    const spelling = spellings.get(shape) ?? path;
    spellings.set(shape, spelling);
    const header = version === undefined ? [] : versionParameter(route, served, version);
    const operation = operationOn(route, path, own, header, components, ids);
    const methods = paths[spelling.text] ??= {};
    const method = route.method.toLowerCase();
    const first = methods[method];
    methods[method] = first ? joined(first, operation) : renamed(operation, path, spelling);
  }
  const schemes = { ...served.find((route) => route.schemes)?.schemes, ...options.securitySchemes };
  const known = Object.entries(schemes).filter(([, scheme]) => nonEmpty(scheme));
  const text = JSON.stringify({
    paths,
    responses: nonEmpty(components.responses),
    securitySchemes: nonEmpty(Object.fromEntries(known)),
  });
  const { schemas, read } = components.named(text);
  const { paths: described, ...others } = read<Named>(text);
  return {
    openapi: "3.1.0",
    info,
    ...(options.servers && { servers: options.servers }),
    paths: described,
    components: { schemas, ...others },
  };
}

type PathTemplate = ReturnType<typeof pathTemplate>;

function pathTemplate(path: string) {
  const names: string[] = [];
  const patterns = new Map<string, string>();
  const add = (name: string): string => {
    names.push(name);
    return `{${name}}`;
  };
  let wildcards = 0;
  const text = piecesOf(path).map((piece) => {
    if (piece === "**") return add("rest");
    if (piece === "*") return add(wildcards++ === 0 ? "any" : `any${wildcards}`);
    if (!piece.startsWith("{")) return piece;
    const inner = piece.slice(1, -1).replace(/^\*/, "");
    const colon = inner.indexOf(":");
    if (colon < 0) return add(inner);
    patterns.set(inner.slice(0, colon), `^(?:${inner.slice(colon + 1)})$`);
    return add(inner.slice(0, colon));
  }).join("");
  // A variable for the rest of a path includes its slash.
  return { text: text === "" ? "/" : text, names, patterns };
}

type Named = Pick<OpenApiDocument, "paths"> & Omit<OpenApiDocument["components"], "schemas">;

function operationOn(
  route: ServedRoute,
  path: PathTemplate,
  options: OperationOptions,
  header: readonly ParameterObject[],
  components: Components,
  ids: Set<string>,
): OperationObject {
  // A handler may have several methods or paths.
  const operationId = freeName(options.operationId ?? `${route.controller}_${route.handler}`, ids);
  const { summary, description, deprecated = route.deprecated } = options;
  const inputs = new InputWriter(route, components, operationId);
  const parameters = [...inputs.parameters(path.names, path.patterns), ...header];
  const requestBody = inputs.body();
  const refusals = [
    ...accessRefusals(route),
    ...((parameters.length > 0 || requestBody) && !route.refused ? [400] : []),
    ...(route.produces.length > 0 ? [406] : []),
    ...(requestBody ? [413, 415] : []),
    ...preconditionStatuses(route).filter((status) => status >= 400),
  ];
  return {
    operationId,
    tags: options.tags ?? [route.type.name.replace(/(?<=.)Controller$/, "")],
    summary,
    description,
    deprecated,
    security: requirementsOf(route) ?? options.security,
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody,
    responses: responsesOf(route, options, refusals, components, operationId),
  };
}

/** Paths that differ only in the names of variables are one path in OpenAPI (4.8.8.2), with the names of the first. */
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

function joined(first: OperationObject, second: OperationObject): OperationObject {
  const { requestBody: one, responses } = first;
  const { requestBody: other } = second;
  const required = Boolean(one?.required && other?.required);
  const content = { ...other?.content, ...one?.content };
  const statuses = Object.keys({ ...responses, ...second.responses });
  return {
    ...first,
    ...((one || other) && { requestBody: { required, content } }),
    responses: Object.fromEntries(statuses.map((status) => {
      const ours = responses[status], theirs = second.responses[status];
      const shared = [ours, theirs].find((one) => one?.$ref);
      if (shared) return [status, shared];
      return [status, {
        description: ours?.description ?? theirs?.description ?? "",
        headers: nonEmpty({ ...theirs?.headers, ...ours?.headers }),
        content: nonEmpty({ ...theirs?.content, ...ours?.content }),
      }];
    })),
  };
}

function nonEmpty<T extends object>(members: T): T | undefined {
  return Object.keys(members).length > 0 ? members : undefined;
}

/** A requirement for each scheme and role: all schemes of one are needed together (OpenAPI 3.1, 4.8.30). */
function requirementsOf(route: ServedRoute): OperationOptions["security"] {
  const { access, schemes } = route;
  if (access === undefined || schemes === undefined) return undefined;
  const names = Object.keys(schemes);
  if (access.allows !== "permitAll") {
    return (access.roles?.map((role) => [role]) ?? [[]]).flatMap((roles) =>
      names.map((name) => ({ [name]: roles }))
    );
  }
  return isOpenWithUser(route) ? [{}, ...names.map((name) => ({ [name]: [] }))] : [];
}

function accessRefusals(route: ServedRoute): readonly number[] {
  const { access } = route;
  if (access === undefined) return [];
  if (access.allows === "permitAll") return isOpenWithUser(route) ? [401] : [];
  return access.roles || access.preAuthorize ? [401, 403] : [401];
}
