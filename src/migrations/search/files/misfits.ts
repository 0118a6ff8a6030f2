import { listed, nearest, printable } from "../../../text/mod.ts";
import type { FileProblem, JsonSchemas, LoadedFile } from "../../runner/mod.ts";
import { endingOf } from "./classify.ts";
import { filledFile } from "./placeholders.ts";
import {
  elementsOf,
  FileText,
  type JsonMember,
  type JsonValue,
  membersOf,
  misspeltKey,
} from "../json/json.ts";
import { isSecretMember } from "../json/secret_members.ts";
import type { Placeholders } from "../types.ts";

/**
 * What does not fit the schema of a file: warnings, because the cluster knows better.
 * @param definitions those of `search.schema.json`
 */
export function schemaWarnings(
  file: LoadedFile,
  definitions: JsonSchemas,
  placeholders: Placeholders,
): readonly FileProblem[] {
  const source = new FileText(filledFile(file, placeholders));
  const schema = definitions[`file.${endingOf(file.path) ?? "other"}`]!;
  return misfitsIn(source.text, schema, definitions)
    .map(({ offset, message }) => source.problem("warning", offset, message));
}

/** JSON Schema of draft 7, with the keywords that `deno task schemas` writes. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  /** As editors have it: what was expected, as a sentence without its final period. */
  readonly patternErrorMessage?: string;
  readonly errorMessage?: string;
  /** Usual values: a similar one is probably a misspelt one. */
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Schemas;
  readonly patternProperties?: Schemas;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly not?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
}

export type Schemas = Readonly<Record<string, Schema>>;

export interface Misfit {
  readonly offset: number;
  readonly message: string;
}

/**
 * Where a JSON object does not fit a schema, one misfit for each place. Beyond the standard, a key of an open object that
 * resembles a known one is a misfit.
 * @param definitions what `#/definitions/` refers to
 */
export function misfitsIn(text: string, schema: Schema, definitions: Schemas): readonly Misfit[] {
  const offset = text.indexOf("{");
  const root = { kind: "object", offset, source: text, data: undefined } as const;
  const all = [...new Check(text, definitions).of({ value: root, name: "" }, schema)];
  const meant = new Set(all.map(({ meant }) => meant));
  const found = new Map<number, Misfit>();
  for (const { offset, message, missing } of all) {
    // A misspelt key is not missing, too.
    const isKnown = missing !== undefined && meant.has(missing);
    if (!isKnown && !found.has(offset)) found.set(offset, { offset, message });
  }
  return [...found.values()].sort((a, b) => a.offset - b.offset);
}

/** With the object and the key that a misspelt one may mean, or that is missing. */
interface Found extends Misfit {
  readonly meant?: string;
  readonly missing?: string;
}

interface Place {
  readonly value: JsonValue;
  /** Of the member that it is in. */
  readonly name: string;
}

class Check {
  readonly #members = new Map<number, readonly JsonMember[]>();

  constructor(readonly text: string, readonly definitions: Schemas) {}

  *of(place: Place, schema: Schema): Iterable<Found> {
    const { $ref, allOf = [], anyOf, not, if: condition, errorMessage = "Unexpected" } = schema;
    if ($ref !== undefined) {
      yield* this.of(place, this.definitions[$ref.replace("#/definitions/", "")] ?? {});
      return;
    }
    const problem = problemOf(place, schema);
    if (problem !== undefined) {
      yield { offset: place.value.offset, message: problem };
      return;
    }
    if (place.value.kind === "object") yield* this.#object(place.value, schema);
    if (place.value.kind === "array" && schema.items) {
      const { items } = schema;
      for (const value of elementsOf(this.text, place.value)) {
        yield* this.of({ ...place, value }, items);
      }
    }
    for (const one of allOf) yield* this.of(place, one);
    if (anyOf) yield* this.#anyOf(place, anyOf, schema.errorMessage);
    if (not && this.#fits(place, not)) yield { offset: place.value.offset, message: errorMessage };
    const branch = condition && (this.#fits(place, condition) ? schema.then : schema.else);
    if (branch) yield* this.of(place, branch);
  }

  #fits(place: Place, schema: Schema): boolean {
    for (const _ of this.of(place, schema)) return false;
    return true;
  }

  /** Of several forms the one for the kind of the value tells what is wrong. */
  *#anyOf(place: Place, forms: readonly Schema[], message: string | undefined): Iterable<Found> {
    if (forms.some((form) => this.#fits(place, form))) return;
    if (message !== undefined) {
      yield { offset: place.value.offset, message };
      return;
    }
    const { kind } = place.value;
    const isFor = (form: Schema) => [this.#resolved(form).type ?? kind].flat().includes(kind);
    yield* this.of(place, forms.find(isFor) ?? forms[0]!);
  }

  #resolved(schema: Schema): Schema {
    const { $ref } = schema;
    return $ref === undefined ? schema : this.definitions[$ref.replace("#/definitions/", "")] ?? {};
  }

  *#object(value: JsonValue, schema: Schema): Iterable<Found> {
    const { properties = {}, patternProperties = {}, required = [] } = schema;
    const members = this.#membersOf(value);
    const object = value.offset;
    const given = new Set(members.map(({ name }) => name));
    for (const { name, offset, value } of members) {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const [near] = known
        ? []
        : nearest(name, Object.keys(properties).filter((key) => !given.has(key)));
      if (near !== undefined) {
        const meant = `${object} ${near}`;
        yield { offset, message: misspeltKey(name, near), meant };
      } else if (known) yield* this.of({ value, name }, known);
      else yield* this.#additional({ value, name }, offset, schema, patternProperties);
    }
    for (const name of required) {
      if (given.has(name)) continue;
      yield { offset: object, message: `'${name}' is missing`, missing: `${object} ${name}` };
    }
  }

  *#additional(
    place: Place,
    offset: number,
    { properties = {}, additionalProperties: others = true }: Schema,
    patterns: Schemas,
  ): Iterable<Found> {
    const matching = Object.entries(patterns).filter(([pattern]) =>
      regexOf(pattern).test(place.name)
    );
    if (matching.length > 0) {
      for (const [, schema] of matching) yield* this.of(place, schema);
    } else if (others === false) {
      const names = Object.keys(properties);
      const expected = names.length > 0 && names.length <= MAX_NAMES
        ? `: expected ${listed(names.map((name) => `'${name}'`), "or")}`
        : "";
      yield { offset, message: `Unknown key '${printable(place.name)}'${expected}` };
    } else if (others !== true) yield* this.of(place, others);
  }

  /** Conditions look at the same objects again and again. */
  #membersOf(value: JsonValue): readonly JsonMember[] {
    const found = this.#members.get(value.offset) ?? membersOf(this.text, value);
    this.#members.set(value.offset, found);
    return found;
  }
}

const MAX_NAMES = 12;
const patterns = new Map<string, RegExp>();

function regexOf(pattern: string): RegExp {
  const found = patterns.get(pattern) ?? new RegExp(pattern, "u");
  patterns.set(pattern, found);
  return found;
}

/** What is wrong with a value itself, whatever it contains. */
function problemOf({ value, name }: Place, schema: Schema): string | undefined {
  const near = meantWord(value, schema.examples ?? []);
  if (near !== undefined) return `Unknown value ${foundOf(value, name)}: did you mean '${near}'?`;
  if (isFitting(value, schema)) return undefined;
  const { patternErrorMessage = `Expected ${nounsOf(schema)}` } = schema;
  return `${patternErrorMessage}, found ${foundOf(value, name)}`;
}

function isFitting({ kind, data }: JsonValue, schema: Schema): boolean {
  const { type = kind, enum: words, pattern, minimum = -Infinity, maximum = Infinity } = schema;
  const isInteger = () => type.includes("integer") && Number.isInteger(data);
  if (![type].flat().includes(kind) && !isInteger()) return false;
  if (words && !words.includes(data)) return false;
  if (kind === "string") return pattern === undefined || regexOf(pattern).test(data as string);
  return kind !== "number" || ((data as number) >= minimum && (data as number) <= maximum);
}

function meantWord({ kind, data }: JsonValue, words: readonly unknown[]): string | undefined {
  if (kind !== "string" || words.length === 0) return undefined;
  const word = (data as string).toLowerCase();
  if (words.some((one) => String(one).toLowerCase() === word)) return undefined;
  return nearest(word, words.map(String))[0];
}

const NOUNS: Readonly<Record<string, string>> = {
  array: "a list",
  object: "an object",
  string: "a string",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
};

function nounsOf({ type = [] }: Schema): string {
  const nouns = [type].flat().flatMap((type) => NOUNS[type] ?? []);
  return listed(nouns.length > 0 ? nouns : ["another value"], "or");
}

function foundOf({ kind, data }: JsonValue, name: string): string {
  if (kind === "object" || kind === "array") return NOUNS[kind]!;
  if (isSecretMember(name)) return "another value";
  return kind === "string" ? `'${printable(String(data).slice(0, MAX_SHOWN))}'` : String(data);
}

const MAX_SHOWN = 60;
