import { quoteName } from "./advice.ts";
import type { Effect } from "./effects.ts";
import type { Table } from "./schema.ts";
import type { Subject } from "./subject.ts";

/** Follows the locks of a file that is one transaction: each is kept until its end. */
export class Locks {
  readonly #held = new Map<Table, { readonly strength: "reads" | "writes"; readonly at: number }>();

  /** @param lineOf says in which line of the file a position is */
  constructor(private readonly lineOf: (offset: number) => number) {}

  /** @param at where the statement stands in the file */
  follow(effect: Effect, subject: Subject, at: number): void {
    const found = this.#prolonged(effect);
    for (const { table, strength, isGone } of effect.locks) {
      if (strength === "none" || isGone || this.#held.get(table)?.strength === "reads") continue;
      this.#held.set(table, { strength, at });
    }
    if (found === undefined) return;
    const { table, what } = found;
    const held = this.#held.get(table)!;
    const name = quoteName(table.name);
    const blocked = held.strength === "reads" ? "reads and writes" : "writes";
    subject.report(0, {
      rule: "locks-add-up",
      message: `The lock on '${name}' of line ${
        this.lineOf(held.at)
      } blocks ${blocked} until the file ends, and this statement ${what}`,
      table,
      advice: ["Safe way: move this statement and the following ones to another file"],
    });
  }

  /** The lock that a statement keeps for longer than an instant. */
  #prolonged(
    { locks, works }: Effect,
  ): { readonly table: Table; readonly what: string } | undefined {
    for (const [table, { strength }] of this.#held) {
      if (works) return { table, what: "processes rows" };
      const other = locks.find((lock) => lock.table !== table && lock.strength === "reads");
      if (strength === "reads" && other) {
        return { table, what: `waits for a lock on '${quoteName(other.table.name)}'` };
      }
    }
  }
}
