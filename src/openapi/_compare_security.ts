import { change, type SchemaChange } from "./_schema_changes.ts";
import { isRecord, SchemaReader } from "./schema_form.ts";

type Json = Readonly<Record<string, unknown>>;

/** An operation and the document that it stands in. */
export interface Secured {
  readonly operation: Json;
  readonly document: Json;
}

/**
 * What changed of the ways in which clients may prove who they are (OpenAPI 3.1, 4.8.30), or `undefined` when each way
 * that sufficed still does. Schemes are compared by what they are, not by their names.
 */
export function compareSecurity(before: Secured, after: Secured): SchemaChange | undefined {
  const [older, newer] = [waysOf(before), waysOf(after)];
  const lost = older.filter((way) => !newer.some((other) => suffices(way, other)));
  if (lost.length === 0) return undefined;
  const [old, given] = [textOf(before), textOf(after)];
  // The same names stand for other schemes.
  if (old === given) return change("", "scheme changed", schemesText(older), schemesText(newer));
  return change("", "changed", old, given);
}

/** Scopes or roles, by what their scheme is. */
type Way = ReadonlyMap<string, ReadonlySet<string>>;

/** Whether whoever has what `one` asks for has what `other` asks for. */
function suffices(one: Way, other: Way): boolean {
  return [...other].every(([scheme, scopes]) => {
    const given = one.get(scheme);
    return given !== undefined && scopes.isSubsetOf(given);
  });
}

function waysOf({ operation, document }: Secured): readonly Way[] {
  const reader = new SchemaReader(document);
  const components = isRecord(document.components) ? document.components : {};
  const schemes = isRecord(components.securitySchemes) ? components.securitySchemes : {};
  const requirements = requirementsOf({ operation, document });
  if (requirements.length === 0) return [new Map()];
  return requirements.map((requirement) =>
    new Map(
      Object.entries(requirement).map(([name, scopes]) => [
        identity(name, schemes[name] === undefined ? undefined : reader.follow(schemes[name])),
        new Set(Array.isArray(scopes) ? scopes.map(String) : []),
      ]),
    )
  );
}

function requirementsOf({ operation, document }: Secured): readonly Json[] {
  const security = operation.security ?? document.security;
  return Array.isArray(security) ? security.filter(isRecord) : [];
}

/** What counts of a scheme: neither its text nor which scopes there are. */
function identity(name: string, scheme: Json | undefined): string {
  if (scheme === undefined) return name;
  const sorted = (value: unknown): unknown => {
    if (!isRecord(value)) return value;
    const keys = Object.keys(value).filter((key) => !UNSAID.has(key)).sort();
    return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
  };
  return JSON.stringify(sorted(scheme));
}

const UNSAID = new Set(["description", "bearerFormat", "scopes"]);

function textOf(secured: Secured): string {
  const texts = requirementsOf(secured).map((requirement) =>
    Object.entries(requirement).map(([name, scopes]) => {
      const list = Array.isArray(scopes) && scopes.length > 0 ? ` (${scopes.join(", ")})` : "";
      return `${name}${list}`;
    }).join(" and ") || "anybody"
  );
  return texts.length === 0 ? "anybody" : texts.join(" or ");
}

function schemesText(ways: readonly Way[]): string {
  return ways.map((way) => [...way.keys()].join(" and ")).join(" or ");
}
