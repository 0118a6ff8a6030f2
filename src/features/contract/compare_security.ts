import { addition, breaking, type Change } from "./changes.ts";
import type { DescribedOperation } from "./reader.ts";
import { isRecord, recordOf } from "./schema_form.ts";

type Json = Readonly<Record<string, unknown>>;
type Secured = Pick<DescribedOperation, "body" | "reader">;

/** Compares how clients may authenticate (OpenAPI 3.1, 4.8.30), by the content of schemes and not by their names. */
export function compareSecurity(before: Secured, after: Secured): readonly Change[] {
  const [older, newer] = [waysOf(before), waysOf(after)];
  const isIn = (ways: readonly Way[]) => (way: Way) => ways.some((other) => suffices(way, other));
  const isKept = older.every(isIn(newer));
  if (isKept && newer.every(isIn(older))) return [];
  const what = isKept ? "relaxed" : "changed";
  const [old, given] = [securityText(before), securityText(after)];
  const change = isKept ? addition : breaking;
  // The same names may stand for other schemes.
  return old === given
    ? [change("", `scheme ${what}`, schemesText(older), schemesText(newer))]
    : [change("", what, old, given)];
}

type Way = ReadonlyMap<string, ReadonlySet<string>>;

function suffices(one: Way, other: Way): boolean {
  return [...other].every(([scheme, scopes]) => {
    const given = one.get(scheme);
    return given !== undefined && scopes.isSubsetOf(given);
  });
}

function waysOf({ body, reader }: Secured): readonly Way[] {
  const schemes = recordOf(recordOf(recordOf(reader.document).components).securitySchemes);
  const requirements = requirementsOf({ body, reader });
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

/** The identities of a scheme, one for each of its OAuth flows: one flow is enough. */
function flowsOf(scheme: Json): readonly string[] {
  const flows = Object.entries(recordOf(scheme.flows));
  if (flows.length === 0) return [identityOf(scheme)];
  return flows.map(([name, flow]) => identityOf({ ...scheme, flows: { [name]: flow } }));
}

function requirementsOf({ body, reader }: Secured): readonly Json[] {
  const security = body.security ?? recordOf(reader.document).security;
  return Array.isArray(security) ? security.filter(isRecord) : [];
}

/** Everything that counts of a scheme: not its description, and not which scopes exist. */
function identityOf(scheme: Json): string {
  const sorted = (value: unknown): unknown => {
    if (!isRecord(value)) return value;
    const keys = Object.keys(value).filter((key) => !IGNORED.has(key)).sort();
    return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
  };
  // Names of headers are case-insensitive (RFC 9110, 5.1).
  const name = scheme.in === "header" ? String(scheme.name).toLowerCase() : scheme.name;
  return JSON.stringify(sorted({ ...scheme, name }));
}

const IGNORED = new Set(["description", "bearerFormat", "scopes"]);

function securityText(secured: Secured): string {
  const texts = requirementsOf(secured).map((requirement) =>
    Object.entries(requirement).map(([name, scopes]) => {
      const list = Array.isArray(scopes) && scopes.length > 0 ? ` (${scopes.join(", ")})` : "";
      return `${name}${list}`;
    }).join(" and ") || "anonymous"
  );
  return texts.join(" or ") || "anonymous";
}

function schemesText(ways: readonly Way[]): string {
  return ways.map((way) => [...way.keys()].join(" and ")).join(" or ");
}
