/** A row of `locks.md`. */
export interface LockRow {
  readonly label: string;
  /** The relation that the columns are about. */
  readonly on: string;
  readonly lock: string;
  /** Locks of other relations, by their names. */
  readonly others: ReadonlyMap<string, string>;
  /** The rewritten tables and indexes, as the documented table names them. */
  readonly rewritten: string;
  /** Relations whose rows were read. */
  readonly scanned: readonly string[];
  /** SQLSTATE, where the statement failed. */
  readonly failure?: string;
  readonly isTransactional: boolean;
  /** Whether reads or writes of the table were blocked. */
  readonly isBlocked: boolean;
}

/** The rows of `locks.md`. */
export async function lockRows(): Promise<readonly LockRow[]> {
  const text = await Deno.readTextFile(new URL("locks.md", import.meta.url));
  return text.split("\n").filter((line) => line.startsWith("| `")).map((line) => {
    const [
      ,
      statement = "",
      lock = "",
      others = "",
      rewritten = "",
      scanned = "",
      ,
      inside = "",
      ...rest
    ] = line.split("|").map((cell) => cell.trim());
    const [, label = "", on = "t"] = /^`(.+?)`(?: \(on `(\w+)`\))?$/.exec(statement) ?? [];
    const [, failure] = /^fails: `(\w{5})/.exec(inside) ?? [];
    return {
      ...{ label, on, lock, rewritten },
      others: new Map(
        [...others.matchAll(/(\w+): ([A-Z ]+)/g)].map(([, name = "", held = ""]) => [name, held]),
      ),
      scanned: [...scanned.matchAll(/(\w+)×\d/g)].map(([, name = ""]) => name),
      ...(failure !== undefined && { failure }),
      isTransactional: inside !== "**no**",
      isBlocked: rest.slice(0, 2).some((cell) => cell.startsWith("**blocked**")),
    };
  });
}

/** Locks that block writes. */
const BLOCKING = new Set(["SHARE", "SHARE ROW EXCLUSIVE", "EXCLUSIVE", "ACCESS EXCLUSIVE"]);
/**
 * Statements that lose data, hide rows or break an application that knows the old name, however short their lock is.
 */
const DESTRUCTIVE =
  /^(?:DROP (?:COLUMN|TABLE)|RENAME (?:COLUMN|TABLE)|SET SCHEMA|TRUNCATE|(?:UPDATE|DELETE) without|ENABLE ROW|CREATE RULE|DETACH)/;

/**
 * Whether a linter has to speak, by the columns: reads or writes were blocked for longer than an instant, data is lost, or
 * the failure depends on the rows. `undefined` where the statement always fails: the server says so itself.
 */
export function expectedFinding(row: LockRow): boolean | undefined {
  const { label, failure, isBlocked, rewritten, scanned, others } = row;
  const isRewritten = /\*\*yes\*\*|copied|rebuilt/.test(rewritten);
  if (DESTRUCTIVE.test(label)) return true;
  // Class 23 are constraints that the rows break.
  if (failure !== undefined) return failure.startsWith("23") ? true : undefined;
  if (isBlocked && (isRewritten || scanned.length > 0)) return true;
  return scanned.some((name) => name !== row.on && BLOCKING.has(others.get(name) ?? ""));
}
