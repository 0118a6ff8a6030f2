import type { ApiContract, OperationContract } from "../client/mod.ts";
import { problemStatus, problemTypeOf } from "../http/mod.ts";
import { piecesOf, SchemaNameError, versionHeaders } from "../openapi/mod.ts";
import { type Route, servedRoute } from "../web/mod.ts";

/**
 * What a typed client needs of the routes: method, path and parameters of each handler, by the names of class and method.
 * Of a handler with several methods or paths, the client calls the one that is tried first.
 *
 * @throws {SchemaNameError} when two controllers have classes of one name
 */
export function contractOf(routes: readonly Route[]): ApiContract {
  const contract: Record<string, Record<string, OperationContract>> = {};
  const owners = new Map<string, string>();
  const served = routes.map(servedRoute);
  for (const route of served) {
    const { method, path, binders, controller, type, handler, problems } = route;
    const headers = versionHeaders(route, served);
    const owner = owners.get(type.name) ?? controller;
    if (owner !== controller) {
      throw new SchemaNameError(
        `Cannot write the contract of '${controller}': '${owner}' has a class '${type.name}' too, ` +
          "expected names that differ",
        type.name,
      );
    }
    owners.set(type.name, controller);
    const operations = contract[type.name] ??= {};
    operations[handler] ??= {
      method,
      path: withoutExpressions(path),
      parameters: binders.map(({ input: { in: place, name, type } }) => ({
        // Text, bytes or a stream, without serialization.
        in: place === "body" && typeof type === "string" ? "raw" : place,
        ...(name !== undefined && { name }),
      })),
      ...(headers && { headers }),
      ...(problems.length > 0 && {
        problems: problems.map((one) => ({
          status: problemStatus(one).value,
          type: problemTypeOf(one),
        })),
      }),
    };
  }
  return contract;
}

/** `{id:[0-9]+}` becomes `{id}`. */
function withoutExpressions(path: string): string {
  return piecesOf(path).map((piece) => piece.replace(/^(\{[^:]*):.*$/s, "$1}")).join("");
}
