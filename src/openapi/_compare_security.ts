import { change, type SchemaDifferences } from "./_schema_changes.ts";
import { isRecord, SchemaReader } from "./schema_form.ts";

type Json = Readonly<Record<string, unknown>>;

/** An operation and the document that it stands in. */
export interface Secured {
  readonly operation: Json;
  readonly document: Json;
}

/**
 * Compares the ways in which clients may authenticate (OpenAPI 3.1, 4.8.30): losing one is a break, a new one is an
 * addition. Schemes are compared by what they are, not by their names.
 */
export function compareSecurity(before: Secured, after: Secured): SchemaDifferences {
  const [older, newer] = [waysOf(before), waysOf(after)];
  const isIn = (ways: readonly Way[]) => (way: Way) => ways.some((other) => suffices(way, other));
  const isKept = older.every(isIn(newer));
  if (isKept && newer.every(isIn(older))) return { breaking: [], additions: [] };
  const what = isKept ? "relaxed" : "changed";
  const [old, given] = [textOf(before), textOf(after)];
  // The same names may stand for other schemes.
  const found = old === given
    ? change("", `scheme ${what}`, schemesText(older), schemesText(newer))
    : change("", what, old, given);
  return { breaking: isKept ? [] : [found], additions: isKept ? [found] : [] };
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
  return requirements.flatMap((requirement) => {
    let ways: readonly Way[] = [new Map()];
    for (const [name, given] of Object.entries(requirement)) {
      const scopes = new Set(Array.isArray(given) ? given.map(String) : []);
      const all = schemes[name] === undefined ? [name] : flowsOf(reader.follow(schemes[name]));
      ways = ways.flatMap((way) => all.map((one) => new Map([...way, [one, scopes]])));
    }
    return ways;
  });
}

/** A scheme by all that counts of it, once for each of its OAuth flows: one flow suffices. */
function flowsOf(scheme: Json): readonly string[] {
  const flows = isRecord(scheme.flows) ? Object.entries(scheme.flows) : [];
  if (flows.length === 0) return [identity(scheme)];
  return flows.map(([name, flow]) => identity({ ...scheme, flows: { [name]: flow } }));
}

function requirementsOf({ operation, document }: Secured): readonly Json[] {
  const security = operation.security ?? document.security;
  return Array.isArray(security) ? security.filter(isRecord) : [];
}

/** What counts of a scheme: neither its text nor which scopes there are. */
function identity(scheme: Json): string {
  const sorted = (value: unknown): unknown => {
    if (!isRecord(value)) return value;
    const keys = Object.keys(value).filter((key) => !UNSAID.has(key)).sort();
    return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
  };
  // Names of headers have no upper case (RFC 9110, 5.1).
  const name = scheme.in === "header" ? String(scheme.name).toLowerCase() : scheme.name;
  return JSON.stringify(sorted({ ...scheme, name }));
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
