import { HttpError } from "../../http/mod.ts";
import {
  type Access,
  MappingError,
  parsePattern,
  type PathAccess,
  type Segment,
} from "../../web/mod.ts";
import type { PathRule } from "./types.ts";

type Rule = ReturnType<typeof ruleOf>;

/**
 * Access to paths without annotations. A rule without `/**` does not match a path that differs by a trailing slash. Rules are
 * relative to the context path; what is mounted outside of it is matched by its whole path.
 */
export class PathRules {
  readonly all: readonly Rule[];
  readonly #unmatched: Set<Rule>;

  /** @throws {MappingError} for an invalid path or rule, and for a duplicate path */
  constructor(
    paths: Readonly<Record<string, PathRule>>,
    readonly fallback: Access,
    readonly contextPath = "",
  ) {
    this.all = Object.entries(paths).map(([path, rule]) => ruleOf(path, rule)).sort(byLength);
    this.all.forEach((rule, index) => refuseTwin(rule, this.all[index + 1]));
    this.#unmatched = new Set(this.all);
  }

  /** In advance if it is the same for every request. A probe is open unless a rule names it, not only its parent. */
  accessAt(path: string, isProbe = false): PathAccess {
    const relative = this.#relative(path);
    const pattern = segmentsOf(relative);
    const depth = literals(pattern);
    const isSplit = this.#isSplit(path, pattern);
    const reached = this.all.filter((rule) => isSplit || reaches(rule, pattern));
    const isFixed = pattern.every(({ kind }) => kind !== "rest");
    // A rule that repeats the context path needs a handler that does so, too: it is probably meant as a whole path.
    for (const rule of reached) {
      if (isFixed && hasSlash(rule.label) && !isExact(rule, relative)) continue;
      if (this.#isBelow(relative) || !this.#isBelow(rule.label)) this.#unmatched.delete(rule);
    }
    const rules = reached.filter((rule) => !isProbe || rule.segments.length >= depth);
    const fallback: Access = isProbe ? { allows: "permitAll" } : this.fallback;
    const [first] = rules;
    if (first === undefined) return fallback;
    if (!isSplit && coversAll(first, pattern) && isExact(first, relative)) return first.access;
    return (sent) => {
      if (AMBIGUOUS.test(sent)) throw ambiguous();
      const path = this.#relative(sent);
      const literal = segmentsOf(path, (text) => ({ kind: "literal", text }));
      const found = rules.filter((rule) => reaches(rule, literal));
      const exact = found.find((rule) => isExact(rule, path));
      return stricter(found[0]?.access ?? fallback, exact?.access ?? fallback);
    };
  }

  /** `endpoints` are matched before routes. @throws {MappingError} if a path rule covers routes */
  refuseRoutes(
    routes: readonly { readonly path: string; readonly label: string }[],
    endpoints: readonly string[],
  ): void {
    const ofEndpoints = endpoints.map((path) => segmentsOf(this.#relative(path)));
    for (const rule of this.all) {
      const isForEndpoint = ofEndpoints.some((endpoint) => reaches(rule, endpoint));
      const route = routes.find(({ path }) => {
        const pattern = withoutSlash(parsePattern(this.#relative(path)).segments);
        // A catch-all route beside endpoints matches the remaining paths.
        const isLeft = isForEndpoint && literals(pattern) < rule.segments.length;
        return !isLeft && reaches(rule, pattern);
      });
      if (route === undefined) continue;
      throw new MappingError(
        `Cannot protect the path '${rule.label}': ${route.label} handles '${route.path}', and annotations define the access ` +
          "to routes; use 'paths' only for endpoints of extensions and mounted applications",
        [route.label],
      );
    }
  }

  /** Called when everything is mounted. @throws {MappingError} if a rule that is no pattern matches nothing */
  refuseUnmatched(): void {
    for (const rule of this.#unmatched) {
      const { label, takesRest } = rule;
      const isRepeated = this.#isBelow(label);
      const message =
        `Cannot protect the path '${label}': no endpoint of an extension and no handler of 'app.hono' matches it; ` +
        (isRepeated
          ? `expected a path without server.context-path '${this.contextPath}', which is added to it`
          : "correct the path, or remove the rule");
      if (!takesRest || isRepeated) throw new MappingError(message);
      console.warn(message);
      this.#unmatched.delete(rule);
    }
  }

  #relative(path: string): string {
    return this.#isBelow(path) ? path.slice(this.contextPath.length) || "/" : path;
  }

  #isBelow(path: string): boolean {
    const { contextPath } = this;
    return contextPath !== "" && `${path}/`.startsWith(`${contextPath}/`);
  }

  /** Whether paths below the context path and others match a pattern. */
  #isSplit(path: string, pattern: readonly Segment[]): boolean {
    if (this.contextPath === "" || this.#isBelow(path)) return false;
    return reaches({ segments: this.contextPath.split("/").slice(1), takesRest: true }, pattern);
  }
}

function ambiguous(): HttpError {
  return new HttpError(400, "The path is ambiguous");
}

/** Hono distinguishes a trailing slash, mounted applications may not: both rules must allow the request. */
function stricter(one: Access, other: Access): Access {
  if (other.allows === "permitAll" || grants(one) === grants(other)) return one;
  if (one.allows === "permitAll") return other;
  if (one.allows === other.allows) throw ambiguous();
  return one.allows === "authenticated" ? other : one;
}

/** Key of an access; the order of roles does not matter. */
function grants({ allows, roles = [] }: Access): string {
  return JSON.stringify([allows, ...[...new Set(roles)].sort()]);
}

function isExact({ takesRest, label }: Rule, path: string): boolean {
  return takesRest || hasSlash(label) === hasSlash(path);
}

function hasSlash(path: string): boolean {
  return path.length > 1 && path.endsWith("/");
}

/** Other software may decode these again, collapse, resolve or cut them off. */
const AMBIGUOUS = /\/\/|[%\\;\p{Cc}]|\/\.{1,2}(?:\/|$)/u;

function ruleOf(label: string, rule: PathRule) {
  const refuse = (expected: string): never => {
    throw new MappingError(`Cannot protect the path '${label}': expected ${expected}`);
  };
  const start = label.replace(/\/\*\*$/, "");
  if (!label.startsWith("/") || /[*{}?#]/.test(start) || AMBIGUOUS.test(start)) {
    refuse("a whole path such as '/docs', or '/docs/**'");
  }
  const segments = start.replace(/\/$/, "").split("/").slice(1);
  return { segments, takesRest: start !== label, label, access: accessOf(rule, refuse) };
}

function accessOf(rule: PathRule, refuse: (expected: string) => never): Access {
  if (rule === "permitAll" || rule === "authenticated") return { allows: rule };
  const roles = typeof rule === "object" && rule !== null ? rule.roles : undefined;
  if (!Array.isArray(roles) || roles.length === 0) {
    return refuse("'permitAll', 'authenticated' or { roles: [...] }");
  }
  return { allows: "rolesAllowed", roles };
}

function byLength(a: Rule, b: Rule): number {
  return b.segments.length - a.segments.length || Number(a.takesRest) - Number(b.takesRest) ||
    (a.segments.join("/") < b.segments.join("/") ? -1 : 1);
}

function refuseTwin(rule: Rule, next: Rule | undefined): void {
  if (next === undefined || rule.takesRest !== next.takesRest) return;
  if (rule.segments.join("/") !== next.segments.join("/")) return;
  throw new MappingError(`Cannot protect the path '${next.label}': it repeats '${rule.label}'`);
}

/** A path in Hono's form. A part that matches none or several segments counts as the rest. */
function segmentsOf(path: string, segmentOf = honoSegment): readonly Segment[] {
  return withoutSlash(path.split("/").slice(1).map(segmentOf));
}

function honoSegment(text: string, index: number, { length }: readonly string[]): Segment {
  if (/^:[\w-]+$/.test(text)) return { kind: "variable", name: text };
  if (!/[:*{?]/.test(text)) return { kind: "literal", text };
  return { kind: text === "*" && index < length - 1 ? "wildcard" : "rest" };
}

function withoutSlash(segments: readonly Segment[]): readonly Segment[] {
  const last = segments.at(-1);
  return last?.kind === "literal" && last.text === "" ? segments.slice(0, -1) : segments;
}

function literals(pattern: readonly Segment[]): number {
  const first = pattern.findIndex(({ kind }) => kind !== "literal");
  return first < 0 ? pattern.length : first;
}

function reaches(
  { segments, takesRest }: Pick<Rule, "segments" | "takesRest">,
  pattern: readonly Segment[],
): boolean {
  for (const [index, text] of segments.entries()) {
    const segment = pattern[index];
    if (segment?.kind === "rest") return true;
    if (segment === undefined || !admits(segment, text)) return false;
  }
  const next = pattern[segments.length];
  return takesRest || next === undefined || next.kind === "rest";
}

function coversAll({ segments, takesRest }: Rule, pattern: readonly Segment[]): boolean {
  return literals(pattern) >= segments.length && (takesRest || pattern.length === segments.length);
}

function admits(segment: Segment, text: string): boolean {
  if (segment.kind === "literal") return segment.text === text;
  return segment.kind !== "expression" || segment.expression.test(text);
}
