import type { Direction, JsonSchema } from "../../schema/mod.ts";
import { freeName } from "../../text/mod.ts";

/** A schema of `components`. Until all of them are known, references have a token instead of its name. */
export interface Component {
  readonly index: number;
  /** The name that it gets unless its variant for the other direction has it. */
  readonly name: string;
  /** The owner of the name in the application; absent where the library makes the name. */
  readonly label?: string;
  /** The same for the variants of one schema. */
  readonly owner: unknown;
  readonly direction?: Direction;
  json: JsonSchema;
}

type Schemas = Readonly<Record<string, JsonSchema>>;

export interface NamedSchemas {
  readonly schemas: Schemas;
  write(text: string, spell?: (name: string) => string): string;
  read<T>(text: string): T;
}

export function tokenOf(index: number): string {
  return `\u{E000}${index}\u{E001}`;
}

const TOKEN = /\u{E000}\d+\u{E001}/gu;

export function isToken(text: string): boolean {
  return text.search(TOKEN) === 0;
}

export function reference({ index }: Component): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${tokenOf(index)}` };
}

export function tokenIn({ $ref }: JsonSchema): string {
  return typeof $ref === "string" ? $ref.slice("#/components/schemas/".length) : "";
}

/**
 * Input and output of a schema are one component where they, and all that they refer to, differ at most in
 * `additionalProperties: false`. Otherwise the one that is used first has the plain name.
 *
 * @throws {SchemaNameError} when two schemas would have one name
 */
export function nameComponents(all: ReadonlyMap<string, Component>, text: string): NamedSchemas {
  const target = (token: string) => followed(all, token);
  const used = usedIn(text, target);
  const classes = classesOf(used, target);
  const names = new Map<number, string>();
  const taken = new Map<string, Component>();
  const given = used.filter(({ label }) => label).map((one) => one.name);
  const merged = new Map<string, JsonSchema>();
  for (const [number, group] of Map.groupBy(used, (one) => classes.get(one)!)) {
    const name = freeNameOf(group[0]!, taken, given);
    names.set(number, name);
    taken.set(name, group[0]!);
    const variants = group.map(({ json }) => json);
    merged.set(name, variants.reduce((known, json) => common(json, known) as JsonSchema));
  }
  const write = (text: string, spell = (name: string) => name) =>
    text.replace(TOKEN, (token) => spell(names.get(classes.get(target(token))!)!));
  const sorted = [...merged].sort(([a], [b]) => a < b ? -1 : 1)
    .map(([name, json]) => [name, JSON.parse(write(JSON.stringify(json)))]);
  const schemas = Object.fromEntries(sorted);
  const read = <T>(text: string): T =>
    JSON.parse(write(text), (_, value) => withDiscriminator(opened(value, schemas), schemas));
  return { schemas: read<Schemas>(JSON.stringify(schemas)), write, read };
}

/** Parts of an object that are closed would reject the fields of each other (JSON Schema, core, 10.3.2.3). */
function opened(json: unknown, schemas: Schemas): unknown {
  const { allOf } = Object(json);
  if (!Array.isArray(allOf)) return json;
  const parts = allOf.map((part) => {
    const { [CLOSED]: others, ...target } = schemas[tokenIn(part)] ?? Object(part);
    return others === false ? target : part;
  });
  const isClosed = parts.every((part, index) => part !== allOf[index]);
  return { ...Object(json), allOf: parts, ...(isClosed && { unevaluatedProperties: false }) };
}

/** Adds the field that tells alternatives with names apart (OpenAPI 3.1, 4.8.25). */
function withDiscriminator(json: unknown, schemas: Schemas): unknown {
  const { oneOf } = Object(json);
  if (!Array.isArray(oneOf)) return json;
  const targets = oneOf.map((one) => Object(schemas[tokenIn(one)]));
  for (const propertyName of targets[0]?.required ?? []) {
    const tags: unknown[][] = targets.map(({ properties, required = [] }) => {
      const { enum: values, ...tag } = Object(properties?.[propertyName]);
      return required.includes(propertyName) ? values ?? [tag.const] : [undefined];
    });
    const all = tags.flat();
    if (new Set(all).size < all.length || !all.every((tag) => typeof tag === "string")) continue;
    const entries = tags.flatMap((own, index) => own.map((tag) => [tag, oneOf[index].$ref]));
    return {
      ...Object(json),
      discriminator: { propertyName, mapping: Object.fromEntries(entries) },
    };
  }
  return json;
}

type Target = (token: string) => Component;

/** A schema without a name that is only a reference, such as an optional one, is what it refers to. */
function followed(all: ReadonlyMap<string, Component>, token: string): Component {
  const component = all.get(token)!;
  const { json, label } = component;
  const next = label === undefined && Object.keys(json).length === 1 ? tokenIn(json) : "";
  return all.has(next) && next !== token ? followed(all, next) : component;
}

function usedIn(text: string, target: Target): readonly Component[] {
  const used = new Set<Component>();
  const texts = [text];
  for (const one of texts) {
    for (const [token] of one.matchAll(TOKEN)) {
      const component = target(token);
      if (used.size < used.add(component).size) texts.push(JSON.stringify(component.json));
    }
  }
  return [...used].sort((a, b) => a.index - b.index);
}

/** Variants are the same until a part of them differs, so that schemas may refer to each other. */
function classesOf(used: readonly Component[], target: Target): ReadonlyMap<Component, number> {
  const owners = [...new Set(used.map(({ owner }) => owner))];
  const texts = new Map(used.map((one) => [one, comparable(one.json)]));
  let classes = new Map(used.map((one) => [one, owners.indexOf(one.owner)]));
  for (let count = -1; count < (count = new Set(classes.values()).size);) {
    const numbers = new Map<string, number>();
    classes = new Map([...texts].map(([one, text]) => {
      const written = text.replace(TOKEN, (token) => String(classes.get(target(token))));
      const key = `${classes.get(one)} ${one.name} ${written}`;
      numbers.set(key, numbers.get(key) ?? numbers.size);
      return [one, numbers.get(key)!];
    }));
  }
  return classes;
}

const CLOSED = "additionalProperties";

function comparable(json: JsonSchema): string {
  return JSON.stringify(
    json,
    (key, value) => key === CLOSED && value === false ? undefined : value,
  );
}

/** The members that two {@linkcode comparable} schemas share. */
function common(one: unknown, other: unknown): unknown {
  if (typeof one !== "object" || one === null) return one;
  const theirs = other as JsonSchema;
  if (Array.isArray(one)) return one.map((item, index) => common(item, theirs[index]));
  const entries = Object.entries(one)
    .filter(([key, value]) => key !== CLOSED || value !== false || theirs[key] === false);
  return Object.fromEntries(entries.map(([key, value]) => [key, common(value, theirs[key])]));
}

/** A name that the library has made gives way to those of the application. */
function freeNameOf(
  component: Component,
  taken: ReadonlyMap<string, Component>,
  given: readonly string[],
): string {
  const { name, label, owner, direction } = component;
  const isVariantOf = (one?: Component) => one?.owner === owner && one?.direction !== direction;
  const twin = label &&
    [...taken.values()].find((one) => one.label && one.name === name && !isVariantOf(one));
  if (twin) {
    throw new SchemaNameError(
      `Cannot describe ${label} as '${name}': ${twin.label} has that name already, expected unique names`,
      name,
    );
  }
  const valid = validName(name);
  const isVariant = isVariantOf(taken.get(valid));
  const free = isVariant ? `${valid}${direction === "output" ? "Output" : "Input"}` : valid;
  const isMade = label === undefined || free !== name;
  return freeName(free, new Set([...taken.keys(), ...isMade ? given : []]));
}

/** The name with the characters that components allow (OpenAPI 3.1, 4.8.7.1). */
export function validName(name: string): string {
  return name.replace(/[^\w.-]/g, "_");
}

/** Thrown when two schemas of a document would have one name. */
export class SchemaNameError extends Error {
  override readonly name = "SchemaNameError";

  constructor(
    message: string,
    readonly schemaName: string,
  ) {
    super(message);
  }
}
