import { ACKNOWLEDGED, illegal, isObject, ok, Refused, type Reply } from "./answers.ts";
import { storedPart, type TemplatePart } from "./composition.ts";
import type { Dialect } from "./dialect.ts";
import { readObject, unknownField } from "./json_text.ts";
import { mappingOf } from "./mappings.ts";
import { matches } from "./patterns.ts";
import { checkIndexSettings } from "./setting_rules.ts";
import { indexSettings } from "./settings.ts";

interface Body {
  readonly template: TemplatePart;
}

/** Where component templates are used. */
export interface Users {
  /** Index templates that are composed of `name`. */
  using(name: string): readonly string[];
  /** @throws {Refused} an index template that `part` would break */
  check(name: string, part: TemplatePart): void;
}

/** Component templates, as `recordings/opensearch-kinds.txt` has them. */
export class ComponentTemplates {
  readonly stored = new Map<string, Body>();
  readonly #dialect: Dialect;
  readonly #users: Users;

  constructor(dialect: Dialect, users: Users) {
    this.#dialect = dialect;
    this.#users = users;
  }

  get(name = "*"): Reply {
    const found = [...this.stored].filter(([one]) => matches(name, one));
    if (found.length === 0 && !name.includes("*")) {
      const reason = `component template matching [${name}] not found`;
      throw new Refused(404, { type: "resource_not_found_exception", reason });
    }
    const component_templates = found.map(([name, component_template]) => ({
      name,
      component_template,
    }));
    return ok({ component_templates }, found.length === 0 && name !== "*" ? 404 : 200);
  }

  put(name: string, query: URLSearchParams, text: string): Reply {
    const body = readObject(text);
    const stranger = Object.keys(body).find((key) => !/^(template|version|_meta)$/.test(key));
    if (stranger !== undefined) throw unknownField(text, "component_template", stranger);
    if (!isObject(body.template)) throw illegal("Required [template]");
    if (query.get("create") === "true" && this.stored.has(name)) {
      throw illegal(`component template [${name}] already exists`);
    }
    const part = body.template as TemplatePart;
    checkIndexSettings(indexSettings(part.settings), this.#dialect);
    mappingOf(part.mappings);
    checkTemplateName(name);
    this.#users.check(name, part);
    this.stored.set(name, { ...body, template: storedPart(part) });
    return ACKNOWLEDGED;
  }

  delete(pattern: string): Reply {
    const names = [...this.stored.keys()].filter((name) => matches(pattern, name)).sort();
    if (names.length === 0) {
      const reason = `index_template [${pattern}] missing`;
      throw new Refused(404, { type: "index_template_missing_exception", reason });
    }
    const used = names.filter((name) => this.#users.using(name).length > 0);
    if (used.length > 0) {
      const users = new Set(used.flatMap((name) => this.#users.using(name)));
      throw illegal(
        `component templates [${used.join(", ")}] cannot be removed as they are still in use by ` +
          `index templates [${[...users].join(", ")}]`,
      );
    }
    for (const name of names) this.stored.delete(name);
    return ACKNOWLEDGED;
  }
}

/** @throws {Refused} a name that a template cannot have */
export function checkTemplateName(name: string, patterns: readonly string[] = []): void {
  const problems = [
    ...(name.includes(" ") ? ["name must not contain a space"] : []),
    ...(name === name.toLowerCase() ? [] : ["name must be lower cased"]),
    ...patterns.flatMap(patternProblems),
  ];
  if (problems.length === 0) return;
  const list = problems.map((problem, i) => `${i + 1}: ${problem};`).join("");
  throw invalidTemplate(name, `Validation Failed: ${list}`);
}

function patternProblems(pattern: string): string[] {
  const characters = '[ , ", *, \\, <, |, ,, >, /, ?]';
  return [
    ...(pattern.includes(" ") ? [`index_patterns [${pattern}] must not contain a space`] : []),
    ...(pattern.includes(",") ? [`index_pattern [${pattern}] must not contain a ','`] : []),
    ...(pattern.startsWith("_") ? [`index_pattern [${pattern}] must not start with '_'`] : []),
    ...(/[ "\\<|,>/?]/.test(pattern)
      ? [`index_pattern [${pattern}] must not contain the following characters ${characters}`]
      : []),
  ];
}

export function invalidTemplate(name: string, why: string): Refused {
  return new Refused(400, {
    type: "invalid_index_template_exception",
    reason: `index_template [${name}] invalid, cause [${why}]`,
  });
}
