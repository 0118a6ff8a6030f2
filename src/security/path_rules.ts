import { HttpError } from "../http/mod.ts";
import { type Access, MappingError } from "../web/mod.ts";
import type { PathRule } from "./types.ts";

interface Rule {
  /** The path, without what takes the rest. */
  readonly start: string;
  readonly takesRest: boolean;
  readonly label: string;
  readonly access: Access;
}

/** Who may call what has no annotations, by its path. */
export class PathRules {
  /** The longest first. */
  readonly all: readonly Rule[];

  /** @throws {MappingError} when a path or who may call it cannot be read */
  constructor(paths: Readonly<Record<string, PathRule>>, readonly fallback: Access) {
    this.all = Object.entries(paths).map(([path, rule]) => ruleOf(path, rule))
      .sort((a, b) => b.start.length - a.start.length || Number(a.takesRest) - Number(b.takesRest));
  }

  /** @throws {HttpError} 400 for a path that what is mounted might take for another one */
  accessAt(path: string): Access {
    if (this.all.length === 0) return this.fallback;
    if (AMBIGUOUS.test(path)) throw new HttpError(400, "The path can be read in more than one way");
    return this.all.find((rule) => covers(rule, path))?.access ?? this.fallback;
  }

  /** @throws {MappingError} when somebody might think that a path protects routes, which annotations do */
  refuseRoutes(routes: readonly { readonly path: string; readonly label: string }[]): void {
    for (const { path, label } of routes) {
      const rule = this.all.find((rule) => covers(rule, path));
      if (rule === undefined) continue;
      throw new MappingError(
        `Cannot protect the path '${rule.label}': ${label} answers '${path}', and who may call it is said by ` +
          "annotations; paths are for endpoints of extensions and what is mounted",
        [label],
      );
    }
  }
}

/** What others may decode once more, collapse or cut off. */
const AMBIGUOUS = /\/\/|%2F|%25|[\\;\p{Cc}]/iu;

function ruleOf(label: string, rule: PathRule): Rule {
  const refuse = (expected: string): never => {
    throw new MappingError(`Cannot protect the path '${label}': expected ${expected}`);
  };
  const start = label.replace(/\/\*\*$/, "");
  if (!label.startsWith("/") || /[*{}?#%\\;]|\/\//.test(start)) {
    refuse("a whole path such as '/docs', or '/docs/**'");
  }
  return { start, takesRest: start !== label, label, access: accessOf(rule, refuse) };
}

function accessOf(rule: PathRule, refuse: (expected: string) => never): Access {
  if (rule === "permitAll" || rule === "authenticated") return { allows: rule };
  const roles = typeof rule === "object" && rule !== null ? rule.roles : undefined;
  if (!Array.isArray(roles) || roles.length === 0) {
    return refuse("'permitAll', 'authenticated' or { roles: [...] }");
  }
  return { allows: "rolesAllowed", roles };
}

function covers({ start, takesRest }: Rule, path: string): boolean {
  return path === start || takesRest && path.startsWith(`${start}/`);
}
