import type { Migration } from "../../migrations/runner/mod.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { matcherOf } from "../../migrations/search/cluster/request.ts";
import { field, isObject, type Json, objectOf } from "../../migrations/search/json/json_values.ts";
import { flatSettings, indexForm } from "../../migrations/search/kinds/indices.ts";
import { resourceOf } from "../../migrations/search/kinds/resource.ts";
import {
  claimOf,
  COMPONENT_TEMPLATES,
  INDEX_TEMPLATES,
} from "../../migrations/search/kinds/templates.ts";
import { searchMigrations } from "../../migrations/search/offers.ts";
import type { SearchMigration } from "../../migrations/search/types.ts";
import { expectAnswer } from "../live_indices/expect.ts";
import { listOfAll, readSeries, type Series } from "./series.ts";

const KINDS = [INDEX_TEMPLATES, COMPONENT_TEMPLATES];

/** A POST is not sent again after an interruption, so nothing could go on after it; a deletion defines nothing. */
export function templatesIn(migrations: readonly Migration[]) {
  const all = searchMigrations(migrations).filter(({ request }) => {
    const { kind, effect } = resourceOf(request) ?? {};
    return effect === "whole" && KINDS.some((one) => one === kind);
  });
  const posted = all.filter(({ repeatSafe }) => !repeatSafe);
  return { followed: all.filter(({ repeatSafe }) => repeatSafe), posted };
}

export function keyOf({ request }: SearchMigration): string {
  return resourceOf(request)!.key;
}

/** No index has this name, and of all templates only the simulated one matches it. */
const NEXT = ".irori-next-index";

/** The series of a cluster, and its index templates and component templates by the keys of their resources. */
export class Templates {
  readonly #expected = new Map<string, Promise<Json>>();

  private constructor(
    readonly cluster: Cluster,
    readonly series: readonly Series[],
    private readonly bodies: ReadonlyMap<string, unknown>,
    private readonly unwritten: readonly string[],
  ) {}

  static async read(cluster: Cluster): Promise<Templates> {
    const bodies = new Map<string, unknown>();
    for (const { noun } of KINDS) {
      const all = await listOfAll(cluster, `/_${noun}`, `${noun}s`);
      for (const one of all) bodies.set(`${noun} ${one.name}`, one[noun]);
    }
    return new Templates(cluster, await readSeries(cluster), bodies, []);
  }

  /** The templates as they are once these files are applied, and those of all that bring something new. */
  with(files: readonly SearchMigration[], all: readonly SearchMigration[]): Templates {
    const written = all.filter((one) => files.includes(one) || !this.bodies.has(keyOf(one)));
    const bodies = new Map(this.bodies);
    for (const one of written) bodies.set(keyOf(one), resourceOf(one.request)!.body);
    return new Templates(this.cluster, this.series, bodies, written.map(keyOf));
  }

  /** The keys of what defines an index or data stream of this name: a template, and its components in order. */
  keysOf(name: string): readonly string[] {
    const [first] = [...this.bodies].map(([key, body]) => ({ key, body, ...claimOf(body) }))
      .filter(({ patterns }) => patterns.some((pattern) => matcherOf(pattern).test(name)))
      .toSorted((a, b) => b.priority - a.priority);
    if (first === undefined) return [];
    const parts = [field(first.body, "composed_of") ?? []].flat();
    return [first.key, ...parts.map((part) => `${COMPONENT_TEMPLATES.noun} ${part}`)];
  }

  /** The definition of a new index. @throws {AnswerError} when the cluster rejects the template */
  expected(keys: readonly string[]): Promise<Json> {
    const known = this.#expected.get(keys[0]!) ?? this.#simulate(keys);
    this.#expected.set(keys[0]!, known);
    return known;
  }

  /** The cluster composes the components that it has; one that is not written yet is merged here, with those over it. */
  async #simulate([template = "", ...parts]: readonly string[]): Promise<Json> {
    const known = parts.findIndex((part) => this.unwritten.includes(part));
    const rest = known < 0 ? [] : parts.splice(known);
    const all = [...rest, template].map((key) => objectOf(field(this.bodies.get(key), "template")));
    const body = JSON.stringify({
      index_patterns: [NEXT],
      priority: Number.MAX_SAFE_INTEGER,
      composed_of: parts.map((key) => key.slice(COMPONENT_TEMPLATES.noun.length + 1)),
      template: all.reduce((under, over) => merged(flat(under), flat(over))),
    });
    const path = `/_index_template/_simulate_index/${NEXT}`;
    const { json } = await expectAnswer(this.cluster, { method: "POST", path, body });
    return objectOf(field(json, "template"));
  }
}

/** With settings by whole names, and fields below their objects. */
function flat(template: Json): Json {
  return { ...indexForm(template), settings: flatSettings(objectOf(template.settings)) };
}

/** A field that is defined again is replaced as a whole; objects are merged. */
function merged(under: Json, over: Json): Json {
  const isTree = (part: unknown): part is Json =>
    isObject(part) && (typeof part.type !== "string" || ["object", "nested"].includes(part.type));
  const parts = Object.entries(over).map(([name, part]) => {
    const below = under[name];
    // The cluster merges these by their names.
    if (name === "dynamic_templates") {
      const named = Object.assign({}, ...[below ?? [], part].flat());
      return [name, Object.entries(named).map((one) => Object.fromEntries([one]))];
    }
    return [name, isTree(part) && isTree(below) ? merged(below, part) : part];
  });
  return { ...under, ...Object.fromEntries(parts) };
}
