import { both, isRecord, type Schema, type SchemaForm } from "../contract/reader.ts";
import { isJson, shortened } from "../../text/mod.ts";
import type { Expectation } from "./answers.ts";
import { alternativesOf, edgesOf, HOSTILE, lengthsOf, STRANGERS } from "./edges.ts";
import type { Body, Operation, Parameter } from "./operation.ts";
import type { Samples } from "./samples.ts";
import type { SchemaChecks } from "./schema_checks.ts";

export interface Planned {
  readonly parameters: ReadonlyMap<Parameter, unknown>;
  readonly body?: { readonly type: string; readonly value: unknown; readonly isRaw?: true };
  readonly accept?: string;
  readonly about: string;
  readonly expected: Expectation;
}

export class NoSample extends Error {}

/** Plans the requests of one operation. */
export class Requests {
  constructor(
    readonly operation: Operation,
    readonly checks: SchemaChecks,
    readonly samples: Samples,
  ) {}

  /** Valid requests, and, unless `isValidOnly`, requests at the limits and invalid ones. @throws {NoSample} */
  async *all(runs: number, isValidOnly: boolean): AsyncGenerator<Planned, void, void> {
    for (let run = 0; run < (isValidOnly ? Math.min(runs, FEW) : runs); run++) {
      yield await this.#valid(run === 0);
    }
    if (isValidOnly) return;
    const base = await this.#valid(true);
    yield* this.#strangeParameters(base);
    yield* this.#strangeBodies(base);
    if (this.operation.responses[406] !== undefined) {
      const expected = { outcome: "refused", statuses: [406] } as const;
      yield { ...base, accept: UNKNOWN, about: `Accept: ${UNKNOWN}`, expected };
    }
  }

  async #valid(isWhole: boolean): Promise<Planned> {
    const { operation: { key, body }, samples } = this;
    const { parameters, isCertain } = await this.#parameters(isWhole);
    const planned = { parameters, about: "a valid request", expected: isCertain ? ACCEPTED : OPEN };
    if (!body || !(body.required || isWhole || samples.random.chance(0.7))) return planned;
    const made = await samples.of(body.schema, key, undefined, isWhole);
    if (!made) throw missing("the body", key, body.schema);
    const expected = made.isCertain && isSendable(body, made.value) ? planned.expected : OPEN;
    return { ...planned, expected, body: { type: body.type, value: made.value } };
  }

  async #parameters(isWhole: boolean) {
    const parameters = new Map<Parameter, unknown>();
    let isCertain = true;
    for (const parameter of this.operation.parameters) {
      const { name, schema, required } = parameter;
      if (!required && !isWhole && this.samples.random.chance(0.4)) continue;
      const canBe = (value: unknown) => canBeSent(parameter, value);
      const made = await this.samples.of(schema, name, canBe, isWhole);
      if (!made && required) throw missing(`${parameter.in} '${name}'`, name, schema);
      if (!made) continue;
      parameters.set(parameter, made.value);
      isCertain &&= made.isCertain && isPlain(made.value);
    }
    return { parameters, isCertain };
  }

  *#strangeParameters(base: Planned): Generator<Planned, void, void> {
    for (const parameter of this.operation.parameters) {
      const place = `${parameter.in} '${parameter.name}'`;
      const isVersion = parameter.in === "header" &&
        parameter.name === this.operation.versionHeader;
      if (parameter.required && parameter.in !== "path" && !isVersion) {
        const left = new Map(base.parameters);
        left.delete(parameter);
        yield { ...base, parameters: left, about: `without ${place}`, expected: REFUSED };
      }
      for (const [value, sent, expected] of this.#parameterEdges(parameter, base.expected)) {
        const parameters = new Map([...base.parameters, [parameter, sent]]);
        yield { ...base, parameters, about: `${place} is ${JSON.stringify(value)}`, expected };
      }
    }
  }

  *#parameterEdges(
    parameter: Parameter,
    valid: Expectation,
  ): Generator<readonly [value: unknown, sent: unknown, expected: Expectation], void, void> {
    const isPath = parameter.in === "path";
    const { reader } = this.checks;
    const choices = alternativesOf(reader.form(parameter.schema), reader);
    const list = choices.find(({ types }) => types.has("array"));
    const one = list?.items ?? parameter.schema;
    const form = reader.form(one);
    const types = alternativesOf(form, reader).map(({ types }) => types);
    if (types.length === 0 || types.some((set) => set.has("object"))) return;
    const isEmptyValid = parameter.allowEmptyValue || this.checks.fits(parameter.schema, "");
    const edges = [...edgesOf(form, reader), "", "~", "1.5", "not-one-of-them", ...HOSTILE];
    const isEmpty = (value: unknown) => value === "" && !isPath;
    const sent = edges.filter((value) => isEmpty(value) || canBeSent(parameter, value));
    for (const value of new Set(sent)) {
      const isValid = isEmpty(value) && isEmptyValid ||
        readings(value).some((reading) => this.checks.fits(one, reading));
      // Another route may match what a pattern does not; a boolean may be written as a number.
      const isUncertain = isPath && form.patterns.length > 0 ||
        value === "0" && types.some((set) => set.has("boolean"));
      const { outcome } = isValid ? valid : isUncertain ? OPEN : REFUSED;
      yield [value, list ? [value] : value, { outcome, mayMissRoute: !isValid && isPath }];
    }
  }

  async *#strangeBodies(base: Planned): AsyncGenerator<Planned, void, void> {
    const { body, responses } = this.operation;
    if (!body) return;
    if (body.required) {
      yield { ...base, body: undefined, about: "without a body", expected: REFUSED };
    }
    // Text and bytes may be accepted with any media type.
    if (body.types.every((type) => isJson(type) || /form/.test(type))) {
      const statuses = responses[415] === undefined ? {} : { statuses: [415] };
      const sent = { type: UNKNOWN, value: "~", isRaw: true } as const;
      const about = `a body of type ${UNKNOWN}`;
      yield { ...base, body: sent, about, expected: { ...REFUSED, ...statuses } };
    }
    if (!isJson(body.type)) return;
    const broken = { type: body.type, value: '{"', isRaw: true } as const;
    yield { ...base, body: broken, about: "a body that is not JSON", expected: REFUSED };
    const variants = this.#variants(body.schema, base.body?.value, "", 0);
    for await (const [value, about] of variants) {
      const isValid = this.checks.fits(body.schema, value);
      const { outcome } = base.expected;
      const expected = isValid ? { outcome } : REFUSED;
      yield { ...base, body: { type: body.type, value }, about, expected };
    }
  }

  /** The value with one change: a field, the length of a list, another value or alternative. */
  async *#variants(
    schema: Schema,
    value: unknown,
    at: string,
    depth: number,
  ): Variants {
    const { checks, checks: { reader } } = this;
    const form = reader.form(schema);
    const place = at === "" ? "the body" : at;
    if (form.types.size === 7 && form.groups.length === 0 && form.properties.size === 0) return;
    const strangers = STRANGERS.filter((stranger) => !checks.fits(schema, stranger));
    for (const edge of [...edgesOf(form, reader), ...strangers.slice(0, 5)]) {
      yield [edge, `${place} is ${short(edge)}`];
    }
    for (const one of form.groups.flatMap(({ of }) => of).slice(0, MOST_ALTERNATIVES)) {
      const made = await this.samples.of(both(schema, one), "", undefined, true);
      if (!made) continue;
      yield [made.value, `${place} is ${short(made.value)}`];
      if (isRecord(made.value) && depth < 3) {
        yield* this.#variants(one, made.value, at, depth + 1);
      }
    }
    if (depth >= 3) return;
    if (Array.isArray(value) && value.length > 0) {
      yield* this.#listVariants(form, value, at, depth);
    } else if (isRecord(value)) yield* this.#objectVariants(form, value, at, depth);
  }

  async *#listVariants(
    form: SchemaForm,
    [first, ...others]: readonly unknown[],
    at: string,
    depth: number,
  ): Variants {
    const inner = this.#variants(form.items, first, `${at}/0`, depth + 1);
    for await (const [item, about] of inner) yield [[item, ...others], about];
    const all = [first, ...others];
    for (const length of form.unique ? [] : lengthsOf(form)) {
      const items = Array.from({ length }, (_, index) => all[index % all.length]);
      yield [items, `${at === "" ? "the body" : at} has ${length} items`];
    }
  }

  async *#objectVariants(
    form: SchemaForm,
    value: Readonly<Record<string, unknown>>,
    at: string,
    depth: number,
  ): Variants {
    for (const name of Object.keys(value)) {
      const { [name]: inner, ...rest } = value;
      const pointer = `${at}/${name}`;
      yield [rest, `without ${pointer}`];
      const field = form.properties.get(name) ?? form.additional;
      const variants = this.#variants(field, inner, pointer, depth + 1);
      for await (const [changed, about] of variants) yield [{ ...value, [name]: changed }, about];
    }
    if (form.properties.size === 0) return;
    yield [{ ...value, "not-in-the-schema": 1 }, `with ${at}/not-in-the-schema`];
    // Applications that reject unknown fields may ignore this one, as it is dangerous.
    if (form.additional === true) yield [{ ...value, ["__proto__"]: 1 }, `with ${at}/__proto__`];
  }
}

type Variants = AsyncGenerator<readonly [value: unknown, about: string], void, void>;

const FEW = 5;
const MOST_ALTERNATIVES = 10;
const UNKNOWN = "application/x-unknown";
const REFUSED: Expectation = { outcome: "refused" };
const ACCEPTED: Expectation = { outcome: "accepted" };
const OPEN: Expectation = { outcome: "open" };

function missing(what: string, name: string, schema: Schema): NoSample {
  const given = `values: { ${JSON.stringify(name)}: [...] }`;
  return new NoSample(
    `no value was found for ${what} (${short(schema)}): give some by ${given}, ` +
      "by examples of its schema, or install 'fast-check' for patterns",
  );
}

/** Whether a value certainly arrives unchanged: empty values count as missing, and some places restrict characters. */
function canBeSent({ in: place }: Parameter, value: unknown): boolean {
  if (value === null || value === "") return false;
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => isText(one, place));
  return isRecord(value) ? place === "query" : isText(value, place);
}

function isText(value: unknown, place: Parameter["in"]): boolean {
  const text = String(value);
  return text !== "" && typeof value !== "object" && !text.includes(",") && TEXTS[place].test(text);
}

const TEXTS: Readonly<Record<Parameter["in"], RegExp>> = {
  path: /^(?!\.{1,2}$)/,
  query: /^(?!\.{1,2}$)/,
  header: /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/,
  cookie: /^[\w.:+~-]+$/,
};

function isPlain(value: unknown): boolean {
  return !isRecord(value) ||
    Object.values(value).every((one) => typeof one === "string" && one !== "");
}

/** Whether a value certainly arrives unchanged: forms write everything but files and JSON as text. */
function isSendable({ type, jsonParts }: Body, value: unknown): boolean {
  if (isJson(type) || /^text\//.test(type)) return true;
  if (!type.startsWith("multipart/form-data") || !isRecord(value)) return false;
  const parts = Object.entries(value);
  return parts.length > 0 && parts.every(([name, part]) => {
    // The document does not say whether a list is one part or several.
    if (jsonParts.has(name)) return !Array.isArray(part);
    const items = Array.isArray(part) ? part : [part];
    return items.length > 0 &&
      items.every((item) => item instanceof Blob || typeof item === "string" && item !== "");
  });
}

function readings(value: unknown): readonly unknown[] {
  if (typeof value !== "string") return [value, String(value)];
  return value.trim() !== "" && Number.isFinite(Number(value)) ? [value, Number(value)] : [value];
}

function short(value: unknown): string {
  return shortened(JSON.stringify(value), 60);
}
