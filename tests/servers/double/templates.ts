import { ACKNOWLEDGED, illegal, invalid, isObject, ok, Refused, type Reply } from "./answers.ts";
import { checkAliasName } from "./alias_rules.ts";
import { checkTemplateName, ComponentTemplates, invalidTemplate } from "./component_templates.ts";
import {
  type Composed,
  composed,
  storedPart,
  type TemplatePart,
  uncomposable,
} from "./composition.ts";
import type { Dialect } from "./dialect.ts";
import { endAt, readObject, unknownField } from "./json_text.ts";
import { matches, PatternsByPriority } from "./patterns.ts";
import { checkIndexSettings } from "./setting_rules.ts";
import { indexSettings } from "./settings.ts";

interface Body extends Record<string, unknown> {
  readonly index_patterns: string[];
  readonly priority?: number;
  readonly template?: TemplatePart;
  readonly composed_of?: string[];
}

const MEMBERS = ["index_patterns", "template", "priority", "composed_of", "version", "_meta"];

/** Index templates, as `recordings/opensearch-2.19.4.txt` and `recordings/opensearch-kinds.txt` have them. */
export class Templates {
  readonly components: ComponentTemplates;
  readonly #dialect: Dialect;
  readonly #stored = new Map<string, Body>();
  readonly #patterns = new PatternsByPriority();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.components = new ComponentTemplates(dialect, {
      using: (name) => this.#using(name),
      check: (name, part) => this.#checkComponent(name, part),
    });
  }

  get(name = "*"): Reply {
    const found = [...this.#stored].filter(([one]) => matches(name, one));
    if (found.length === 0 && !name.includes("*")) {
      const reason = `index template matching [${name}] not found`;
      throw new Refused(404, { type: "resource_not_found_exception", reason });
    }
    const index_templates = found.map(([name, index_template]) => ({ name, index_template }));
    return ok({ index_templates }, found.length === 0 && name !== "*" ? 404 : 200);
  }

  put(name: string, query: URLSearchParams, text: string): Reply {
    const body = this.#read(name, text);
    if (query.get("create") === "true" && this.#stored.has(name)) {
      throw illegal(`index template [${name}] already exists`);
    }
    this.#check(name, body);
    this.#forget(name);
    this.#stored.set(name, body);
    this.#patterns.add(body.priority ?? 0, body.index_patterns, name);
    return ACKNOWLEDGED;
  }

  delete(pattern: string): Reply {
    const names = [...this.#stored.keys()].filter((name) => matches(pattern, name));
    if (names.length === 0 && pattern !== "*") {
      const reason = `index_template [${pattern}] missing`;
      throw new Refused(404, { type: "index_template_missing_exception", reason });
    }
    for (const name of names) this.#forget(name);
    return ACKNOWLEDGED;
  }

  /** The parts of the template of the highest priority for a new index. */
  forIndex(index: string): Composed | undefined {
    const [first] = this.#patterns.fitting(index);
    return first === undefined ? undefined : composed(this.#parts(this.#stored.get(first)!));
  }

  /** @param text a template that is taken in place of those that are there, where its patterns match; empty for none */
  simulateIndex(index: string, text: string): Reply {
    if (text !== "") {
      const body = this.#read("simulate_index_template", text);
      const isMatch = body.index_patterns.some((pattern) => matches(pattern, index));
      return isMatch ? this.#simulated(body, []) : ok({});
    }
    const [first, ...others] = this.#patterns.fitting(index);
    if (first === undefined) return ok({});
    return this.#simulated(this.#stored.get(first)!, others);
  }

  simulate(name: string): Reply {
    const body = this.#stored.get(name);
    if (!body) throw illegal(`unable to simulate template [${name}] that does not exist`);
    const others = this.#patterns.overlappingAny(body.index_patterns);
    return this.#simulated(body, others.filter((other) => other !== name));
  }

  #simulated(body: Body, others: string[]): Reply {
    const { settings, mappings, aliases } = composed(this.#parts(body));
    const { settings: stored } = storedPart({ settings });
    const template = {
      settings: stored,
      ...(Object.keys(mappings).length > 0 && { mappings }),
      aliases,
    };
    const overlapping = others.map((name) => {
      return { name, index_patterns: this.#stored.get(name)!.index_patterns };
    });
    return ok({ template, overlapping });
  }

  #read(name: string, text: string): Body {
    const body = readObject(text);
    const members = [...MEMBERS, "data_stream"];
    const stranger = Object.keys(body).find((key) => !members.includes(key));
    if (stranger !== undefined) throw unknownField(text, "index_template", stranger);
    if (body.index_patterns === undefined) throw illegal("Required [index_patterns]");
    const { template, priority, data_stream, composed_of, ...rest } = body;
    const patterns = [body.index_patterns as string | string[]].flat();
    if (patterns.length === 0) throw illegal("There must be at least one pattern, zero given");
    if (Number(priority ?? 0) < 0) throw invalid("index template priority must be >= 0");
    this.#checkSettings(name, template);
    if (isObject(template)) checkPart(text, template);
    return {
      ...rest,
      index_patterns: patterns,
      ...(priority !== undefined && { priority: Number(priority) }),
      ...(isObject(template) && { template: storedPart(template) }),
      // A template with a `template` says what it is composed of, even where that is nothing.
      ...((composed_of !== undefined || isObject(template)) && {
        composed_of: (composed_of ?? []) as string[],
      }),
      ...(isObject(data_stream) && {
        data_stream: { timestamp_field: { name: "@timestamp" }, ...data_stream },
      }),
    };
  }

  #checkSettings(name: string, template: unknown): void {
    const settings = indexSettings(isObject(template) ? template.settings : undefined);
    try {
      checkIndexSettings(settings, this.#dialect);
    } catch (error) {
      const unknown = error instanceof Refused &&
        /^unknown setting \[(.+?)\]/.exec(error.error.reason);
      if (!unknown || this.#dialect.settingsError === "settings_exception") throw error;
      const second = `expected [${unknown[1]}] to be private but it was not`;
      throw invalidTemplate(name, `Validation Failed: 1: ${error.error.reason};2: ${second};`);
    }
  }

  #check(name: string, body: Body): void {
    const { index_patterns: patterns, composed_of = [], priority = 0 } = body;
    if (patterns.includes("*") && !body.template) throw NULL_POINTER;
    const missing = composed_of.filter((component) => !this.components.stored.has(component));
    if (missing.length > 0) {
      throw invalidTemplate(
        name,
        `index template [${name}] specifies component templates [${
          missing.join(", ")
        }] that do not exist`,
      );
    }
    const others = this.#patterns.overlapping(priority, patterns);
    others.delete(name);
    if (others.size > 0) throw this.#conflict(name, body, [...others].sort(), priority);
    checkTemplateName(name, patterns);
    const parts = composed_of.length > 0
      ? ` with component templates [${composed_of.join(", ")}]`
      : "";
    uncomposable(
      name,
      `composable template [${name}] template after composition${parts} is invalid`,
      () => composed(this.#parts(body)),
    );
  }

  #conflict(name: string, { index_patterns }: Body, others: string[], priority: number): Refused {
    const theirs = others.map((other) => {
      return `${other} => [${this.#stored.get(other)!.index_patterns.join(", ")}]`;
    });
    return illegal(
      `index template [${name}] has index patterns [${index_patterns.join(", ")}] ` +
        `matching patterns from existing templates [${others}] with patterns (${theirs}) ` +
        `that have the same priority [${priority}], multiple index templates may not match ` +
        "during index creation, please use a different priority",
    );
  }

  #parts({ composed_of = [], template }: Body, change: Record<string, TemplatePart> = {}) {
    const parts = composed_of.map((name) =>
      change[name] ?? this.components.stored.get(name)!.template
    );
    return [...parts, ...(template ? [template] : [])];
  }

  #using(component: string): string[] {
    return [...this.#stored].filter(([, { composed_of }]) => composed_of?.includes(component))
      .map(([name]) => name);
  }

  #checkComponent(component: string, part: TemplatePart): void {
    for (const name of this.#using(component)) {
      uncomposable(
        name,
        `updating component template [${component}] results in invalid composable template ` +
          `[${name}] after templates are merged`,
        () => composed(this.#parts(this.#stored.get(name)!, { [component]: part })),
      );
    }
  }

  #forget(name: string): void {
    const { priority = 0, index_patterns = [] } = this.#stored.get(name) ?? {};
    this.#patterns.delete(priority, index_patterns, name);
    this.#stored.delete(name);
  }
}

function checkPart(text: string, template: TemplatePart): void {
  const stranger = Object.keys(template).find((name) =>
    !/^(settings|mappings|aliases)$/.test(name)
  );
  if (stranger !== undefined) {
    const { line, col } = endAt(text, "template", stranger);
    throw new Refused(400, {
      type: "x_content_parse_exception",
      reason: `[${line}:${col}] [index_template] failed to parse field [template]`,
      caused_by: unknownField(text, "template", "template", stranger).error,
    });
  }
  for (const alias of Object.keys(template.aliases ?? {})) checkAliasName(alias, new Map());
}

/** The error of both versions for a template for every index that has no `template`. */
const NULL_POINTER = new Refused(500, {
  type: "null_pointer_exception",
  reason:
    'Cannot invoke "org.opensearch.cluster.metadata.Template.settings()" because the return ' +
    'value of "org.opensearch.cluster.metadata.ComposableIndexTemplate.template()" is null',
});
