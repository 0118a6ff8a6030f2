import type { OpenApiChange } from "./_findings.ts";
import { operationsIn } from "./operations.ts";
import { isRecord, SchemaReader } from "./schema_form.ts";

/**
 * What clients of a version of the API lose that is not there any more; `undefined` where the document knows none such.
 *
 * @param before the document that the version had
 * @param supported the versions that there are
 */
export function versionRemoved(
  before: unknown,
  apiVersion: string,
  supported: readonly string[],
): OpenApiChange | undefined {
  if (!isRecord(before)) return undefined;
  const routes = operationsIn(new SchemaReader(before))
    .filter(({ parameters }) => parameters.some((parameter) => saysVersion(parameter, apiVersion)))
    .map(({ method, path }) => `${method} ${path}`);
  if (routes.length === 0) return undefined;
  return {
    routes,
    where: `version '${apiVersion}'`,
    what: "removed",
    before: apiVersion,
    after: supported.join(", ") || "none",
  };
}

/** The header of a version takes that one alone. */
function saysVersion(parameter: Readonly<Record<string, unknown>>, version: string): boolean {
  const { in: place, schema } = parameter;
  if (place !== "header" || !isRecord(schema) || !Array.isArray(schema.enum)) return false;
  return schema.enum.length === 1 && schema.enum[0] === version;
}
