import { HistoryError } from "./errors.ts";
import type { ForeignHistory } from "./foreign.ts";
import type { JournalState, MigrationFile, Session } from "./types.ts";

/**
 * Stops the first run on a server where another tool has applied migrations: all of them would be applied again. Asks the
 * server only when no run of ours ever was there and there is something to apply.
 *
 * @throws {HistoryError} naming the tool, and the ways out
 */
export async function refuseForeign(
  { connection, foreign }: Pick<Session, "connection" | "foreign">,
  { isNew }: JournalState,
  pending: readonly Pick<MigrationFile, "path">[],
): Promise<void> {
  if (!isNew || pending.length === 0 || foreign === undefined) return;
  const found = concerning(await foreign(pending), pending);
  if (found.length === 0) return;
  const tools = found.map(({ tool, place, isUnreadable }) =>
    `${tool} (${place}${isUnreadable ? ", which this user has no right to read" : ""})`
  ).join(" and ");
  const is = found.every(({ isUnreadable }) => isUnreadable) ? "may be" : "is";
  const adoptable = found.some(({ match }) => match !== undefined);
  const lines = [
    `This is the first run here, and there ${is} a history of ${tools}: nothing was applied, as files ` +
    "that it has applied would be applied again",
    "  Ways out:",
    ...adoptable
      ? ["    - run 'adopt --dry-run' and then 'adopt': records what it has applied"]
      : [],
    "    - run 'baseline --until <file>', the last file that it has applied",
    "    - run 'adopt --from none' where none of the files here belongs to it",
  ];
  throw new HistoryError(connection, lines.join("\n"));
}

/** The histories that say something was applied; those beside what the connection works in only where files are theirs. */
export function concerning(
  histories: readonly ForeignHistory[],
  files: readonly Pick<MigrationFile, "path">[],
): readonly ForeignHistory[] {
  const paths = files.map(({ path }) => path);
  return histories.filter(({ isEmpty, isElsewhere, match }) =>
    !isEmpty &&
    (!isElsewhere || match?.(paths).rows.some(({ path }) => path !== undefined) === true)
  );
}
