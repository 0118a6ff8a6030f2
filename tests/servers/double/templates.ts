import { ACKNOWLEDGED, failure, type Reply } from "./answers.ts";
import { storedSettings } from "./settings.ts";

type Body = Record<string, unknown> & {
  index_patterns?: string[] | string;
  priority?: number;
  template?: { settings?: unknown; mappings?: unknown; aliases?: unknown };
};

/** Index templates, as `recordings/opensearch-2.19.4.txt` has them. */
export class Templates {
  readonly #stored = new Map<string, Body>();
  /** Names of the templates that have a pattern: thousands of templates are put as quickly as ten. */
  readonly #byPattern = new Map<string, Set<string>>();

  handle(method: string, name: string, query: URLSearchParams, body: string): Reply {
    if (method === "PUT") return this.#put(name, query, body);
    const found = this.#stored.get(name);
    if (method === "DELETE") {
      if (this.#forget(name)) return ACKNOWLEDGED;
      const reason = `index_template [${name}] missing`;
      return failure(404, { type: "index_template_missing_exception", reason });
    }
    if (!found) {
      const reason = `index template matching [${name}] not found`;
      return failure(404, { type: "resource_not_found_exception", reason });
    }
    return { status: 200, body: { index_templates: [{ name, index_template: found }] } };
  }

  #put(name: string, query: URLSearchParams, text: string): Reply {
    const refuse = (reason: string) => failure(400, { type: "illegal_argument_exception", reason });
    const body = JSON.parse(text) as Body;
    if (query.get("create") === "true" && this.#stored.has(name)) {
      return refuse(`index template [${name}] already exists`);
    }
    if (body.index_patterns === undefined) return refuse("Required [index_patterns]");
    if (name !== name.toLowerCase()) return refuse(`name must be lower cased`);
    const patterns = [body.index_patterns].flat();
    for (const other of patterns.flatMap((pattern) => [...this.#byPattern.get(pattern) ?? []])) {
      const { priority = 0, index_patterns = [] } = this.#stored.get(other)!;
      const theirs = [index_patterns].flat();
      if (other === name || priority !== (body.priority ?? 0)) continue;
      return refuse(
        `index template [${name}] has index patterns [${patterns}] matching patterns from existing templates ` +
          `[${other}] with patterns (${other} => [${theirs}]) that have the same priority [${
            body.priority ?? 0
          }], multiple index templates may not match during index creation, please use a different priority`,
      );
    }
    this.#forget(name);
    this.#stored.set(name, stored(body, patterns));
    for (const pattern of patterns) {
      this.#byPattern.set(pattern, (this.#byPattern.get(pattern) ?? new Set()).add(name));
    }
    return ACKNOWLEDGED;
  }

  #forget(name: string): boolean {
    for (const pattern of [this.#stored.get(name)?.index_patterns ?? []].flat()) {
      this.#byPattern.get(pattern)?.delete(name);
    }
    return this.#stored.delete(name);
  }
}

function stored(body: Body, index_patterns: string[]): Body {
  const { template, ...rest } = body;
  return {
    ...rest,
    index_patterns,
    ...(template && {
      template: {
        ...template,
        ...(template.settings !== undefined && { settings: storedSettings(template.settings) }),
      },
    }),
    composed_of: rest.composed_of ?? [],
  };
}
