import { quoted, refuseUnknownOptions } from "../../text/mod.ts";
import { TransactionError } from "./errors.ts";

/** The settings that a transaction begins with. */
export interface TransactionSettings {
  /** How far it sees changes of others. @default that of the database */
  readonly isolation?:
    | "read uncommitted"
    | "read committed"
    | "repeatable read"
    | "serializable";
  /** Lets the database refuse writes. @default false */
  readonly readOnly?: boolean;
  /**
   * Seconds after which no statement and no commit follows; drivers let the database stop a statement that takes as
   * long. @default none
   */
  readonly timeout?: number;
  /** Statements that `PgTransactions` sends along with its first one. @internal */
  readonly first?: string;
}

/** The modes of `BEGIN` and `SET TRANSACTION`, each after a space. */
export function modesOf({ isolation, readOnly }: TransactionSettings): string {
  return (isolation ? ` ISOLATION LEVEL ${isolation}` : "") + (readOnly ? " READ ONLY" : "");
}

/** How a call takes part in transactions. A call that joins an open transaction ignores all but `propagation`. */
export interface TransactionOptions extends TransactionSettings {
  /**
   * - `"required"` joins an open transaction, or begins one.
   * - `"requires-new"` begins one with a connection of its own.
   * - `"nested"` begins one at a savepoint of an open transaction, or begins one.
   *
   * @default "required"
   */
  readonly propagation?: "required" | "requires-new" | "nested";
  /**
   * How often a transaction is run again after a serialization failure or a deadlock. Acts on the outermost transaction
   * only, and not after the body of the request was read as a stream.
   *
   * @default 0
   */
  readonly retry?: number;
}

/** @throws {TransactionError} for what no compiler has checked; `isolation` becomes SQL */
export function checkOptions(options: TransactionOptions): void {
  const { first: _, ...ofCallers } = options;
  refuseUnknownOptions(ofCallers, KNOWN, (reason) => {
    return new TransactionError(`Cannot use the options of a transaction: ${reason}`);
  });
  for (const [name, expected, isValid] of RULES) {
    const found = options[name];
    if (found === undefined || isValid(found)) continue;
    throw new TransactionError(
      `Cannot use '${name}' of a transaction: expected ${expected}, found '${found}'`,
    );
  }
}

type Checked = Exclude<keyof TransactionOptions, "first">;
type Rule = [Checked, expected: string, isValid: (found: unknown) => boolean];

function oneOf(name: Checked, ...words: readonly string[]): Rule {
  return [name, `one of ${quoted(words)}`, (found) => words.includes(found as string)];
}

/** 24 days, in whole seconds: databases and timers count milliseconds in 32 bits. */
const MOST_SECONDS = Math.floor(2 ** 31 / 1000);
const SECONDS = `seconds, above 0 and below ${MOST_SECONDS}`;
const RULES: readonly Rule[] = [
  oneOf("propagation", "required", "requires-new", "nested"),
  oneOf("isolation", "read uncommitted", "read committed", "repeatable read", "serializable"),
  ["timeout", SECONDS, (found) => typeof found === "number" && found > 0 && found < MOST_SECONDS],
  ["retry", "a whole number from 0", (found) => Number.isSafeInteger(found) && Number(found) >= 0],
];
const KNOWN = [...RULES.map(([name]) => name), "readOnly", "manager"];
