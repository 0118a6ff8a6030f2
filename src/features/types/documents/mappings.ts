import { overlap } from "../../../migrations/search/guards/overlap.ts";
import {
  field,
  isObject,
  type Json,
  listOf,
  mapValues,
  objectOf,
  stringOf,
} from "../../../migrations/search/json/json_values.ts";
import { INDICES, MAPPINGS } from "../../../migrations/search/kinds/indices.ts";
import { resourceOf } from "../../../migrations/search/kinds/resource.ts";
import {
  claimOf,
  COMPONENT_TEMPLATES,
  INDEX_TEMPLATES,
} from "../../../migrations/search/kinds/templates.ts";
import type { SearchMigration } from "../../../migrations/search/types.ts";

/** The mapping in files of the documents of one index, or of the indices of one template. */
export interface DocumentMapping {
  readonly name: string;
  readonly noun: "index" | "index template";
  readonly path: string;
  readonly mapping: Json;
  /** Component templates that no file here makes: they may add fields. */
  readonly unknown: readonly string[];
  /** The time of documents of a data stream, which the cluster requires. */
  readonly required?: string;
}

interface Definition {
  readonly path: string;
  readonly body: unknown;
  readonly mapping: Json;
}

/** In the order of the files. An index has the fields of the template that it matches, a template those of its components. */
export function documentMappings(
  migrations: readonly SearchMigration[],
): readonly DocumentMapping[] {
  const { indices, templates, components } = definitionsIn(migrations);
  const composed = new Map([...templates].map(([name, template]) => {
    return [name, compose(template, components)] as const;
  }));
  const ofIndices = [...indices].map(([name, { path, mapping }]) => {
    const template = templateFor(name, templates);
    const { mapping: base, unknown } = composed.get(`${template}`) ?? { mapping: {}, unknown: [] };
    return { name, noun: "index", path, mapping: mergeFields(base, mapping), unknown } as const;
  });
  const ofTemplates = [...templates].map(([name, { path }]) => {
    return { name, noun: "index template", path, ...composed.get(name)! } as const;
  });
  return [...ofIndices, ...ofTemplates];
}

function definitionsIn(migrations: readonly SearchMigration[]) {
  const indices = new Map<string, Definition>();
  const templates = new Map<string, Definition>();
  const components = new Map<string, Definition>();
  const places = new Map([
    [INDICES, indices],
    [MAPPINGS, indices],
    [INDEX_TEMPLATES, templates],
    [COMPONENT_TEMPLATES, components],
  ]);
  for (const { request, file: { path } } of migrations) {
    const resource = resourceOf(request);
    const place = resource && places.get(resource.kind);
    if (place === undefined) continue;
    const { kind, name, effect, body } = resource!;
    if (effect === "gone") place.delete(name);
    else if (effect === "whole") {
      place.set(name, { path, body, mapping: nested(field(body, "template", "mappings")) });
    } else {
      const before = place.get(name);
      const mapping = nested(kind === MAPPINGS ? body : field(body, "mappings"));
      const all = before ? mergeFields(before.mapping, mapping) : mapping;
      place.set(name, { path: before?.path ?? path, body, mapping: all });
    }
  }
  return { indices, templates, components };
}

function compose(
  { body, mapping }: Definition,
  components: ReadonlyMap<string, Definition>,
): Pick<DocumentMapping, "mapping" | "unknown" | "required"> {
  const names = listOf(field(body, "composed_of")).map(String);
  const parts = [...names.map((name) => components.get(name)?.mapping ?? {}), mapping];
  const unknown = names.filter((name) => !components.has(name));
  const stream = field(body, "data_stream");
  if (stream === undefined) return { mapping: parts.reduce(mergeFields, {}), unknown };
  const required = stringOf(field(stream, "timestamp_field", "name")) ?? "@timestamp";
  const base = { properties: { [required]: { type: "date" } } };
  return { mapping: parts.reduce(mergeFields, base), unknown, required };
}

/** The template of the highest priority counts for a new index, unless it is for data streams. */
function templateFor(
  index: string,
  templates: ReadonlyMap<string, Definition>,
): string | undefined {
  const matching = [...templates].filter(([, { body }]) =>
    field(body, "data_stream") === undefined &&
    claimOf(body).patterns.some((one) => overlap(one, index))
  );
  const priorityOf = ([, { body }]: (typeof matching)[number]) => claimOf(body).priority;
  return matching.toSorted((a, b) => priorityOf(b) - priorityOf(a))[0]?.[0];
}

/** A mapping in which `a.b` is the field `b` of the object `a`, unless its object has no objects. */
function nested(mapping: unknown): Json {
  const { properties, ...parameters } = objectOf(mapping);
  const isFlat = `${parameters.subobjects}` === "false";
  const parts = Object.entries(objectOf(properties)).map(([path, value]) => {
    const names = isFlat ? [path] : path.split(".");
    return names.reduceRight<Json>(
      (inner, name) => ({ properties: { [name]: inner } }),
      nested(value),
    );
  });
  return parts.reduce(mergeFields, parameters);
}

/** Fields of objects are united; any other field counts as the later mapping has it. */
function mergeFields(base: Json, over: Json): Json {
  const before = objectOf(base.properties);
  const after = mapValues(objectOf(over.properties), (value, name) => {
    const [one, other] = [objectOf(field(before, name)), objectOf(value)];
    const both = [one, other];
    const areObjects = both.every(({ type = "object" }) => type === "object" || type === "nested");
    return areObjects && both.some(({ properties }) => isObject(properties))
      ? mergeFields(one, other)
      : other;
  });
  return { ...base, ...over, properties: { ...before, ...after } };
}
