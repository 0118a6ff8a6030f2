import { pointerToken } from "../../text/mod.ts";
import { addition, breaking, type Change, paired } from "./changes.ts";
import type { SchemaReader } from "./reader.ts";
import { sameJson, type Schema, type SchemaForm } from "./schema_form.ts";

type Side = readonly [form: SchemaForm, reader: SchemaReader];

export class FieldComparison {
  readonly #changes: Change[] = [];
  readonly #sub: SchemaForm;
  readonly #sup: SchemaForm;
  readonly #before: Side;
  readonly #after: Side;
  /** Marks fields that are only sent, and only required, in the other direction (OpenAPI 3.1, 4.8.24). */
  readonly #oneWay: string;

  constructor(
    sub: Side,
    sup: Side,
    readonly isInput: boolean,
    readonly fits: (sub: Schema, sup: Schema, at: string) => readonly Change[],
  ) {
    this.#oneWay = isInput ? "readOnly" : "writeOnly";
    const [ours, theirs] = [sub, sup].map(([form, reader]): Side => {
      const isAsked = (name: string) =>
        !reader.isAnnotated(form.properties.get(name), this.#oneWay);
      return [{ ...form, required: new Set([...form.required].filter(isAsked)) }, reader];
    }) as [Side, Side];
    [this.#sub, this.#sup] = [ours[0], theirs[0]];
    [this.#before, this.#after] = isInput ? [ours, theirs] : [theirs, ours];
  }

  run(): readonly Change[] {
    const [[older], [newer]] = [this.#before, this.#after];
    for (const [name, old, given] of paired(older.properties, newer.properties)) {
      const known = given ?? othersOf(newer);
      if (old === undefined) this.#new(name, given!);
      else if (old === false) continue;
      else if (known === undefined) this.#break(name, "removed", old, "none");
      else this.#known(name, old, known);
    }
    for (const name of this.#sup.required.difference(this.#sub.required)) this.#required(name);
    if (this.isInput || othersOf(this.#sup) !== undefined) this.#others();
    return this.#changes;
  }

  #break(name: string, what: string, before: unknown, after: unknown): void {
    this.#changes.push(breaking(pointerTo(name), what, before, after));
  }

  #fits(before: Schema, after: Schema, name: string): void {
    const [sub, sup] = this.isInput ? [before, after] : [after, before];
    this.#changes.push(...this.fits(sub, sup, pointerTo(name)));
  }

  #known(name: string, schema: Schema, successor: Schema): void {
    const [[form, reader], [, later]] = [this.#before, this.#after];
    this.#fits(schema, successor, name);
    if (later.isAnnotated(successor, this.#oneWay) && !reader.isAnnotated(schema, this.#oneWay)) {
      this.#break(name, `${this.#oneWay} now`, schema, successor);
    }
    const [old, given] = [reader.defaultOf(schema), later.defaultOf(successor)];
    if (this.isInput && !form.required.has(name) && !sameJson(old, given)) {
      this.#break(name, "default changed", old, given);
    }
  }

  #new(name: string, schema: Schema): void {
    const [[older], [newer]] = [this.#before, this.#after];
    // Clients that had to send a field without a schema sent any value.
    const wasSent = this.isInput && older.required.has(name);
    const known = othersOf(older) ?? (wasSent ? true : undefined);
    if (known !== undefined) this.#fits(known, schema, name);
    else if (schema !== false && !(this.isInput && newer.required.has(name))) {
      this.#changes.push(addition(pointerTo(name), "added", "none", schema));
    }
  }

  #required(name: string): void {
    const [[older], [newer]] = [this.#before, this.#after];
    const wasKnown = older.properties.has(name);
    if (this.isInput) {
      const what = wasKnown ? "required now" : "required input added";
      this.#break(name, what, "optional", "required");
    } else if (newer.properties.has(name) || !wasKnown || othersOf(newer) !== undefined) {
      this.#break(name, "no longer required", "required", "optional");
    }
  }

  #others(): void {
    const [{ additional: sub }, { additional: sup }] = [this.#sub, this.#sup];
    if (sub === false || sup === true) return;
    if (sup !== false) return void this.#changes.push(...this.fits(sub, sup, "/*"));
    const [before, after] = this.isInput ? [sub, false] : [false, sub];
    this.#changes.push(breaking("", "additionalProperties refused", before, after));
  }
}

function pointerTo(name: string): string {
  return `/${pointerToken(name)}`;
}

function othersOf({ additional }: SchemaForm): Schema | undefined {
  return typeof additional === "boolean" ? undefined : additional;
}
