import type { Direction } from "../../schema/mod.ts";
import { breaking, type Change, distinct } from "./changes.ts";
import { fieldChanges } from "./compare_fields.ts";
import {
  apart,
  limitsFit,
  type Report,
  textsFit,
  typeNames,
  unionParts,
  valuesOf,
  withPossibleValues,
} from "./compare_values.ts";
import type { SchemaReader } from "./reader.ts";
import { sameness } from "./same_schema.ts";
import {
  acceptsAnything,
  type Alternatives,
  isRecord,
  isReference,
  mergeForms,
  recordOf,
  sameJson,
  type Schema,
  type SchemaForm,
} from "./schema_form.ts";

/**
 * Compares schemas by one rule: of an input each value of `before` has to fit `after`, of an output each value of `after`
 * has to fit `before`. Clients need two exceptions: a removed field is breaking although objects are open, and a new one
 * is not although they were closed. What cannot be decided is breaking.
 */
export class SchemaComparison {
  readonly #isInput: boolean;
  readonly #sub: SchemaReader;
  readonly #sup: SchemaReader;
  /** A pair in progress is assumed to fit: a schema that refers to itself fits unless another part does not. */
  readonly #known = new Map<string, Finding>();
  /** Pairs in progress, and those that rely on them. */
  readonly #unsettled: string[] = [];
  #outermost = Infinity;
  #steps = 0;
  readonly #isSame: ReturnType<typeof sameness>;

  constructor(
    direction: Direction,
    before: SchemaReader,
    after: SchemaReader,
  ) {
    this.#isInput = direction === "input";
    [this.#sub, this.#sup] = this.#isInput ? [before, after] : [after, before];
    this.#isSame = sameness(this.#sub, this.#sup);
  }

  compare(before: Schema, after: Schema): readonly Change[] {
    const [sub, sup] = this.#isInput ? [before, after] : [after, before];
    this.#steps = 0;
    const changes = this.#fits(sub, sup, "");
    // A comparison that gave up may be exact from elsewhere.
    if (this.#steps > MOST_STEPS) this.#known.clear();
    return changes;
  }

  same(before: unknown, after: unknown): boolean {
    const [sub, sup] = this.#isInput ? [before, after] : [after, before];
    return this.#isSame(sub, sup);
  }

  #fits(sub: Schema, sup: Schema, at: string): readonly Change[] {
    const pair = `${JSON.stringify(sub)} ${JSON.stringify(sup)}`;
    const { changes, outermost } = this.#known.get(pair) ?? this.#find(pair, sub, sup);
    this.#outermost = Math.min(this.#outermost, outermost);
    const base = isReference(sub) && isReference(sup)
      ? (this.#isInput ? sub : sup).$ref
      : undefined;
    return changes.map((one) => {
      if (one.base !== undefined) return one;
      return base === undefined ? { ...one, pointer: at + one.pointer } : { ...one, base };
    });
  }

  #find(pair: string, sub: Schema, sup: Schema): Finding {
    const [outside, place] = [this.#outermost, this.#unsettled.length];
    this.#outermost = Infinity;
    this.#unsettled.push(pair);
    this.#known.set(pair, { changes: [], outermost: place });
    const about = { sub, sup, subReference: referenceOf(sub), supReference: referenceOf(sup) };
    const changes = distinct([
      ...this.#discriminatorFits(sub, sup),
      ...this.#formFits(this.#sub.form(sub), this.#sup.form(sup), about),
    ]);
    const outermost = this.#outermost < place ? this.#outermost : Infinity;
    this.#outermost = outside;
    if (outermost === Infinity) this.#settle(place, changes.length === 0);
    const finding = { changes, outermost };
    this.#known.set(pair, finding);
    return finding;
  }

  /** Results that relied on a wrong assumption may be wrong. */
  #settle(place: number, fits: boolean): void {
    for (const pair of this.#unsettled.splice(place)) {
      if (fits) this.#known.set(pair, { ...this.#known.get(pair)!, outermost: Infinity });
      else this.#known.delete(pair);
    }
  }

  /** Clients tell alternatives apart by the discriminator (OpenAPI 3.1, 4.8.25); a value without a mapping is a name. */
  #discriminatorFits(sub: Schema, sup: Schema): readonly Change[] {
    const ours = this.#sub.follow(sub).discriminator;
    const theirs = this.#sup.follow(sup).discriminator;
    if (!isRecord(theirs)) return [];
    // A single alternative needs no discriminator.
    const isAlone = this.#isInput || this.#sub.form(sub).groups.length === 0;
    if (!isRecord(ours) && isAlone) return [];
    const { propertyName, mapping } = recordOf(ours);
    const known = recordOf(theirs.mapping);
    const isLost = Object.entries(recordOf(mapping)).some(([value, target]) => {
      const [one, other] = [target, known[value] ?? value].map(namedSchema);
      if (one!.$ref === other!.$ref) return false;
      return !Object.hasOwn(known, value) || this.#fits(one!, other!, "").some(isBreaking);
    });
    if (!isLost && propertyName === theirs.propertyName) return [];
    return [this.#broken("discriminator changed", ours, theirs)];
  }

  #formFits(whole: SchemaForm, sup: SchemaForm, place: Compared): readonly Change[] {
    const sub = withPossibleValues(whole);
    if (sub.types.size === 0 || sub.values?.length === 0) return []; // There is no such value.
    if (++this.#steps > MOST_STEPS) {
      return this.#isSame(place.sub, place.sup)
        ? []
        : [this.#broken("changed", place.sub, place.sup)];
    }
    const [group, ...groups] = sub.groups;
    if (group === undefined) return this.#plainFits(sub, sup, place);
    if (this.#sameGroups(sub, sup)) {
      return this.#plainFits({ ...sub, groups: [] }, { ...sup, groups: [] }, place);
    }
    const rest = { ...sub, groups };
    return group.of.flatMap((one) => {
      const subReference = acceptsAnything(rest) ? referenceOf(one) : undefined;
      const form = () => mergeForms(rest, this.#sub.form(one));
      return this.#pairFits(form, sup, { ...place, subReference });
    });
  }

  #pairFits(sub: () => SchemaForm, sup: SchemaForm, place: Compared): readonly Change[] {
    const { subReference, supReference } = place;
    return subReference && supReference
      ? this.#fits(subReference, supReference, "")
      : this.#formFits(sub(), sup, place);
  }

  #sameGroups(sub: SchemaForm, sup: SchemaForm): boolean {
    const [ours, theirs] = [sub, sup].map(({ groups }) =>
      groups.map(({ exclusive, of }) => ({ [exclusive ? "oneOf" : "anyOf"]: of }))
    );
    return this.#isSame(ours, theirs);
  }

  #plainFits(sub: SchemaForm, sup: SchemaForm, place: Compared): readonly Change[] {
    const [group, ...groups] = sup.groups;
    if (group === undefined) return this.#ownFits(sub, sup);
    if (group.exclusive && this.#overlap(group)) {
      return [this.#broken("changed", place.sub, place.sup)];
    }
    const rest = { ...sup, groups };
    const choices = group.of.map((one) => ({
      form: mergeForms(rest, this.#sup.form(one)),
      supReference: acceptsAnything(rest) ? referenceOf(one) : undefined,
    }));
    const parts = unionParts(sub);
    const subReference = parts.length === 1 ? place.subReference : undefined;
    return parts.flatMap((part) => {
      const related = choices.filter(({ form }) => !apart([form, this.#sup], [part, this.#sub]));
      const attempts = related.map(({ form, supReference }) =>
        this.#pairFits(() => part, form, { ...place, subReference, supReference })
      );
      const fitting = attempts.find((changes) => !changes.some(isBreaking));
      const found = fitting ?? (attempts.length === 1 ? attempts[0] : undefined);
      const what = this.#isInput ? "alternative removed" : "alternative added";
      return found ?? [this.#broken(what, place.sub, place.sup)];
    });
  }

  #overlap({ of }: Alternatives): boolean {
    const forms = of.map((schema) => [this.#sup.form(schema), this.#sup] as const);
    return forms.some((form, index) => forms.slice(index + 1).some((other) => !apart(form, other)));
  }

  #ownFits(sub: SchemaForm, whole: SchemaForm): readonly Change[] {
    const sup = withPossibleValues(whole);
    if (!sub.types.isSubsetOf(sup.types) && !(sup.values && sub.values)) {
      const what = this.#isInput ? "type narrowed" : "type widened";
      return [this.#broken(what, typeNames(sub.types), typeNames(sup.types))];
    }
    const changes: Change[] = [];
    const report: Report = (...found) => void changes.push(this.#broken(...found));
    this.#valuesFit(sub, sup, report);
    const stricter: Report = (keyword, ours, theirs) =>
      report(`${keyword} ${this.#isInput ? "tightened" : "loosened"}`, ours, theirs);
    limitsFit(sub, sup, stricter);
    textsFit(sub, sup, stricter);
    for (const [keyword, value] of sup.others) {
      const ours = sub.others.filter(([name]) => name === keyword).map(([, other]) => other);
      if (ours.some((other) => this.#isSame(other, value))) continue;
      report(`${keyword} changed`, ours[0] ?? "none", value);
    }
    if (sub.values && sup.values) return changes;
    if (sub.types.has("array") && sup.types.has("array")) {
      changes.push(...this.#itemsFit(sub, sup));
    }
    if (!sub.types.has("object") || !sup.types.has("object")) return changes;
    const fits = this.#fits.bind(this);
    const sides = [[sub, this.#sub], [sup, this.#sup]] as const;
    return [...changes, ...fieldChanges(sides, this.#isInput, fits)];
  }

  #valuesFit(sub: SchemaForm, { values: theirs }: SchemaForm, report: Report): void {
    if (theirs === undefined) return;
    const ours = sub.values ?? valuesOf(sub.types);
    if (ours === undefined) {
      const what = this.#isInput ? "values narrowed" : "values widened";
      report(what, typeNames(sub.types), theirs);
    } else if (!ours.every((value) => theirs.some((known) => sameJson(value, known)))) {
      report(this.#isInput ? "value removed" : "value added", ours, theirs);
    }
  }

  #itemsFit(sub: SchemaForm, sup: SchemaForm): readonly Change[] {
    const places = Array.from({ length: Math.max(sub.prefix.length, sup.prefix.length) });
    return [
      ...places.flatMap((_, at) =>
        this.#fits(sub.prefix[at] ?? sub.items, sup.prefix[at] ?? sup.items, `/${at}`)
      ),
      ...this.#fits(sub.items, sup.items, "/*"),
    ];
  }

  #broken(what: string, sub: unknown, sup: unknown): Change {
    const [before, after] = this.#isInput ? [sub, sup] : [sup, sub];
    return breaking("", what, before, after);
  }
}

const MOST_STEPS = 20_000;

interface Finding {
  readonly changes: readonly Change[];
  /** The place of the first unsettled pair that it relies on, or is one in progress. */
  readonly outermost: number;
}

interface Compared {
  readonly sub: Schema;
  readonly sup: Schema;
  readonly subReference?: Schema;
  readonly supReference?: Schema;
}

function isBreaking(change: Change): boolean {
  return change.isBreaking;
}

/** The schema of a mapping: its reference or its name (OpenAPI 3.1, 4.8.25). */
function namedSchema(target: unknown): { readonly $ref: string } {
  const text = String(target);
  return { $ref: text.includes("/") ? text : `#/components/schemas/${text}` };
}

function referenceOf(schema: Schema): Schema | undefined {
  return isReference(schema) ? schema : undefined;
}
