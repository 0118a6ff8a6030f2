import {
  isRecord,
  mergeForms,
  type Schema,
  type SchemaForm,
  type TypeName,
} from "../contract/reader.ts";
import { patternOf } from "../../text/mod.ts";
import type { Random } from "./random.ts";
import type { SchemaChecks } from "./schema_checks.ts";

export type GivenValues = Readonly<Record<string, readonly unknown[]>>;

export class Samples {
  /** Whether the schema describes the value completely, so that the operation has to accept it. */
  #isCertain = true;
  #isWhole = false;

  constructor(
    readonly checks: SchemaChecks,
    readonly random: Random,
    readonly given: GivenValues = {},
  ) {}

  async of(
    schema: Schema,
    name = "",
    refine: (value: unknown) => boolean = () => true,
    isWhole = false,
  ) {
    this.#isWhole = isWhole;
    for (let attempt = 0; attempt < 25; attempt++) {
      this.#isCertain = true;
      const value = await this.#make(schema, name, 0).catch(unlessImpossible);
      const isValid = value !== undefined && this.#fits(schema, value) && refine(value);
      if (isValid) return { value, isCertain: this.#isCertain };
    }
  }

  #fits(schema: Schema, value: unknown): boolean {
    return this.checks.fits(schema, withoutFiles(value));
  }

  #isFile(schema: Schema): boolean {
    const { formats, types } = this.checks.reader.form(schema);
    return formats.includes("binary") || types.size === 7;
  }

  async #make(schema: Schema, name: string, depth: number): Promise<unknown> {
    const { random } = this;
    // A given value that does not fit is for another operation with the same name.
    const given = this.given[name]?.filter((value) =>
      this.#fits(schema, value) && (!(value instanceof Blob) || this.#isFile(schema))
    );
    // Other values are used at times, as missing entities have responses too.
    if (given && given.length > 0 && (depth > 0 || !random.chance(0.2))) return random.pick(given);
    const examples = isRecord(schema) && Array.isArray(schema.examples) ? schema.examples : [];
    if (examples.length > 0 && random.chance(0.5)) return random.pick(examples);
    let form = this.checks.reader.form(schema);
    while (form.groups.length > 0) {
      const [group, ...groups] = form.groups;
      const rest = { ...form, groups };
      const alternatives = group!.of.map((one) => mergeForms(rest, this.checks.reader.form(one)))
        .filter(({ types }) => types.size > 0);
      if (alternatives.length === 0) throw new Impossible();
      form = random.pick(depth > DEPTH ? alternatives.slice(-1) : alternatives);
    }
    return await this.#ofForm(form, examples, depth);
  }

  async #ofForm(form: SchemaForm, examples: readonly unknown[], depth: number): Promise<unknown> {
    const { random } = this;
    if (form.types.size === 0 || form.values?.length === 0) throw new Impossible();
    if (form.values) return random.pick(form.values);
    if (form.types.size === 7) {
      this.#isCertain = false; // The schema accepts any value.
      return random.pick(["text", "1"]);
    }
    const types = [...form.types].filter((type) => depth <= DEPTH || !/object|array/.test(type));
    const type: TypeName = random.pick(types.length > 0 ? types : [...form.types]);
    if (type === "null") return null;
    if (type === "boolean") return random.chance(0.5);
    if (type === "string") return await text(form, examples, random);
    if (type === "array") return await this.#array(form, depth);
    return type === "object" ? await this.#object(form, depth) : number(form, type, random);
  }

  async #array(form: SchemaForm, depth: number): Promise<unknown[]> {
    const least = form.limits.get("minItems") ?? 0;
    const most = Math.min(form.limits.get("maxItems") ?? Infinity, least + (depth > DEPTH ? 0 : 3));
    const fewest = this.#isWhole ? Math.max(least, Math.min(1, most)) : least;
    const length = this.random.integer(fewest, most);
    const items: unknown[] = [];
    for (let index = 0; index < length; index++) {
      items.push(await this.#make(form.prefix[index] ?? form.items, "", depth + 1));
    }
    if (!form.unique) return items;
    return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
  }

  async #object(form: SchemaForm, depth: number): Promise<Record<string, unknown>> {
    const names = new Set([...form.required, ...form.properties.keys()]);
    const made: [string, unknown][] = [];
    for (const name of names) {
      const schema = form.properties.get(name) ?? form.additional;
      const isChosen = (this.#isWhole && depth <= WHOLE) || !this.random.chance(0.4);
      const isLeftOut = schema === false || depth > DEPTH || !isChosen;
      if (!form.required.has(name) && isLeftOut) continue;
      made.push([name, await this.#make(schema, name, depth + 1)]);
    }
    return Object.fromEntries(made);
  }
}

function withoutFiles(value: unknown): unknown {
  if (value instanceof Blob) return "~".repeat(value.size);
  if (Array.isArray(value)) return value.map(withoutFiles);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withoutFiles(inner)]),
  );
}

class Impossible {}

function unlessImpossible(reason: unknown): undefined {
  if (!(reason instanceof Impossible)) throw reason;
}

/** Below this depth only required parts are made, below the other one also optional ones are random. */
const DEPTH = 4;
const WHOLE = 2;

function number(
  { limits, multiples }: SchemaForm,
  type: "integer" | "fraction",
  random: Random,
): number {
  const limit = (keyword: string, other: number) => limits.get(keyword) ?? other;
  const step = multiples[0] ?? (type === "integer" ? 1 : 0.25);
  const least = Math.max(limit("minimum", -Infinity), limit("exclusiveMinimum", -Infinity) + step);
  const most = Math.min(limit("maximum", Infinity), limit("exclusiveMaximum", Infinity) - step);
  const low = Number.isFinite(least) ? least : Math.min(most, 0) - 100;
  const high = Number.isFinite(most) ? most : Math.max(least, 0) + 100;
  if (random.chance(0.3)) return rounded(random.chance(0.5) ? low : high, step, low);
  const near = random.integer(Math.max(low, -50), Math.min(high, 50));
  return rounded(Math.min(high, Math.max(low, near)), step, low);
}

function rounded(value: number, step: number, least: number): number {
  const multiple = Math.round(value / step) * step;
  return multiple < least ? multiple + step : multiple;
}

async function text(
  form: SchemaForm,
  examples: readonly unknown[],
  random: Random,
): Promise<string> {
  const { limits, patterns, formats } = form;
  const least = limits.get("minLength") ?? 0;
  const most = Math.min(limits.get("maxLength") ?? Infinity, Math.max(least, 12));
  const byFormat = formats.flatMap((format) => FORMATS[format] ?? []);
  if (patterns.length === 0) {
    if (byFormat.length > 0) return random.pick(byFormat);
    const bound = random.chance(0.2) ? limits.get("maxLength") : undefined;
    return random.text(bound ?? random.integer(Math.max(least, Math.min(1, most)), most));
  }
  const expressions = patterns.map(patternOf);
  const known = [...examples.filter((one) => typeof one === "string"), ...byFormat, ...WORDS];
  const fitting = known.filter((word) =>
    word.length >= least && word.length <= (limits.get("maxLength") ?? Infinity) &&
    expressions.every((expression) => expression?.test(word))
  );
  if (fitting.length > 0) return random.pick(fitting);
  return await matching(expressions[0], random);
}

async function matching(expression: RegExp | undefined, random: Random): Promise<string> {
  if (expression === undefined) return "";
  const seed = random.integer(0, 2 ** 30);
  try {
    const { sample, stringMatching } = await import("fast-check");
    const [made = ""] = sample(stringMatching(expression), { seed, numRuns: 1 });
    return made;
  } catch {
    return "";
  }
}

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  date: ["2026-11-21", "2024-02-29"],
  "date-time": ["2026-11-21T10:30:00Z", "2026-11-21T10:30:00.125+02:00"],
  time: ["10:30:00Z", "23:59:59+01:00"],
  duration: ["P1D", "PT5M"],
  email: ["ada@example.com", "grace.hopper@example.org"],
  uuid: ["3f2504e0-4f89-41d3-9a0c-0305e82c3301", "9b2e6f1c-8d4a-4c3b-b1a2-0c9d8e7f6a5b"],
  uri: ["https://example.com/a", "urn:example:b"],
  "uri-reference": ["/a", "https://example.com/b"],
  hostname: ["example.com", "localhost"],
  ipv4: ["192.0.2.1", "198.51.100.7"],
  ipv6: ["2001:db8::1", "::1"],
};

const WORDS = [
  ...Object.values(FORMATS).flat(),
  ...["1", "42", "2026", "a", "abc", "Abc", "ABC", "abc-def", "a1", "0a1b2c", "EUR", "en", "en-GB"],
  ...["0.5", "+491701234567", "A-1", "#00ff7f", "1.2.3", "abcdefgh", "ABCDEFGH", "12345678"],
];
