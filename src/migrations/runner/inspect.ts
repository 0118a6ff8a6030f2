import { defined } from "../../text/mod.ts";
import { ConnectionError, InvalidFilesError } from "./errors.ts";
import { namesOf, NO_HISTORY, refuseForeign, relevantHistories } from "./first_run.ts";
import { hashesOf, isSameContent } from "./hash.ts";
import { compareCodePoints, listNotices, misleadingNumbers } from "./order.ts";
import { isAtWork, mayHaveRun } from "./attempts.ts";
import { classifyAll, explain, isSameButLineEnds, Preparation } from "./prepare.ts";
import { isDanger } from "./problems.ts";
import type { FileProblem, FileStatus, PlanNotice, Preview, RunOptions } from "./results.ts";
import type { FailureOptions, Session, Target } from "./moments.ts";
import type { Attempt, JournalEntry, JournalState, LockHolder, MigrationFile } from "./types.ts";

export interface PlannedRun {
  readonly steps: readonly PlannedStep[];
  readonly notices: readonly PlanNotice[];
  /** Only `--yes` applies these steps. */
  readonly dangers?: readonly FileProblem[];
}

interface PlannedStep extends Preview {
  readonly file: string;
  readonly kind: string;
  readonly resource: string;
}

export async function previewRun(
  session: Session,
  files: readonly MigrationFile[],
  { yes = false, onFailure }: Pick<RunOptions, "yes"> & FailureOptions = {},
): Promise<PlannedRun> {
  const notices: PlanNotice[] = [];
  const preparation = new Preparation(session, files, (notice) => notices.push(notice));
  const paths = files.map(({ path }) => path);
  const read = await session.journal.read(paths, hashesOf(files));
  const isGoingOn = isAtWork(read.lockedBy);
  if (isGoingOn) notices.push(...await noticesOfRun(session, read.lockedBy, read));
  const plan = await preparation.plan(isGoingOn ? withoutAttempts(read, files) : read);
  if (plan.steps.length === 0) return { steps: [], notices: [...notices, ...plan.notices] };
  await refuseForeign(session, read, files, plan.steps, yes);
  const executor = await session.executor();
  const migrations = plan.steps.map(({ migration }) => migration);
  const { connection, features, offers } = session;
  const checked = { purpose: "plan", migrations, paths, offers } as const;
  const findings = await features.problems((one) => one.check?.(checked));
  const ofNoFile = findings.filter(({ path }) => !paths.includes(path));
  if (ofNoFile.some(({ severity }) => severity === "error")) {
    throw new InvalidFilesError(ofNoFile, connection);
  }
  const problems = [...ofNoFile, ...await features.dangers(checked)];
  const dangers = problems.filter(isDanger);
  const warnings = problems.filter((problem) => !isDanger(problem));
  notices.push(...warnings.map(({ path, message }) => ({ file: path, message })));
  const steps: PlannedStep[] = [];
  for (const [at, { migration, entry: { applied } }] of plan.steps.entries()) {
    const { file: { path }, kind, resource } = migration;
    const step = { migration, previous: applied, earlier: migrations.slice(0, at), offers };
    const show = () => executor.preview(migration, applied);
    const preview = await features.around(show, (one, next) => one.preview?.(step, next))
      .catch((error): Preview => {
        if (!(error instanceof ConnectionError && error.refused && onFailure)) throw error;
        onFailure(new ConnectionError(connection, `${path}: ${error.message}`), connection);
        return { requests: [], note: `cannot be compared: ${error.message}` };
      });
    const found = [...findings.filter((one) => one.path === path), ...preview.findings ?? []];
    steps.push({ file: path, kind, resource, ...preview, ...(found[0] && { findings: found }) });
  }
  return { steps, notices: [...notices, ...plan.notices], ...(dangers.length > 0 && { dangers }) };
}

async function noticesOfRun(
  session: Session,
  { owner }: LockHolder,
  { entries }: JournalState,
): Promise<readonly PlanNotice[]> {
  const message = `Another run is at work (${owner}): what it does meanwhile is not counted here`;
  const notices: PlanNotice[] = [{ message }];
  for (const { path, attempt } of entries.values()) {
    if (!mayHaveRun(attempt) || !attempt.resume) continue;
    notices.push({ file: path, message: await explain(session, attempt) });
  }
  return notices;
}

/** Work that a run continues is no interruption, unless the file has other content by now, which is due after it. */
function withoutAttempts(
  { entries, unsettled }: JournalState,
  files: readonly MigrationFile[],
): JournalState {
  const present = new Map(files.map((file) => [file.path, file]));
  const settled = [...entries].map(([path, { applied, attempt }]) => {
    const file = present.get(path);
    const isDue = attempt?.repeatSafe && file && isSameContent(applied, file) &&
      !isSameContent(attempt, file);
    return [path, { path, ...(applied && { applied }), ...(isDue && { attempt }) }] as const;
  });
  return { entries: new Map(settled), unsettled };
}

export async function problemsOf(
  target: Target,
  files: readonly MigrationFile[],
): Promise<readonly FileProblem[]> {
  const { features, offers } = target;
  const classifier = await target.classifier();
  const { migrations, problems } = await classifyAll(
    classifier,
    files,
    (migration) => features.problems((one) => one.look?.(migration, target)),
  );
  const paths = files.map(({ path }) => path);
  const checked = { purpose: "validate", migrations, paths, offers } as const;
  return [
    ...problems,
    ...classifier.check(migrations),
    ...await features.problems((one) => one.check?.(checked)),
    ...listNotices(files),
    ...misleadingNumbers(files),
  ];
}

export interface ConnectionStatus {
  readonly files: readonly FileStatus[];
  readonly otherHistory?: string;
  readonly lockedBy?: LockHolder;
}

export async function statusOf(
  session: Session,
  files: readonly MigrationFile[],
): Promise<ConnectionStatus> {
  const { journal } = session;
  const paths = files.map(({ path }) => path);
  const { entries, isNew, lockedBy } = await journal.read(paths, hashesOf(files));
  const { histories } = isNew && files.length > 0 ? await session.foreign() : { histories: [] };
  const otherHistory = namesOf(relevantHistories(histories, files)) || undefined;
  // An entry that was read by name is newer than one that a search finds.
  const all = new Map([...await journal.list(), ...entries]);
  all.delete(NO_HISTORY);
  const needsExecutor = files.some((file) => {
    const { applied, attempt } = all.get(file.path) ?? {};
    return attempt !== undefined || (applied && !isSameContent(applied, file));
  }) || [...all.values()].some(({ attempt }) => mayHaveRun(attempt));
  const loaded = needsExecutor ? await session.executor() : undefined;
  const isGoingOn = isAtWork(lockedBy);
  // By the clock of this machine, which may be wrong.
  const unless = lockedBy?.stale ? `, unless ${lockedBy.owner} is still at work` : "";
  // The progress of work in many steps is known while a run continues, too.
  const knownOf = async (attempt: Attempt | undefined) =>
    mayHaveRun(attempt) && (!isGoingOn || attempt.resume)
      ? `${await explain(session, attempt)}${unless}`
      : undefined;
  const stateIn = async (file: MigrationFile, entry: JournalEntry | undefined) => {
    const recorded = await recordedState(file, entry, loaded?.ignoresLineEnds === true);
    return stateOf(recorded, isGoingOn ? undefined : entry?.attempt);
  };
  const present = new Map(files.map((file) => [file.path, file]));
  const found: FileStatus[] = [];
  for (const path of new Set([...present.keys(), ...all.keys()])) {
    const [file, entry] = [present.get(path), all.get(path)];
    const known = await knownOf(entry?.attempt);
    if (!file && entry?.applied === undefined && known === undefined) continue;
    const state = file ? await stateIn(file, entry) : "missing";
    const { executedAt, executedBy } = entry?.applied ?? {};
    found.push({ file: path, state, ...defined({ executedAt, executedBy, known }) });
  }
  found.sort((a, b) => compareCodePoints(a.file, b.file));
  return { files: found, ...defined({ otherHistory, lockedBy }) };
}

function stateOf(recorded: FileStatus["state"], attempt: Attempt | undefined): FileStatus["state"] {
  const isSettled = recorded === "applied";
  if (mayHaveRun(attempt)) return attempt.repeatSafe && !isSettled ? recorded : "interrupted";
  return isSettled && attempt?.again ? "changed" : recorded;
}

async function recordedState(
  file: MigrationFile,
  entry: JournalEntry | undefined,
  ignoresLineEnds: boolean,
): Promise<FileStatus["state"]> {
  if (entry?.applied === undefined) return "pending";
  if (isSameContent(entry.applied, file)) return "applied";
  const isSame = ignoresLineEnds && await isSameButLineEnds(await file.read(), entry.applied.hash);
  return isSame ? "applied" : "changed";
}
