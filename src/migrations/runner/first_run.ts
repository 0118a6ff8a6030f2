import { quoted } from "../../text/mod.ts";
import { HistoryError } from "./errors.ts";
import type { ForeignFile, ForeignFindings, ForeignHistory } from "./foreign.ts";
import { hashesOf } from "./hash.ts";
import type { Session } from "./moments.ts";
import type { JournalState, Migration, MigrationFile } from "./types.ts";

/** The path of the entry that `adopt --from none` leaves: no file can have it. */
export const NO_HISTORY = "--from none";

/**
 * Stops a run that would apply again what was applied before: the first run beside any history of another tool, tables
 * that no file makes, or records under another connection; later ones as long as a history has rows whose files are not
 * recorded, as where `adopt` was cut off. Asks the server only when a file is to be applied for the first time.
 *
 * @param yes whether the files are to be applied beside such tables
 * @throws {HistoryError} naming the tool or the tables, and the ways out
 */
export async function refuseForeign(
  { connection, foreign, journal }: Pick<Session, "connection" | "foreign" | "journal">,
  state: JournalState,
  files: readonly MigrationFile[],
  steps: readonly { readonly migration: Migration }[] = [],
  yes = false,
): Promise<void> {
  const { isNew, entries } = state;
  const pending = steps.map(({ migration }) => migration)
    .filter(({ file: { path } }) => entries.get(path)?.applied === undefined);
  if (pending.length === 0) return;
  const findings = await foreign(pending);
  const { histories } = findings;
  const wanted = new Set(pending.map(({ file: { path } }) => path));
  // A file that only its position assigns may have come later.
  const found = isNew
    ? relevantHistories(histories, files.filter(({ path }) => wanted.has(path)))
    : histories.filter(({ match }) =>
      match?.(files).rows.some(({ path = "", repeatable, isImplied }) =>
        wanted.has(path) && !repeatable && !isImplied
      )
    );
  if (found.length === 0) {
    if (yes || doubtOf(state, findings) === undefined) return;
    // Another run may have made the tables since.
    const doubt = doubtOf(
      await journal.read(files.map(({ path }) => path), hashesOf(files)),
      findings,
    );
    if (doubt !== undefined) throw new HistoryError(connection, doubt);
    return;
  }
  if (!isNew && (await journal.list()).has(NO_HISTORY)) return;
  const tools = namesOf(found);
  const is = found.every(({ isUnreadable }) => isUnreadable) ? "may be" : "is";
  const adoptable = found.filter(({ match }) => match !== undefined);
  // 'adopt' does not choose these by itself.
  const option = adoptable.length > 1 || adoptable[0]?.isElsewhere
    ? ` --table ${adoptable[0]?.table}`
    : "";
  const what = isNew
    ? `This is the first run here, and there ${is} a history of ${tools}`
    : `Files that have no record here are applied according to the history of ${tools}`;
  const adopt =
    `    - run 'adopt${option} --dry-run' and then 'adopt${option}': records what it has applied`;
  const lines = [
    `${what}: nothing was applied, as files that it has applied would be applied again`,
    "  Ways out:",
    ...adoptable.length > 0 ? [adopt] : [],
    "    - run 'baseline --until <file>', the last file that it has applied",
    "    - run 'adopt --from none' if none of the files here belongs to it",
  ];
  throw new HistoryError(connection, lines.join("\n"));
}

export function namesOf(histories: readonly ForeignHistory[]): string {
  return histories.map(({ tool, place, isUnreadable }) =>
    `${tool} (${place}${isUnreadable ? ", which this user has no right to read" : ""})`
  ).join(" and ");
}

function doubtOf(
  { isNew, others = [] }: JournalState,
  { tables = [], isMade }: ForeignFindings,
): string | undefined {
  if (isMade && others.length > 0) return besideOthers(others);
  return isNew && tables.length > 0 ? besideTables(tables) : undefined;
}

function besideOthers(others: readonly string[]): string {
  const [other = ""] = others;
  return [
    "The database has tables that these files create, and the files are recorded for " +
    `${quoted(others)}, not for this connection: nothing was applied, ` +
    "as they would be applied again",
    "  Ways out:",
    `    - name the connection '${other}' again, if it was renamed`,
    "    - run 'baseline --until <file>', the last file that is recorded there",
    "    - run 'migrate --yes' (in an application: 'yes: true') if each connection applies them for itself",
  ].join("\n");
}

function besideTables(tables: readonly string[]): string {
  const shown = quoted(tables.slice(0, 5)) + (tables.length > 5 ? " and others" : "");
  return [
    `This is the first run here, but the database has tables that no file here creates, ${shown}: ` +
    "nothing was applied, as these files may have been applied before",
    "  Ways out:",
    "    - run 'baseline --until <file>', the last file whose changes the database already has",
    "    - run 'adopt --table <name>' if one of these tables is the history of a tool that 'adopt' knows",
    "    - run 'migrate --yes' (in an application: 'yes: true') if none of the files was applied before",
  ].join("\n");
}

/**
 * The histories that say something was applied; those beside what the connection works in, if rows can tell it, and those
 * in a table of another name, only where files are theirs.
 */
export function relevantHistories(
  histories: readonly ForeignHistory[],
  files: readonly ForeignFile[],
): readonly ForeignHistory[] {
  const fits = ({ match }: ForeignHistory) =>
    match?.(files).rows.some(({ path }) => path !== undefined) === true;
  const found = histories.filter((history) =>
    !history.isEmpty &&
    (!(history.isElsewhere || history.isGuessed) || !history.match || fits(history))
  );
  return found.some(({ isGuessed }) => isGuessed) ? found.filter(fits) : found;
}
