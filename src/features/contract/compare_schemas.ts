import type { Direction } from "../../schema/mod.ts";
import { type Change, change, type Changes, distinct } from "./changes.ts";
import { FieldComparison } from "./compare_fields.ts";
import {
  apart,
  limitsFit,
  namesOf,
  partsOf,
  type Report,
  textsFit,
  valuesOf,
  withPossibleValues,
} from "./compare_values.ts";
import type { SchemaReader } from "./reader.ts";
import { Sameness } from "./same_schema.ts";
import {
  acceptsAnything,
  type Alternatives,
  isRecord,
  isReference,
  merged,
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
  readonly #sub: SchemaReader;
  readonly #sup: SchemaReader;
  /** Pairs in progress, with their depth: a schema that refers to itself fits unless another part does not. */
  readonly #open = new Map<string, number>();
  readonly #known = new Map<string, Finding>();
  readonly #provisional: string[] = [];
  /** The least depth of the pairs in progress that were assumed to fit. */
  #outermost = Infinity;
  #steps = 0;
  readonly #sameness: Sameness;

  constructor(
    readonly direction: Direction,
    before: SchemaReader,
    after: SchemaReader,
  ) {
    [this.#sub, this.#sup] = direction === "input" ? [before, after] : [after, before];
    this.#sameness = new Sameness(this.#sub, this.#sup);
  }

  compare(before: Schema, after: Schema): Changes {
    const changes: Changes = { breaking: [], additions: [] };
    const [sub, sup] = this.#isInput ? [before, after] : [after, before];
    this.#steps = 0;
    this.#fits(sub, sup, "", changes);
    // A comparison that gave up may be exact from elsewhere.
    if (this.#steps > MOST_STEPS) this.#known.clear();
    return changes;
  }

  same(before: unknown, after: unknown): boolean {
    return this.#isInput ? this.#same(before, after) : this.#same(after, before);
  }

  #same(sub: unknown, sup: unknown): boolean {
    return this.#sameness.of(sub, sup);
  }

  get #isInput(): boolean {
    return this.direction === "input";
  }

  #fits(sub: Schema, sup: Schema, at: string, changes: Changes): void {
    const pair = `${JSON.stringify(sub)} ${JSON.stringify(sup)}`;
    const depth = this.#open.get(pair);
    if (depth !== undefined) {
      this.#outermost = Math.min(this.#outermost, depth);
      return;
    }
    const { breaking, additions, outermost } = this.#known.get(pair) ?? this.#find(pair, sub, sup);
    this.#outermost = Math.min(this.#outermost, outermost);
    const base = isReference(sub) && isReference(sup)
      ? (this.#isInput ? sub : sup).$ref
      : undefined;
    const placed = (one: Change): Change => {
      if (one.base !== undefined) return one;
      return base === undefined ? { ...one, pointer: at + one.pointer } : { ...one, base };
    };
    changes.breaking.push(...breaking.map(placed));
    changes.additions.push(...additions.map(placed));
  }

  #find(pair: string, sub: Schema, sup: Schema): Finding {
    const [outside, depth, first] = [this.#outermost, this.#open.size, this.#provisional.length];
    const changes: Changes = { breaking: [], additions: [] };
    this.#outermost = Infinity;
    this.#open.set(pair, depth);
    const [subReference, supReference] = [referenceOf(sub), referenceOf(sup)];
    const place = { sub, sup, subReference, supReference, at: "", changes };
    this.#discriminatorFits(place);
    this.#formFits(this.#sub.form(sub), this.#sup.form(sup), place);
    this.#open.delete(pair);
    const finding: Finding = {
      breaking: distinct(changes.breaking),
      additions: distinct(changes.additions),
      outermost: this.#outermost < depth ? this.#outermost : Infinity,
    };
    this.#outermost = outside;
    this.#known.set(pair, finding);
    if (finding.outermost < depth) this.#provisional.push(pair);
    else this.#settle(this.#provisional.splice(first), finding);
    return finding;
  }

  #settle(pairs: readonly string[], { breaking, additions }: Finding): void {
    const fits = breaking.length + additions.length === 0;
    for (const pair of pairs) {
      const finding = this.#known.get(pair);
      if (fits && finding) this.#known.set(pair, { ...finding, outermost: Infinity });
      else this.#known.delete(pair);
    }
  }

  /** Clients tell alternatives apart by the discriminator (OpenAPI 3.1, 4.8.25); a value without a mapping is a name. */
  #discriminatorFits({ sub, sup, at, changes }: Place): void {
    const ours = this.#sub.follow(sub).discriminator;
    const theirs = this.#sup.follow(sup).discriminator;
    if (!isRecord(theirs)) return;
    // A single alternative needs no discriminator.
    const isAlone = this.#isInput || this.#sub.form(sub).groups.length === 0;
    if (!isRecord(ours) && isAlone) return;
    const { propertyName, mapping } = recordOf(ours);
    const known = recordOf(theirs.mapping);
    const isLost = Object.entries(recordOf(mapping)).some(([value, target]) => {
      const [one, other] = [target, known[value] ?? value].map(namedSchema);
      if (one!.$ref === other!.$ref) return false;
      const differences: Changes = { breaking: [], additions: [] };
      if (Object.hasOwn(known, value)) this.#fits(one!, other!, "", differences);
      return !Object.hasOwn(known, value) || differences.breaking.length > 0;
    });
    if (isLost || propertyName !== theirs.propertyName) {
      this.#add(changes, at, "discriminator changed", ours, theirs);
    }
  }

  #formFits(whole: SchemaForm, sup: SchemaForm, place: Place): void {
    const sub = withPossibleValues(whole);
    if (sub.types.size === 0 || sub.values?.length === 0) return; // There is no such value.
    if (++this.#steps > MOST_STEPS) {
      if (!this.#same(place.sub, place.sup)) this.#addWhole("changed", place);
      return;
    }
    const [group, ...groups] = sub.groups;
    if (group === undefined) return this.#plainFits(sub, sup, place);
    if (this.#sameGroups(sub, sup)) {
      return this.#plainFits({ ...sub, groups: [] }, { ...sup, groups: [] }, place);
    }
    const rest = { ...sub, groups };
    for (const one of group.of) {
      const subReference = acceptsAnything(rest) ? referenceOf(one) : undefined;
      const form = () => merged(rest, this.#sub.form(one));
      this.#pairFits(form, () => sup, { ...place, subReference });
    }
  }

  #pairFits(sub: () => SchemaForm, sup: () => SchemaForm, place: Place): void {
    const { subReference, supReference, at, changes } = place;
    if (subReference && supReference) this.#fits(subReference, supReference, at, changes);
    else this.#formFits(sub(), sup(), place);
  }

  #sameGroups(sub: SchemaForm, sup: SchemaForm): boolean {
    const [ours, theirs] = [sub, sup].map(({ groups }) =>
      groups.map(({ exclusive, of }) => ({ [exclusive ? "oneOf" : "anyOf"]: of }))
    );
    return this.#same(ours, theirs);
  }

  #plainFits(sub: SchemaForm, sup: SchemaForm, place: Place): void {
    const [group, ...groups] = sup.groups;
    if (group === undefined) return this.#ownFits(sub, sup, place);
    const { changes } = place;
    if (group.exclusive && this.#overlap(group)) return this.#addWhole("changed", place);
    const rest = { ...sup, groups };
    const choices = group.of.map((one) => ({
      form: merged(rest, this.#sup.form(one)),
      supReference: acceptsAnything(rest) ? referenceOf(one) : undefined,
    }));
    const parts = partsOf(sub);
    const subReference = parts.length === 1 ? place.subReference : undefined;
    for (const part of parts) {
      const related = choices.filter(({ form }) => !apart([form, this.#sup], [part, this.#sub]));
      const attempts = related.map(({ form, supReference }) => {
        const found: Changes = { breaking: [], additions: [] };
        const inner = { ...place, subReference, supReference, changes: found };
        this.#pairFits(() => part, () => form, inner);
        return found;
      });
      const [nearest] = attempts.toSorted((a, b) => a.breaking.length - b.breaking.length);
      if (nearest !== undefined && (nearest.breaking.length === 0 || attempts.length === 1)) {
        changes.breaking.push(...nearest.breaking);
        changes.additions.push(...nearest.additions);
      } else {
        this.#addWhole(this.#isInput ? "alternative removed" : "alternative added", place);
      }
    }
  }

  #overlap({ of }: Alternatives): boolean {
    const forms = of.map((schema) => [this.#sup.form(schema), this.#sup] as const);
    return forms.some((form, index) => forms.slice(index + 1).some((other) => !apart(form, other)));
  }

  #ownFits(sub: SchemaForm, whole: SchemaForm, place: Place): void {
    const sup = withPossibleValues(whole);
    const report = (what: string, ours: unknown, theirs: unknown) =>
      this.#add(place.changes, place.at, what, ours, theirs);
    if (!sub.types.isSubsetOf(sup.types) && !(sup.values && sub.values)) {
      const what = this.#isInput ? "type narrowed" : "type widened";
      report(what, namesOf(sub.types), namesOf(sup.types));
      return;
    }
    this.#valuesFit(sub, sup, report);
    const stricter: Report = (keyword, ours, theirs) =>
      report(`${keyword} ${this.#isInput ? "tightened" : "loosened"}`, ours, theirs);
    limitsFit(sub, sup, stricter);
    textsFit(sub, sup, stricter);
    for (const [keyword, value] of sup.others) {
      const ours = sub.others.filter(([name]) => name === keyword).map(([, other]) => other);
      if (ours.some((other) => this.#same(other, value))) continue;
      report(`${keyword} changed`, ours[0] ?? "none", value);
    }
    if (sub.values && sup.values) return;
    if (sub.types.has("array") && sup.types.has("array")) this.#itemsFit(sub, sup, place);
    if (!sub.types.has("object") || !sup.types.has("object")) return;
    const fields = {
      ...place,
      isInput: this.#isInput,
      fits: this.#fits.bind(this),
    };
    new FieldComparison([sub, this.#sub], [sup, this.#sup], fields).run();
  }

  #valuesFit(sub: SchemaForm, { values: theirs }: SchemaForm, report: Report): void {
    if (theirs === undefined) return;
    const ours = sub.values ?? valuesOf(sub.types);
    if (ours === undefined) {
      const what = this.#isInput ? "values narrowed" : "values widened";
      report(what, namesOf(sub.types), theirs);
    } else if (!ours.every((value) => theirs.some((known) => sameJson(value, known)))) {
      report(this.#isInput ? "value removed" : "value added", ours, theirs);
    }
  }

  #itemsFit(sub: SchemaForm, sup: SchemaForm, { at, changes }: Place): void {
    const places = Math.max(sub.prefix.length, sup.prefix.length);
    for (let index = 0; index < places; index++) {
      const [ours, theirs] = [sub.prefix[index] ?? sub.items, sup.prefix[index] ?? sup.items];
      this.#fits(ours, theirs, `${at}/${index}`, changes);
    }
    this.#fits(sub.items, sup.items, `${at}/*`, changes);
  }

  #addWhole(what: string, { sub, sup, at, changes }: Place): void {
    this.#add(changes, at, what, sub, sup);
  }

  #add(changes: Changes, at: string, what: string, sub: unknown, sup: unknown): void {
    const [before, after] = this.#isInput ? [sub, sup] : [sup, sub];
    changes.breaking.push(change(at, what, before, after));
  }
}

const MOST_STEPS = 20_000;

interface Finding extends Changes {
  readonly outermost: number;
}

interface Place {
  readonly sub: Schema;
  readonly sup: Schema;
  readonly subReference?: Schema;
  readonly supReference?: Schema;
  readonly at: string;
  readonly changes: Changes;
}

/** The schema of a mapping: its reference or its name (OpenAPI 3.1, 4.8.25). */
function namedSchema(target: unknown): { readonly $ref: string } {
  const text = String(target);
  return { $ref: text.includes("/") ? text : `#/components/schemas/${text}` };
}

function referenceOf(schema: Schema): Schema | undefined {
  return isReference(schema) ? schema : undefined;
}
