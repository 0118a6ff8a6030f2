import type { Table } from "../schema.ts";
import type { Effect, Strength, Subject } from "../statement.ts";
import { quoteName } from "./advice.ts";
import { nameIn, type RangeVar } from "./tree.ts";

export function lockAll(
  relations: readonly RangeVar[],
  { schema, lock }: Subject,
  strength?: Strength,
): void {
  for (const relation of relations) lock(schema.table(nameIn(relation)), strength);
}

/** Follows the locks of a file that is one transaction: each is kept until its end. */
export class Locks {
  readonly #held = new Map<Table, { readonly strength: Strength; readonly at: number }>();

  constructor(private readonly lineOf: (offset: number) => number) {}

  follow(effect: Effect, { report }: Subject, at: number): void {
    const found = this.#prolonged(effect);
    for (const { table, strength, isDropped } of effect.locks) {
      if (isDropped || this.#held.get(table)?.strength === "reads") continue;
      this.#held.set(table, { strength, at });
    }
    if (found === undefined) return;
    const { table, does } = found;
    const held = this.#held.get(table)!;
    report(0, "locks-add-up", {
      table: quoteName(table.name),
      line: `${this.lineOf(held.at)}`,
      blocked: held.strength === "reads" ? "reads and writes" : "writes",
      does,
    }, table);
  }

  /** The lock that a statement keeps for longer than an instant, and why. */
  #prolonged({ locks, works }: Effect): { table: Table; does: string } | undefined {
    for (const [table, { strength }] of this.#held) {
      if (works) return { table, does: "processes rows" };
      const other = locks.find((lock) => lock.table !== table && lock.strength === "reads");
      if (strength === "reads" && other) {
        return { table, does: `waits for a lock on '${quoteName(other.table.name)}'` };
      }
    }
  }
}
