import { type AdoptedRow, type Answers, decide, judge, withRenamed } from "./adopt_rows.ts";
import { misordered, notOmitted, refusal, uncheckedFiles } from "./adopt_words.ts";
import {
  classifyAll,
  contentOf,
  type FileProblem,
  type ForeignHistory,
  type ForeignRow,
  hashesOf,
  HistoryError,
  InvalidFilesError,
  leftBehindOf,
  listNotices,
  type Migration,
  type MigrationFile,
  NO_HISTORY,
  type PlanNotice,
  refuseBegun,
  relevantHistories,
  type Session,
  whileLocked,
} from "../../migrations/runner/mod.ts";

export interface AdoptOptions extends Answers {
  /** Which tool's, where there are several; `none` records nothing and lets `migrate` begin. */
  readonly from?: string | undefined;
  /** The table of its history, where it has another name than the tool gives it. */
  readonly table?: string | undefined;
  readonly dryRun?: boolean;
  readonly originals?: readonly MigrationFile[];
}

export interface Adoption {
  readonly tool?: string;
  readonly place?: string;
  readonly rows: readonly AdoptedRow[];
  readonly pending: readonly string[];
  readonly notices: readonly PlanNotice[];
  readonly isRecorded: boolean;
  readonly refused?: HistoryError;
}

/** All or nothing; the tool's own history stays. @throws {HistoryError | InvalidFilesError | InterruptedError | LockedError} */
export async function adopt<M extends Migration>(
  session: Session<M>,
  files: readonly MigrationFile[],
  options: AdoptOptions = {},
  signal?: AbortSignal,
): Promise<Adoption> {
  const { from, table, dryRun = false, originals = [] } = options;
  const { journal } = session;
  const nothing = { rows: [], pending: [], notices: [], isRecorded: false };
  if (from === "none") {
    if (!dryRun) await begin(session, files, signal);
    return { ...nothing, isRecorded: !dryRun };
  }
  const { histories } = await session.foreign();
  const history = choose(session.connection, histories, files, { from, table });
  if (history === undefined) return nothing;
  const { tool, place } = history;
  const paths = files.map(({ path }) => path);
  const match = history.match(files);
  const matched = withRenamed(match.rows, paths);
  const read = await journal.read(paths, hashesOf(files));
  const isOpen = (path: string) => read.entries.get(path)?.applied === undefined;
  const executor = await session.executor();
  const judged = await judge(files, originals, executor, matched, read.entries);
  const rows = decide(judged.rows, { ...options, omitted: match.omitted?.filter(isOpen) });
  const adopted = new Set(rows.flatMap(({ state, file }) => state === "adopted" ? [file] : []));
  const wanted = files.filter(({ path }) => adopted.has(path));
  const named = new Set(rows.map(({ file }) => file));
  const rest = files.filter(({ path }) => !named.has(path) && isOpen(path));
  const pending = rest.map(({ path }) => path);
  const found = {
    tool,
    place,
    rows,
    pending,
    notices: [
      ...uncheckedFiles(history, judged.unchecked),
      ...listNotices(files).filter(({ path }) => isOpen(path))
        .map(({ path, message }) => ({ file: path, message })),
      ...misordered(tool, paths, pending, { ...match, dryRun }),
    ],
  };
  const refused = refusal(session.connection, history, rows) ??
    notOmitted(session.connection, tool, pending, options.skip);
  if (refused) return { ...found, isRecorded: false, refused };
  const { migrations, problems } = await classifyAll(executor, wanted);
  const undoing = [...problems, ...(await classifyAll(executor, rest)).problems]
    .filter(({ undoes }) => undoes);
  if (undoing.length > 0) throw new InvalidFilesError(undoing, session.connection);
  const notices = [...found.notices, ...problems.map(unfit)];
  // All that there are come after it: the next run may begin.
  if (!dryRun && wanted.length === 0 && read.isNew) await begin(session, files, signal);
  if (dryRun || wanted.length === 0) return { ...found, notices, isRecorded: false };
  const verified = new Set(rows.flatMap(({ file, isVerified }) => isVerified ? [file] : []));
  const isDone = await record(session, wanted, verified, matched, migrations, read, signal);
  // Another run was quicker: what it has recorded is judged as any other.
  if (!isDone) return await adopt(session, files, options, signal);
  return { ...found, notices, isRecorded: true };
}

/** A file that was applied by the other tool, and that a run of ours could not apply: it may not be edited any more. */
function unfit({ path, line, column, message }: FileProblem): PlanNotice {
  const place = line === undefined ? "" : ` (line ${line}, column ${column})`;
  return { file: path, message: `It cannot be applied to a new database${place}: ${message}` };
}

/** @throws {HistoryError} when the choice of the history is ambiguous, or its rows do not name their files */
function choose(
  connection: string,
  all: readonly ForeignHistory[],
  files: readonly MigrationFile[],
  { from, table }: Readonly<Record<"from" | "table", string | undefined>>,
): ForeignHistory & { readonly match: NonNullable<ForeignHistory["match"]> } | undefined {
  const isChosen = from !== undefined || table !== undefined;
  const named = isChosen
    ? all.filter((history) => {
      return (from ?? history.id) === history.id && (table ?? history.table) === history.table;
    })
    : relevantHistories(all, files);
  const list = (histories: readonly ForeignHistory[]) =>
    histories.map(({ id, place }) => `'${id}' (${place})`).join(", ") || "none";
  if (isChosen && named.length === 0) {
    const missing = table === undefined
      ? `of '${from}'`
      : `of a known tool in the table '${table}'`;
    const near = all.find((history) => history.table?.endsWith(`.${table}`));
    const hint = near ? `; say '--table ${near.table}'` : "";
    throw new HistoryError(connection, `There is no history ${missing}: found ${list(all)}${hint}`);
  }
  const [history, ...others] = named;
  if (history === undefined) return undefined;
  if (others.length > 0) {
    const message = `There are several histories, ${list(named)}: choose one by '--from <tool>' ` +
      "or '--table <name>'";
    throw new HistoryError(connection, message);
  }
  const { id, tool, place, match, isElsewhere, isUnreadable } = history;
  if (isElsewhere && match && !isChosen) {
    const message = `There is a history of ${tool} in another schema, ${place}: let the ` +
      `connection work in that schema ('?currentSchema=' in its URL), or say '--from ${id}' or ` +
      `'--table ${history.table}' where its files work in this one`;
    throw new HistoryError(connection, message);
  }
  if (isUnreadable) {
    const message = `The user of this connection has no right to read ${place}, ` +
      `which may be a history of ${tool}`;
    throw new HistoryError(connection, message);
  }
  if (match) return { ...history, match };
  const lines = [
    `${place} is a history of ${tool}, whose rows do not tell which file they are`,
    "  Lay its migrations here as files of ours, in order, and record those it has applied:",
    "    baseline --until <file>   the last of them",
  ];
  throw new HistoryError(connection, capital(lines.join("\n")));
}

/** Writes the records. @returns whether under the lock all was as it was judged; if not, nothing is written */
async function record<M extends Migration>(
  session: Session<M>,
  wanted: readonly MigrationFile[],
  verified: ReadonlySet<string | undefined>,
  rows: readonly ForeignRow[],
  migrations: readonly M[],
  read: Awaited<ReturnType<Session["journal"]["read"]>>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { journal, owner } = session;
  const known = new Map(migrations.map((migration) => [migration.file.path, migration]));
  const byPath = new Map(rows.map((row) => [row.path, row]));
  const check = (entries: typeof read.entries) => refuseBegun(session, wanted, entries);
  return await whileLocked(
    journal,
    read,
    async (entries) => {
      if (wanted.some(({ path }) => entries.get(path)?.applied)) return false;
      await journal.write(wanted.map((file) => {
        const { path } = file;
        const { executedAt, executedBy, durationMs } = byPath.get(path) ?? {};
        const { kind, resource } = known.get(path) ?? {};
        return {
          path,
          applied: {
            ...contentOf(file),
            executedAt: executedAt ?? new Date(),
            executedBy: executedBy ?? owner,
            // Drift takes a record with a duration for an applied file.
            ...(verified.has(path) && { durationMs: durationMs ?? 0 }),
            ...(kind && { kind, resource }),
            note: "recorded without applying it",
            ...leftBehindOf(entries.get(path)),
          },
        };
      }));
      return true;
    },
    signal,
    check,
  );
}

/** Records that no file here was applied by another tool: no later run takes itself for the first. */
async function begin(
  { journal, owner }: Session,
  files: readonly MigrationFile[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const read = await journal.read(files.map(({ path }) => path), hashesOf(files));
  await whileLocked(journal, read, async () => {
    if ((await journal.list()).has(NO_HISTORY)) return;
    const applied = { hash: "0".repeat(64), executedAt: new Date(), executedBy: owner };
    await journal.write([{ path: NO_HISTORY, applied }]);
  }, signal);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
