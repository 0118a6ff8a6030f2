import { listed, nearest, printable } from "../../text/mod.ts";
import type { FileProblem } from "../../migrations/runner/mod.ts";
import { endingOf } from "../../migrations/search/files/conventions.ts";
import { type JsonFile, misspeltKey } from "../../migrations/search/files/json_file.ts";
import { type JsonMember, jsonOf, type JsonValue } from "../../migrations/search/json/json.ts";
import { isSecretMember } from "../../migrations/search/json/secret_members.ts";

type JsonSchemas = Readonly<Record<string, object>>;

/**
 * The parts of a file that do not fit its schema: warnings, because the cluster knows better.
 * @param definitions those of `search.schema.json`
 */
export function schemaWarnings(
  json: JsonFile,
  definitions: JsonSchemas,
): readonly FileProblem[] {
  const schema = definitions[`file.${endingOf(json.path) ?? "other"}`];
  if (schema === undefined) return [];
  return misfitsIn(json.text, schema, definitions)
    .map(({ offset, message }) => json.problem("warning", offset, message));
}

/** JSON Schema of draft 7, with the keywords that `deno task schemas` writes. */
interface Schema {
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

interface Misfit {
  readonly offset: number;
  readonly message: string;
}

/**
 * Where a JSON object does not fit a schema, one misfit for each place. Beyond the standard, a key of an open object that
 * resembles a known one is a misfit.
 * @param definitions what `#/definitions/` refers to
 */
export function misfitsIn(text: string, schema: Schema, definitions: Schemas): readonly Misfit[] {
  const check = new Check(definitions);
  check.value({ value: jsonOf(text), name: "", level: 0 }, schema);
  const meant = new Set(check.found.map(({ meant }) => meant));
  const found = new Map<number, Misfit>();
  for (const { offset, message, missing } of check.found) {
    // A misspelt key is not missing, too.
    const isKnown = missing !== undefined && meant.has(missing);
    if (!isKnown && !found.has(offset)) found.set(offset, { offset, message });
  }
  return [...found.values()].sort((a, b) => a.offset - b.offset);
}

/** With the object and the key that a misspelt one may mean, or that is missing. */
interface KeyMisfit extends Misfit {
  readonly meant?: string;
  readonly missing?: string;
}

interface CheckedValue {
  readonly value: JsonValue;
  readonly name: string;
  readonly level: number;
}

/** Clusters refuse mappings of more than 20 levels of fields. */
const MAX_LEVELS = 200;

class Check {
  readonly found: KeyMisfit[] = [];
  readonly #members = new Map<number, readonly JsonMember[]>();
  #forms = 0;

  constructor(readonly definitions: Schemas) {}

  value(place: CheckedValue, schema: Schema): void {
    const { value, level } = place;
    const { kind, offset } = value;
    if (schema.$ref !== undefined) return this.value(place, this.#resolved(schema));
    const problem = valueProblem(place, schema);
    if (problem !== undefined) return void this.found.push({ offset, message: problem });
    if (level > MAX_LEVELS) return;
    if (kind === "object") this.#object(place, schema);
    if (kind === "array" && schema.items) {
      for (const value of place.value.elements) {
        this.value({ ...place, value, level: level + 1 }, schema.items);
      }
    }
    // Beside examples there are only patterns of misspelt ones.
    if (!schema.examples) this.#parts(place, schema);
  }

  #parts(place: CheckedValue, schema: Schema): void {
    const { allOf = [], anyOf, not, if: condition, errorMessage } = schema;
    const { value } = place;
    for (const one of allOf) {
      const isOther = one.if && !one.else && !this.#holds(value, one.if);
      if (!isOther) this.value(place, one);
    }
    if (anyOf) this.#anyOf(place, anyOf, errorMessage);
    if (not && this.#holds(value, not)) {
      this.found.push({ offset: value.offset, message: errorMessage ?? "Unexpected" });
    }
    const branch = condition && (this.#holds(value, condition) ? schema.then : schema.else);
    if (branch) this.value(place, branch);
  }

  #resolved(schema: Schema): Schema {
    const { $ref } = schema;
    return $ref === undefined ? schema : this.definitions[$ref.replace("#/definitions/", "")] ?? {};
  }

  /** Whether a condition holds. Fields have dozens of them, so that it looks at nothing else. */
  #holds(value: JsonValue, condition: Schema): boolean {
    const { required = [], properties = {}, anyOf, not } = condition;
    if (!isFitting(value, condition)) return false;
    if (anyOf && !anyOf.some((one) => this.#holds(value, one))) return false;
    if (not && this.#holds(value, not)) return false;
    if (value.kind !== "object") return true;
    const members = this.#membersOf(value);
    return required.every((name) => members.some((member) => member.name === name)) &&
      members.every(({ name, value }) =>
        !Object.hasOwn(properties, name) || this.#holds(value, properties[name]!)
      );
  }

  /** Among several forms, the one for the kind of the value tells what is wrong. */
  #anyOf(place: CheckedValue, forms: readonly Schema[], message: string | undefined): void {
    const { kind, offset } = place.value;
    const isFor = (form: Schema) => [this.#resolved(form).type ?? kind].flat().includes(kind);
    const fitting = forms.find((form) => this.#fits(place, form));
    if (fitting === undefined && message !== undefined) this.found.push({ offset, message });
    else this.value(place, fitting ?? forms.find(isFor) ?? forms[0]!);
  }

  /** By the standard alone. */
  #fits(place: CheckedValue, schema: Schema): boolean {
    const before = this.found.length;
    this.#forms++;
    this.value(place, schema);
    this.#forms--;
    return this.found.splice(before).length === 0;
  }

  #object({ value: { offset: object }, value, level }: CheckedValue, schema: Schema): void {
    const { properties = {}, required = [] } = schema;
    const members = this.#membersOf(value);
    const given = new Set(members.map(({ name }) => name));
    for (const { name, offset, value } of members) {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const [near] = known || this.#forms > 0
        ? []
        : nearest(name, Object.keys(properties).filter((key) => !given.has(key)));
      const place = { value, name, level: level + 1 };
      if (near !== undefined) {
        this.found.push({ offset, message: misspeltKey(name, near), meant: `${object} ${near}` });
      } else if (known) this.value(place, known);
      else this.#additional(place, offset, schema);
    }
    for (const name of new Set(required).difference(given)) {
      this.found.push({
        offset: object,
        message: `'${name}' is missing`,
        missing: `${object} ${name}`,
      });
    }
  }

  #additional(
    place: CheckedValue,
    offset: number,
    { properties = {}, patternProperties = {}, additionalProperties: others = true }: Schema,
  ): void {
    const matching = Object.entries(patternProperties)
      .filter(([pattern]) => new RegExp(pattern, "u").test(place.name));
    for (const [, schema] of matching) this.value(place, schema);
    if (matching.length > 0 || others === true) return;
    if (others !== false) return this.value(place, others);
    const names = Object.keys(properties);
    const expected = names.length > 0 && names.length <= MAX_NAMES
      ? `: expected ${listed(names.map((name) => `'${name}'`), "or")}`
      : "";
    this.found.push({ offset, message: `Unknown key '${printable(place.name)}'${expected}` });
  }

  /** Conditions look at the same objects again and again. */
  #membersOf(value: JsonValue): readonly JsonMember[] {
    const found = this.#members.get(value.offset) ?? value.members;
    this.#members.set(value.offset, found);
    return found;
  }
}

const MAX_NAMES = 12;

/** The problem of a value itself, whatever it contains. */
function valueProblem({ value, name }: CheckedValue, schema: Schema): string | undefined {
  const near = meantWord(value, schema.examples ?? []);
  if (near !== undefined) return `Unknown value ${foundOf(value, name)}: did you mean '${near}'?`;
  if (isFitting(value, schema)) return undefined;
  const { patternErrorMessage = `Expected ${nounsOf(schema)}` } = schema;
  return `${patternErrorMessage}, found ${foundOf(value, name)}`;
}

function isFitting(value: JsonValue, schema: Schema): boolean {
  const { type, enum: words, pattern, minimum = -Infinity, maximum = Infinity } = schema;
  const { kind } = value;
  const isKind = (one: string) =>
    one === kind || (one === "integer" && Number.isInteger(value.data));
  if (type !== undefined && ![type].flat().some(isKind)) return false;
  if (words && !words.includes(value.data)) return false;
  if (kind === "number") return Number(value.data) >= minimum && Number(value.data) <= maximum;
  return kind !== "string" || pattern === undefined ||
    new RegExp(pattern, "u").test(String(value.data));
}

function meantWord(value: JsonValue, words: readonly unknown[]): string | undefined {
  if (value.kind !== "string" || words.length === 0) return undefined;
  const word = String(value.data).toLowerCase();
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

function foundOf({ kind, source, data }: JsonValue, name: string): string {
  if (kind === "object" || kind === "array") return NOUNS[kind]!;
  if (isSecretMember(name)) return "another value";
  if (kind !== "string") return source.slice(0, MAX_SHOWN);
  return `'${printable(String(data).slice(0, MAX_SHOWN))}'`;
}

const MAX_SHOWN = 60;
