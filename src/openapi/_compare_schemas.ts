import {
  type Alternatives,
  ANNOTATIONS,
  isRecord,
  merged,
  sameJson,
  type Schema,
  type SchemaForm,
  type SchemaReader,
  type TypeName,
} from "./schema_form.ts";
import {
  apart,
  keepsTo,
  matches,
  partsOf,
  SUBJECT,
  valueKeepsTo,
  valuesOf,
  withPossibleValues,
} from "./_schema_values.ts";
import type { Direction } from "./types.ts";

/** One thing that is not as it was. */
export interface SchemaChange {
  /** JSON pointer into the value, where `*` stands for any item or key. */
  readonly pointer: string;
  /** What happened. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** What two schemas differ in, as far as somebody on the other side can tell. */
export interface SchemaDifferences {
  readonly breaking: readonly SchemaChange[];
  readonly additions: readonly SchemaChange[];
}

/**
 * Compares schemas by one rule: what was accepted still is, so that each value of `before` has to fit `after`; what is
 * answered was known, so that each value of `after` has to fit `before`. Two things go further, for what clients
 * do: a field that is gone is a break although objects are open, and one that is new is none although they
 * were closed. Where it cannot be told, it is a break.
 */
export class SchemaComparison {
  /** Of the document whose values have to fit. */
  readonly #sub: SchemaReader;
  readonly #sup: SchemaReader;
  /** Pairs that are being compared: what refers to itself fits as long as nothing else says otherwise. */
  readonly #open = new Map<string, number>();
  /** What was found for pairs, with pointers from there. */
  readonly #known = new Map<string, Finding>();
  /** Pairs whose finding holds only if one that is being compared fits. */
  readonly #provisional: string[] = [];
  /** How far out the pairs in progress are that were taken to fit. */
  #outermost = Infinity;
  #steps = 0;
  /** How many pairs were compared, and not known already. */
  compared = 0;

  constructor(
    readonly direction: Direction,
    before: SchemaReader,
    after: SchemaReader,
  ) {
    [this.#sub, this.#sup] = direction === "input" ? [before, after] : [after, before];
  }

  compare(before: Schema, after: Schema): SchemaDifferences {
    const changes: Changes = { breaking: [], additions: [] };
    const [sub, sup] = this.#isInput ? [before, after] : [after, before];
    this.#steps = 0;
    this.#fits(sub, sup, "", changes);
    // What was compared as it stands may be told better from elsewhere.
    if (this.#steps > MOST_STEPS) this.#known.clear();
    return changes;
  }

  /** Whether two parts of the documents say the same, once references are followed and annotations left out. */
  same(before: unknown, after: unknown): boolean {
    const [sub, sup] = this.#isInput ? [before, after] : [after, before];
    return this.#same(sub, sup);
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
    const placed = (one: SchemaChange) => ({ ...one, pointer: at + one.pointer });
    changes.breaking.push(...breaking.map(placed));
    changes.additions.push(...additions.map(placed));
  }

  #find(pair: string, sub: Schema, sup: Schema): Finding {
    this.compared++;
    const [outside, depth, first] = [this.#outermost, this.#open.size, this.#provisional.length];
    const changes: Changes = { breaking: [], additions: [] };
    this.#outermost = Infinity;
    this.#open.set(pair, depth);
    this.#formFits(this.#sub.form(sub), this.#sup.form(sup), { sub, sup, at: "", changes });
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

  /** What took the pair to fit holds where it does, and is asked again where it does not. */
  #settle(pairs: readonly string[], { breaking, additions }: Finding): void {
    const fits = breaking.length + additions.length === 0;
    for (const pair of pairs) {
      const finding = this.#known.get(pair);
      if (fits && finding) this.#known.set(pair, { ...finding, outermost: Infinity });
      else this.#known.delete(pair);
    }
  }

  /** For what has more alternatives than can be tried. */
  #sameFits({ sub, sup, at, changes }: Place): void {
    if (!this.#same(sub, sup)) this.#add(changes, at, "changed", sub, sup);
  }

  /** Whether a value of the one form is one of the other, alternatives of the first taken one by one. */
  #formFits(whole: SchemaForm, sup: SchemaForm, place: Place): void {
    const sub = withPossibleValues(whole);
    if (sub.types.size === 0 || sub.values?.length === 0) return; // There is no such value.
    if (++this.#steps > MOST_STEPS) return this.#sameFits(place);
    const [group, ...groups] = sub.groups;
    if (group === undefined) return this.#plainFits(sub, sup, place);
    if (this.#sameGroups(sub, sup)) {
      return this.#plainFits({ ...sub, groups: [] }, { ...sup, groups: [] }, place);
    }
    for (const one of group.of) {
      this.#formFits(merged({ ...sub, groups }, this.#sub.form(one)), sup, place);
    }
  }

  #sameGroups(sub: SchemaForm, sup: SchemaForm): boolean {
    return sub.groups.length === sup.groups.length &&
      sub.groups.every((group, index) => this.#same(group, sup.groups[index]));
  }

  /** The first form has no alternatives: it has to fit one of each of the other's. */
  #plainFits(sub: SchemaForm, sup: SchemaForm, place: Place): void {
    const [group, ...groups] = sup.groups;
    if (group === undefined) return this.#ownFits(sub, sup, place);
    const { at, changes } = place;
    if (group.exclusive && this.#overlap(group)) {
      this.#add(changes, at, "changed", place.sub, place.sup);
      return;
    }
    const forms = group.of.map((one) => merged({ ...sup, groups }, this.#sup.form(one)));
    for (const part of partsOf(sub)) {
      const related = forms.filter((form) => !apart([form, this.#sup], [part, this.#sub]));
      const attempts = related.map((form) => {
        const found: Changes = { breaking: [], additions: [] };
        this.#formFits(part, form, { ...place, changes: found });
        return found;
      });
      const [nearest] = attempts.toSorted((a, b) => a.breaking.length - b.breaking.length);
      if (nearest !== undefined && (nearest.breaking.length === 0 || attempts.length === 1)) {
        changes.breaking.push(...nearest.breaking);
        changes.additions.push(...nearest.additions);
      } else {
        const what = this.#isInput ? "alternative removed" : "alternative added";
        this.#add(changes, at, what, place.sub, place.sup);
      }
    }
  }

  /** Whether a value might fit two alternatives, of which `oneOf` allows one. */
  #overlap({ of }: Alternatives): boolean {
    const forms = of.map((schema) => [this.#sup.form(schema), this.#sup] as const);
    return forms.some((form, index) => forms.slice(index + 1).some((other) => !apart(form, other)));
  }

  #ownFits(sub: SchemaForm, whole: SchemaForm, place: Place): void {
    const { at, changes } = place;
    const sup = withPossibleValues(whole);
    const types = sub.types.difference(sup.types);
    const report = (what: string, ours: unknown, theirs: unknown) =>
      this.#add(changes, at, what, ours, theirs);
    const [narrowed, stricter] = this.#isInput
      ? ["narrowed", "tightened"]
      : ["widened", "loosened"];
    if (types.size > 0 && !(sup.values && sub.values)) {
      report(`type ${narrowed}`, typeText(sub.types), typeText(sup.types));
      return;
    }
    if (sup.values) {
      const values = sub.values ?? valuesOf(sub.types);
      const lost = values?.filter((value) => !sup.values!.some((known) => sameJson(value, known)));
      if (lost === undefined) report(`values ${narrowed}`, typeText(sub.types), sup.values);
      else if (lost.length > 0) {
        report(`value ${this.#isInput ? "removed" : "added"}`, sub.values ?? values, sup.values);
      }
    }
    const stricterThan: Report = (keyword, ours, theirs) =>
      report(`${keyword} ${stricter}`, ours, theirs);
    this.#limitsFit(sub, sup, stricterThan);
    this.#textsFit(sub, sup, stricterThan);
    for (const [keyword, value] of sup.others) {
      const known = sub.others.some(([name, other]) =>
        name === keyword && this.#same(other, value)
      );
      const ours = sub.others.find(([name]) => name === keyword)?.[1] ?? "none";
      if (!known) report(`${keyword} changed`, ours, value);
    }
    // Values that are listed fit by themselves.
    if (sub.values && sup.values) return;
    if (sub.types.has("array") && sup.types.has("array")) this.#itemsFit(sub, sup, place);
    if (sub.types.has("object") && sup.types.has("object")) this.#fieldsFit(sub, sup, place);
  }

  #limitsFit(sub: SchemaForm, sup: SchemaForm, report: Report): void {
    for (const [keyword, limit] of sup.limits) {
      if (!SUBJECT[keyword]!.some((type) => sub.types.has(type))) continue;
      const fits = sub.values
        ? sub.values.every((value) => valueKeepsTo(value, keyword, limit))
        : keepsTo(sub, keyword, limit);
      if (!fits) report(keyword, sub.values ?? sub.limits.get(keyword), limit);
    }
  }

  #textsFit(sub: SchemaForm, sup: SchemaForm, report: Report): void {
    const isText = sub.types.has("string");
    const isNumber = sub.types.has("integer") || sub.types.has("fraction");
    const lost = (ours: readonly string[], theirs: readonly string[]) =>
      theirs.filter((one) => !ours.includes(one));
    const strange = lost(sub.patterns, sup.patterns).filter((pattern) =>
      !sub.values?.every((value) => matches(value, pattern))
    );
    if (isText && strange.length > 0) {
      report("pattern", textsOf(sub.patterns), textsOf(sup.patterns));
    }
    if ((isText || isNumber) && lost(sub.formats, sup.formats).length > 0) {
      report("format", textsOf(sub.formats), textsOf(sup.formats));
    }
    const multiples = sub.types.has("fraction") ? sub.multiples : [...sub.multiples, 1];
    const misses = sup.multiples.some((one) => !multiples.some((given) => given % one === 0));
    if (isNumber && misses) report("multipleOf", textsOf(sub.multiples), textsOf(sup.multiples));
    if (sub.types.has("array") && sup.unique && !sub.unique) {
      report("uniqueItems", false, true);
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

  #fieldsFit(sub: SchemaForm, sup: SchemaForm, { at, changes }: Place): void {
    const [before, after] = this.#isInput ? [sub, sup] : [sup, sub];
    const reader = this.#isInput ? this.#sub : this.#sup;
    const later = this.#isInput ? this.#sup : this.#sub;
    const pointer = (name: string) => `${at}/${escaped(name)}`;
    for (const [name, schema] of before.properties) {
      const fresh = after.properties.get(name) ?? fieldsOf(after);
      if (schema === false) continue;
      if (fresh === undefined) {
        // Said of values as well as of the closed object: once is enough.
        changes.breaking.push(change(pointer(name), "removed", schema, "none"));
        continue;
      }
      const [ours, theirs] = this.#isInput ? [schema, fresh] : [fresh, schema];
      this.#fits(ours, theirs, pointer(name), changes);
      const [old, given] = [reader.defaultOf(schema), later.defaultOf(fresh)];
      if (this.#isInput && !before.required.has(name) && !sameJson(old, given)) {
        changes.breaking.push(change(pointer(name), "default changed", old, given));
      }
    }
    for (const [name, schema] of after.properties) {
      if (before.properties.has(name)) continue;
      // Whoever had to send it sent whatever it liked.
      const wasSent = this.#isInput && before.required.has(name);
      const known = fieldsOf(before) ?? (wasSent ? true : undefined);
      const [ours, theirs] = this.#isInput ? [known, schema] : [schema, known];
      if (known !== undefined) this.#fits(ours!, theirs!, pointer(name), changes);
      else if (schema !== false && !(this.#isInput && after.required.has(name))) {
        changes.additions.push(change(pointer(name), "added", "none", schema));
      }
    }
    for (const name of sup.required) {
      if (sub.required.has(name)) continue;
      if (this.#isInput) {
        const what = before.properties.has(name) ? "required now" : "required input added";
        changes.breaking.push(change(pointer(name), what, "optional", "required"));
      } else if (
        after.properties.has(name) || !before.properties.has(name) || fieldsOf(after) !== undefined
      ) {
        changes.breaking.push(change(pointer(name), "no longer required", "required", "optional"));
      }
    }
    if (this.#isInput || fieldsOf(sup) !== undefined) this.#othersFit(sub, sup, at, changes);
  }

  /** What is said of fields that have no name in the schema. */
  #othersFit(sub: SchemaForm, sup: SchemaForm, at: string, changes: Changes): void {
    if (sub.additional === false || sup.additional === true) return;
    if (sup.additional === false) {
      this.#add(changes, at, "additionalProperties refused", sub.additional, false);
    } else this.#fits(sub.additional, sup.additional, `${at}/*`, changes);
  }

  /** @param seen pairs of references that were followed */
  #same(sub: unknown, sup: unknown, seen: Set<string> = new Set()): boolean {
    if (Array.isArray(sub) && Array.isArray(sup)) {
      return sub.length === sup.length &&
        sub.every((item, index) => this.#same(item, sup[index], seen));
    }
    if (!isRecord(sub) || !isRecord(sup)) return sub === sup;
    const [ours, theirs] = [sub.$ref, sup.$ref];
    if (typeof ours !== typeof theirs) return false;
    if (typeof ours === "string" && typeof theirs === "string" && !seen.has(`${ours} ${theirs}`)) {
      seen.add(`${ours} ${theirs}`);
      const [target, other] = [this.#sub.resolve(ours), this.#sup.resolve(theirs)];
      if (target === undefined && ours !== theirs || !this.#same(target, other, seen)) return false;
    }
    const said = (value: Readonly<Record<string, unknown>>) =>
      Object.keys(value).filter((key) => key !== "$ref" && !ANNOTATIONS.has(key)).sort();
    const names = said(sub);
    return sameJson(names, said(sup)) &&
      names.every((name) => this.#same(sub[name], sup[name], seen));
  }

  #add(changes: Changes, at: string, what: string, sub: unknown, sup: unknown): void {
    const [before, after] = this.#isInput ? [sub, sup] : [sup, sub];
    changes.breaking.push(change(at, what, before, after));
  }
}

/** Beyond this, schemas are compared as they stand. */
const MOST_STEPS = 20_000;

interface Changes {
  readonly breaking: SchemaChange[];
  readonly additions: SchemaChange[];
}

interface Finding extends SchemaDifferences {
  /** How far out the pairs in progress are that it depends on; without end where it does not. */
  readonly outermost: number;
}

/** Many are told once each, and not by every way that leads to them. */
function distinct(changes: readonly SchemaChange[]): readonly SchemaChange[] {
  if (changes.length <= MOST_WAYS) return changes;
  const keyed = changes.map((one) => {
    const { pointer, what, before, after } = one;
    return [JSON.stringify([pointer.split("/").at(-1), what, before, after]), one] as const;
  });
  return [...new Map(keyed.toReversed()).values()].toReversed();
}

const MOST_WAYS = 20;

/** Where schemas are compared, and what was found. */
interface Place {
  readonly sub: Schema;
  readonly sup: Schema;
  readonly at: string;
  readonly changes: Changes;
}

type Report = (keyword: string, ours: unknown, theirs: unknown) => void;

/** A change with what was and what is, in short. */
export function change(
  pointer: string,
  what: string,
  before: unknown,
  after: unknown,
): SchemaChange {
  return { pointer, what, before: shortText(before), after: shortText(after) };
}

/** JSON on one line of at most 80 characters. */
function shortText(value: unknown): string {
  if (value === undefined) return "none";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** The schema of fields without a name of their own, where there is one that says anything. */
function fieldsOf({ additional }: SchemaForm): Schema | undefined {
  return typeof additional === "boolean" ? undefined : additional;
}

function typeText(types: ReadonlySet<TypeName>): string {
  const names = [...types].map((type) => type === "fraction" ? "number" : type)
    .filter((type) => type !== "integer" || !types.has("fraction"));
  return names.length === 7 || types.size === 7 ? "any" : names.sort().join(" or ");
}

function textsOf(values: readonly unknown[]): string {
  return values.length === 0 ? "none" : values.join(" and ");
}

/** As pointers have it (RFC 6901, 3). */
function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
