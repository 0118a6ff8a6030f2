import { HistoryError, InvalidFilesError } from "./errors.ts";
import type { ForeignHistory, ForeignMatch, ForeignRow } from "./foreign.ts";
import { hashesOf } from "./hash.ts";
import { leftBehindOf, mayHaveRun } from "./attempts.ts";
import { interruption } from "./plan.ts";
import { classifyAll, isSameButLineEnds } from "./prepare.ts";
import type { FileProblem, PlanNotice } from "./results.ts";
import type { Executor, JournalEntry, Migration, MigrationFile, Session } from "./types.ts";

/** How a history is taken over. */
export interface AdoptOptions {
  /** Which tool's, where there are several; `none` records nothing and lets `migrate` begin. */
  readonly from?: string;
  /** Whether nothing is written. @default false */
  readonly dryRun?: boolean;
  /** Files of the other tool that are not ours, for its checksums. @default none */
  readonly originals?: readonly MigrationFile[];
}

/** What {@linkcode adopt} found and did. */
export interface Adoption {
  /** The tool, `Flyway`; absent where there is no history. */
  readonly tool?: string;
  /** Where its history is, `the table 'flyway_schema_history'`. */
  readonly place?: string;
  /** In the order of the tool. */
  readonly rows: readonly AdoptedRow[];
  /** Files that no row is of and that are not recorded, in order. */
  readonly pending: readonly string[];
  /** Worth telling. */
  readonly notices: readonly PlanNotice[];
  /** Whether what was to be recorded is. */
  readonly isRecorded: boolean;
  /** Why nothing was recorded, and the rows that say so have a `reason`. */
  readonly refused?: HistoryError;
}

/** A row of the other tool's history, and what becomes of it. */
export interface AdoptedRow {
  /** As the tool names it. */
  readonly name: string;
  /** Path of the file that it is. */
  readonly file?: string;
  /**
   * `adopted`: it is recorded, or would be. `known`: it was recorded before. `missing`: there is no such file. `differs`:
   * the file is not what the tool has applied. `conflict`: another content of it is recorded. `failed`: the tool itself
   * says so.
   */
  readonly state: "adopted" | "known" | "missing" | "differs" | "conflict" | "failed";
  /** Why it cannot be recorded, a line each. */
  readonly reason?: readonly string[];
}

/**
 * Records what another tool has applied, all of it or nothing. Its own history stays as it is.
 *
 * @throws {HistoryError} when it is not clear whose history is meant, or it cannot be taken over at all
 * @throws {InvalidFilesError} when a file would undo what it has made: it would do so on a new database
 * @throws {InterruptedError} when an earlier run was cut off in one of the files
 * @throws {LockedError} when another run is going on
 */
export async function adopt<M extends Migration>(
  session: Session<M>,
  files: readonly MigrationFile[],
  { from, dryRun = false, originals = [] }: AdoptOptions = {},
  signal?: AbortSignal,
): Promise<Adoption> {
  const { journal } = session;
  const nothing = { rows: [], pending: [], notices: [], isRecorded: false };
  if (from === "none") {
    if (!dryRun) await begin(session, files, signal);
    return { ...nothing, isRecorded: !dryRun };
  }
  const history = choose(session.connection, await session.foreign?.() ?? [], from);
  if (history === undefined) return nothing;
  const { tool, place } = history;
  const match = history.match(files.map(({ path }) => path));
  const read = await journal.read(files.map(({ path }) => path), hashesOf(files));
  const executor = await session.executor();
  const adopting = { files, originals, executor };
  const { rows, unchecked } = await judge(adopting, match.rows, read.entries);
  const wanted = filesOf(rows, files);
  const named = new Set(rows.map(({ file }) => file));
  const rest = files.filter(({ path }) =>
    !named.has(path) && read.entries.get(path)?.applied === undefined
  );
  const pending = rest.map(({ path }) => path);
  const found = {
    tool,
    place,
    rows,
    pending,
    notices: [
      ...notesOf(history, unchecked),
      ...misordered(tool, files.map(({ path }) => path), pending, match.compare),
    ],
  };
  const refused = refusal(session.connection, history, rows);
  if (refused) return { ...found, isRecorded: false, refused };
  const { migrations, problems } = await classifyAll(executor, wanted);
  const undoing = [...problems, ...(await classifyAll(executor, rest)).problems]
    .filter(({ undoes }) => undoes);
  if (undoing.length > 0) throw new InvalidFilesError(undoing, session.connection);
  const notices = [...found.notices, ...problems.map(unfit)];
  // All that there are come after it: the next run may begin.
  if (!dryRun && wanted.length === 0 && read.isNew) await begin(session, files, signal);
  if (dryRun || wanted.length === 0) return { ...found, notices, isRecorded: false };
  await record(session, { ...adopting, wanted }, match.rows, migrations, read, signal);
  return { ...found, notices, isRecorded: true };
}

/** A file that was applied by the other tool, and that a run of ours could not apply: it may not be edited any more. */
function unfit({ path, line, column, message }: FileProblem): PlanNotice {
  const place = line === undefined ? "" : ` (line ${line}, column ${column})`;
  return { file: path, message: `It cannot be applied to a new database${place}: ${message}` };
}

/** What files are judged and read by. */
interface Adopting {
  readonly files: readonly MigrationFile[];
  readonly originals: readonly MigrationFile[];
  readonly executor: Pick<Executor, "ignoresLineEnds" | "explain">;
}

/** The history that is meant. @throws {HistoryError} when that is not clear, or its rows do not tell their files */
function choose(
  connection: string,
  all: readonly ForeignHistory[],
  from: string | undefined,
): ForeignHistory & { readonly match: NonNullable<ForeignHistory["match"]> } | undefined {
  const named = from === undefined
    ? all.filter(({ isEmpty }) => !isEmpty)
    : all.filter(({ id }) => id === from);
  const list = (histories: readonly ForeignHistory[]) =>
    histories.map(({ id, place }) => `'${id}' (${place})`).join(", ") || "none";
  if (from !== undefined && named.length === 0) {
    throw new HistoryError(connection, `There is no history of '${from}': found ${list(all)}`);
  }
  const [history, ...others] = named;
  if (history === undefined) return undefined;
  if (others.length > 0) {
    const message = `There are several histories, ${list(named)}: say which one by '--from <tool>'`;
    throw new HistoryError(connection, message);
  }
  const { tool, place, match } = history;
  if (match) return { ...history, match };
  const lines = [
    `${place} is a history of ${tool}, whose rows do not tell which file they are`,
    "  Lay its migrations here as files of ours, in order, and record those it has applied:",
    "    baseline --until <file>   the last of them",
  ];
  throw new HistoryError(connection, capital(lines.join("\n")));
}

/** Which rows can be recorded, and why the others cannot; `unchecked` are files whose content nobody can compare. */
async function judge(
  { files, originals, executor }: Adopting,
  rows: readonly ForeignRow[],
  entries: ReadonlyMap<string, JournalEntry>,
): Promise<{ readonly rows: readonly AdoptedRow[]; readonly unchecked: readonly string[] }> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const unchecked: string[] = [];
  const judged: AdoptedRow[] = [];
  for (const { name, path, failed, checksum } of rows) {
    const file = path === undefined ? undefined : byPath.get(path);
    const row = { name, ...(file && { file: file.path }) };
    if (failed !== undefined) {
      judged.push({ ...row, state: "failed", reason: [failed] });
      continue;
    }
    if (file === undefined) {
      judged.push({ ...row, state: "missing" });
      continue;
    }
    const applied = entries.get(file.path)?.applied;
    if (applied !== undefined) {
      judged.push({ ...row, ...await compare(file, applied.hash, executor) });
      continue;
    }
    const original = checksum?.original === undefined
      ? file
      : originals.find((candidate) => candidate.path === checksum.original);
    if (checksum === undefined || original === undefined) {
      unchecked.push(file.path);
      judged.push({ ...row, state: "adopted" });
      continue;
    }
    const forms = await checksum.of(await original.read());
    if (forms.includes(checksum.recorded)) {
      judged.push({ ...row, state: "adopted" });
      continue;
    }
    const reason = [`applied  ${checksum.recorded}`, `now      ${forms[0]}`];
    judged.push({ ...row, state: "differs", reason });
  }
  return { rows: judged, unchecked };
}

async function compare(
  file: MigrationFile,
  recorded: string,
  { ignoresLineEnds }: Adopting["executor"],
): Promise<Pick<AdoptedRow, "state" | "reason">> {
  if (recorded === file.hash) return { state: "known" };
  const isSame = ignoresLineEnds && await isSameButLineEnds(await file.read(), recorded);
  if (isSame) return { state: "known" };
  return { state: "conflict", reason: [`recorded  ${recorded}`, `now       ${file.hash}`] };
}

/** Why nothing of it is recorded. */
function refusal(
  connection: string,
  { tool, place }: ForeignHistory,
  rows: readonly AdoptedRow[],
): HistoryError | undefined {
  const count = (state: AdoptedRow["state"]) => rows.filter((row) => row.state === state).length;
  const [failed, differs, conflict] = [count("failed"), count("differs"), count("conflict")];
  const many = (number: number) => number === 1 ? "1 file" : `${number} files`;
  const reasons = [
    ...failed > 0
      ? [
        `${tool} itself says that ${
          failed === 1 ? "a migration" : `${failed} migrations`
        } failed ` +
        "or went on when it stopped: settle that with it first",
      ]
      : [],
    ...differs > 0
      ? [`${many(differs)} changed since ${tool} had applied them: undo the edits`]
      : [],
    ...conflict > 0
      ? [
        `${many(conflict)} ${conflict === 1 ? "is" : "are"} recorded already, with another content`,
      ]
      : [],
    ...rows.length > 0 && count("missing") === rows.length
      ? [`none of the files here is one of ${place}: lay them here under the names they had`]
      : [],
  ];
  if (reasons.length === 0) return undefined;
  const message = `Cannot take the history of ${tool} over, nothing was recorded: `;
  return new HistoryError(connection, message + reasons.join("; "));
}

function notesOf({ tool }: ForeignHistory, unchecked: readonly string[]): readonly PlanNotice[] {
  if (unchecked.length === 0) return [];
  const [number, are] = unchecked.length === 1
    ? ["1 file", "it counts"]
    : [`${unchecked.length} files`, "they count"];
  const message = `${tool} has no checksum to compare with ${number}: ${are} as now`;
  return [{ message }];
}

/** Files that the tool applies in another order: each that is still to be applied, and how many of the others. */
function misordered(
  tool: string,
  paths: readonly string[],
  pending: readonly string[],
  compare: ForeignMatch["compare"],
): readonly PlanNotice[] {
  if (compare === undefined) return [];
  const isPending = new Set(pending);
  const pairs = paths.slice(1).map((next, index) => [paths[index]!, next] as const)
    .filter(([file, next]) => compare(file, next) > 0);
  const [first, ...more] = pairs.filter(([file, next]) => {
    return !isPending.has(file) || !isPending.has(next);
  });
  return [
    ...first === undefined ? [] : [{
      file: first[0],
      message: `On a new database it runs before '${first[1]}', which ${tool} applies first` +
        `${more.length === 0 ? "" : `, and so it is ${more.length} times more`}: ${RENAME}`,
    }],
    ...pairs.filter(([file, next]) => isPending.has(file) && isPending.has(next))
      .map(([file, next]) => ({
        file,
        message: `It runs before '${next}', which ${tool} would apply first: ${RENAME}`,
      })),
  ];
}

const RENAME = "paths are compared by character, so rename one of the two, before it is recorded";

function filesOf(
  rows: readonly AdoptedRow[],
  files: readonly MigrationFile[],
): readonly MigrationFile[] {
  const wanted = new Set(rows.flatMap(({ state, file }) => state === "adopted" ? [file] : []));
  return files.filter(({ path }) => wanted.has(path));
}

/** Writes the records, if under the lock all is as it was judged. */
async function record<M extends Migration>(
  { connection, journal, owner }: Session<M>,
  { executor, wanted }: Adopting & { readonly wanted: readonly MigrationFile[] },
  rows: readonly ForeignRow[],
  migrations: readonly M[],
  read: Awaited<ReturnType<Session["journal"]["read"]>>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const known = new Map(migrations.map(({ file: { path }, kind, resource }) => {
    return [path, { kind, resource }] as const;
  }));
  let { entries } = read;
  await journal.lock(read, (held) => {
    ({ entries } = held);
    for (const { path } of wanted) {
      const { applied, attempt } = entries.get(path) ?? {};
      if (mayHaveRun(attempt)) {
        throw interruption(connection, path, { ...attempt, known: executor.explain(attempt) });
      }
      if (applied === undefined) continue;
      const message = `Another run has recorded '${path}' meanwhile: run 'adopt' again`;
      throw new HistoryError(connection, message);
    }
    return Promise.resolve(new Map());
  }, signal);
  try {
    const byPath = new Map(rows.map((row) => [row.path, row]));
    await journal.write(wanted.map(({ path, hash }) => {
      const { executedAt, executedBy, durationMs } = byPath.get(path)!;
      return {
        path,
        applied: {
          hash,
          executedAt: executedAt ?? new Date(),
          executedBy: executedBy ?? owner,
          ...(durationMs !== undefined && { durationMs }),
          ...known.get(path),
          note: "recorded without applying it",
          ...leftBehindOf(entries.get(path)),
        },
      };
    }));
  } finally {
    await journal.unlock();
  }
}

/** Takes the lock once, which makes the place of the records: no later run takes itself for the first. */
async function begin(
  { journal }: Session,
  files: readonly MigrationFile[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const read = await journal.read(files.map(({ path }) => path), hashesOf(files));
  await journal.lock(read, () => Promise.resolve(new Map()), signal);
  await journal.unlock();
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
