import { both, isRecord, type Schema, type SchemaReader } from "../contract/reader.ts";
import { isJson, shortened } from "../text/mod.ts";
import type { Expectation } from "./answers.ts";
import { alternativesOf, edgesOf, HOSTILE, lengthsOf, STRANGERS } from "./edges.ts";
import type { Body, Operation, Parameter } from "./operation.ts";
import type { Samples } from "./samples.ts";
import type { SchemaChecks } from "./schema_checks.ts";

/** A request, before it is written. */
export interface Planned {
  readonly parameters: ReadonlyMap<Parameter, unknown>;
  /** Absent where no body is sent. */
  readonly body?: { readonly type: string; readonly value: unknown; readonly isRaw?: true };
  readonly accept?: string;
  /** What is special about it. */
  readonly about: string;
  readonly expected: Expectation;
}

/** A parameter or body for which no value was found. */
export class NoSample {
  constructor(readonly message: string) {}
}

/** Makes the requests of operations. */
export class Requests {
  constructor(
    readonly reader: SchemaReader,
    readonly checks: SchemaChecks,
  ) {}

  /**
   * `runs` valid requests, then those at the limits, then what the operation has to refuse.
   *
   * @param isValidOnly whether to end after the valid ones, of which a few will do then
   */
  async *of(
    operation: Operation,
    samples: Samples,
    runs: number,
    isValidOnly = false,
  ): AsyncGenerator<Planned | NoSample, void, void> {
    for (let run = 0; run < (isValidOnly ? Math.min(runs, FEW) : runs); run++) {
      const made = await this.#valid(operation, samples, run === 0);
      yield made;
      if (made instanceof NoSample) return;
    }
    if (isValidOnly) return;
    const base = await this.#valid(operation, samples, true);
    if (base instanceof NoSample) return;
    yield* this.#strangeParameters(operation, base);
    yield* this.#strangeBodies(operation, base, samples);
    if (operation.responses[406] !== undefined) {
      const expected = { outcome: "refused", statuses: [406] } as const;
      yield { ...base, accept: UNKNOWN, about: `Accept: ${UNKNOWN}`, expected };
    }
  }

  /** @param isWhole whether all that is optional is there too */
  async #valid(
    { key, parameters, body }: Operation,
    samples: Samples,
    isWhole: boolean,
  ): Promise<Planned | NoSample> {
    const values = new Map<Parameter, unknown>();
    let isCertain = true;
    for (const parameter of parameters) {
      const { name, schema } = parameter;
      if (!parameter.required && !isWhole && samples.random.chance(0.4)) continue;
      const made = await samples.of(
        schema,
        name,
        (value) => canBeSent(parameter, value),
        isWhole,
      );
      if (!made && !parameter.required) continue;
      if (!made) return missing(`${parameter.in} '${name}'`, name, schema);
      values.set(parameter, made.value);
      isCertain &&= made.isCertain && isPlain(made.value);
    }
    const expected = (): Expectation => ({ outcome: isCertain ? "accepted" : "open" });
    const about = "a valid request";
    const isSent = body && (body.required || isWhole || samples.random.chance(0.7));
    if (!isSent) return { parameters: values, about, expected: expected() };
    const made = await samples.of(body.schema, key, undefined, isWhole);
    if (!made) return missing("the body", key, body.schema);
    isCertain &&= made.isCertain && isSendable(body, made.value);
    const sent = { type: body.type, value: made.value };
    return { parameters: values, body: sent, about, expected: expected() };
  }

  *#strangeParameters({ parameters }: Operation, base: Planned): Generator<Planned, void, void> {
    for (const parameter of parameters) {
      const { name, schema, required } = parameter;
      const place = `${parameter.in} '${name}'`;
      if (required && parameter.in !== "path" && !parameter.saysVersion) {
        const left = new Map(base.parameters);
        left.delete(parameter);
        yield { ...base, parameters: left, about: `without ${place}`, expected: REFUSED };
      }
      const choices = alternativesOf(this.reader.form(schema), this.reader);
      const list = choices.find(({ types }) => types.has("array"));
      const one = list?.items ?? schema;
      const inner = this.reader.form(one);
      const alternatives = alternativesOf(inner, this.reader);
      if (alternatives.length === 0 || alternatives.some(({ types }) => types.has("object"))) {
        continue;
      }
      const edges = [...edgesOf(inner, this.reader), "", "~", "1.5", "not-one-of-them", ...HOSTILE];
      for (const value of new Set(edges)) {
        const isEmpty = value === "" && parameter.in !== "path";
        if (!isEmpty && !canBeSent(parameter, value)) continue;
        const isValid = isEmpty && (parameter.allowsEmpty || this.checks.fits(schema, value)) ||
          readings(value).some((reading) => this.checks.fits(one, reading));
        // With an expression, another route may take what this one does not; a number may be read as a truth value.
        const isOpen = isValid
          ? base.expected.outcome !== "accepted"
          : parameter.in === "path" && inner.patterns.length > 0 ||
            value === "0" && alternatives.some(({ types }) => types.has("boolean"));
        yield {
          ...base,
          parameters: new Map([...base.parameters, [parameter, list ? [value] : value]]),
          about: `${place} is ${JSON.stringify(value)}`,
          expected: {
            outcome: isOpen ? "open" : isValid ? "accepted" : "refused",
            mayMissRoute: !isValid && parameter.in === "path",
          },
        };
      }
    }
  }

  async *#strangeBodies(
    { body, responses }: Operation,
    base: Planned,
    samples: Samples,
  ): AsyncGenerator<Planned, void, void> {
    if (!body) return;
    const { body: _, ...bodiless } = base;
    if (body.required) yield { ...bodiless, about: "without a body", expected: REFUSED };
    // Texts and bytes may be taken whatever they are called.
    if (body.types.every((type) => isJson(type) || /form/.test(type))) {
      const statuses = responses[415] === undefined ? {} : { statuses: [415] };
      const sent = { type: UNKNOWN, value: "~", isRaw: true } as const;
      const about = `a body of type ${UNKNOWN}`;
      yield { ...bodiless, body: sent, about, expected: { ...REFUSED, ...statuses } };
    }
    if (!isJson(body.type)) return;
    const broken = { type: body.type, value: '{"', isRaw: true } as const;
    yield { ...bodiless, body: broken, about: "a body that is no JSON", expected: REFUSED };
    const variants = this.#variants(body.schema, base.body?.value, "", 0, samples);
    for await (const [value, about] of variants) {
      const isValid = this.checks.fits(body.schema, value);
      const { outcome } = base.expected;
      const expected = isValid ? { outcome } : REFUSED;
      yield { ...bodiless, body: { type: body.type, value }, about, expected };
    }
  }

  /**
   * The value with one thing changed: each field left out, each value at its limits or of another type, each list of
   * other lengths, each alternative.
   */
  async *#variants(
    schema: Schema,
    value: unknown,
    at: string,
    depth: number,
    samples: Samples,
  ): AsyncGenerator<readonly [value: unknown, about: string], void, void> {
    const form = this.reader.form(schema);
    const place = at === "" ? "the body" : at;
    if (form.types.size === 7 && form.groups.length === 0 && form.properties.size === 0) return;
    for (const edge of edgesOf(form, this.reader)) yield [edge, `${place} is ${short(edge)}`];
    const strangers = STRANGERS.filter((stranger) => !this.checks.fits(schema, stranger));
    for (const stranger of strangers.slice(0, 5)) {
      yield [stranger, `${place} is ${short(stranger)}`];
    }
    for (const one of form.groups.flatMap(({ of }) => of).slice(0, MOST_ALTERNATIVES)) {
      const made = await samples.of(both(schema, one), "", undefined, true);
      if (!made) continue;
      yield [made.value, `${place} is ${short(made.value)}`];
      if (isRecord(made.value) && depth < 3) {
        yield* this.#variants(one, made.value, at, depth + 1, samples);
      }
    }
    if (depth >= 3) return;
    if (Array.isArray(value) && value.length > 0) {
      const inner = this.#variants(form.items, value[0], `${at}/0`, depth + 1, samples);
      for await (const [item, about] of inner) yield [[item, ...value.slice(1)], about];
      for (const length of form.unique ? [] : lengthsOf(form)) {
        const items = Array.from({ length }, (_, index) => value[index % value.length]);
        yield [items, `${place} has ${length} items`];
      }
    }
    if (!isRecord(value)) return;
    for (const name of Object.keys(value)) {
      const { [name]: inner, ...rest } = value;
      const pointer = `${at}/${name}`;
      yield [rest, `without ${pointer}`];
      const field = form.properties.get(name) ?? form.additional;
      const variants = this.#variants(field, inner, pointer, depth + 1, samples);
      for await (const [changed, about] of variants) {
        yield [{ ...value, [name]: changed }, about];
      }
    }
    if (form.properties.size > 0) {
      yield [{ ...value, "not-in-the-schema": 1 }, `with ${at}/not-in-the-schema`];
      // Where other fields are refused this one may be left out, as it is dangerous.
      if (form.additional === true) yield [{ ...value, ["__proto__"]: 1 }, `with ${at}/__proto__`];
    }
  }
}

const FEW = 5;
const MOST_ALTERNATIVES = 10;
const UNKNOWN = "application/x-unknown";
const REFUSED: Expectation = { outcome: "refused" };

function missing(what: string, name: string, schema: Schema): NoSample {
  const given = `values: { ${JSON.stringify(name)}: [...] }`;
  return new NoSample(
    `no value was found for ${what} (${short(schema)}): give some by ${given}, ` +
      "by examples of its schema, or install 'fast-check' for patterns",
  );
}

/** Whether it is sure to arrive as it is: empty values count as missing, and other places have alphabets. */
function canBeSent({ in: place }: Parameter, value: unknown): boolean {
  if (value === null || value === "") return false;
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => isText(one, place));
  return isRecord(value) ? place === "query" : isText(value, place);
}

function isText(value: unknown, place: Parameter["in"]): boolean {
  const text = String(value);
  if (text === "" || typeof value === "object" || text.includes(",")) return false;
  if (place === "header") return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);
  return place === "cookie" ? /^[\w.:+~-]+$/.test(text) : !/^\.{1,2}$/.test(text);
}

/** Fields of an object in a query are texts, whatever their schema says. */
function isPlain(value: unknown): boolean {
  return !isRecord(value) ||
    Object.values(value).every((one) => typeof one === "string" && one !== "");
}

/** Whether it is sure to arrive as it is: forms write all but files and JSON as text. */
function isSendable({ type, jsonParts }: Body, value: unknown): boolean {
  if (isJson(type) || /^text\//.test(type)) return true;
  if (!type.startsWith("multipart/form-data") || !isRecord(value)) return false;
  const parts = Object.entries(value);
  return parts.length > 0 && parts.every(([name, part]) => {
    // Whether a list is one part or several, the document does not say.
    if (jsonParts.has(name)) return !Array.isArray(part);
    const items = Array.isArray(part) ? part : [part];
    return items.length > 0 &&
      items.every((item) => item instanceof Blob || typeof item === "string" && item !== "");
  });
}

/** What a text of a parameter may stand for. */
function readings(value: unknown): readonly unknown[] {
  if (typeof value !== "string") return [value, String(value)];
  return value.trim() !== "" && Number.isFinite(Number(value)) ? [value, Number(value)] : [value];
}

function short(value: unknown): string {
  return shortened(JSON.stringify(value), 60);
}
