import { defined } from "../../text/mod.ts";
import { attemptOf, mayHaveRun } from "./attempts.ts";
import { hasOtherSecrets, isSameContent } from "./hash.ts";
import { InterruptedError, MigrationFailedError } from "./errors.ts";
import type { PlanNotice } from "./results.ts";
import type {
  Attempt,
  FileIdentity,
  JournalEntry,
  JournalState,
  Migration,
  MigrationFile,
  MigrationRecord,
} from "./types.ts";

export interface Step {
  readonly migration: Migration;
  /** An earlier file of the run may record what this one has to go on with. */
  entry: JournalEntry;
}

export interface Plan {
  readonly steps: readonly Step[];
  readonly notices: readonly PlanNotice[];
}

export const NO_PLAN: Plan = { steps: [], notices: [] };

export interface PlanInput {
  readonly connection: string;
  readonly files: readonly MigrationFile[];
  readonly state: JournalState;
  readonly migrations: ReadonlyMap<string, Migration>;
  /** Paths of files that differ from what is recorded by their line ends alone. */
  readonly sameButLineEnds: ReadonlySet<string>;
  /** The last applied file whose place in the order matters. */
  readonly lastApplied: MigrationFile | undefined;
  /** Files to apply again, though unchanged, because of those that are pending; these may be among them. */
  readonly followers: (pending: ReadonlySet<string>) => ReadonlySet<string>;
  /** The facts about files whose run was interrupted, by their paths. */
  readonly known: ReadonlyMap<string, string>;
}

/** Reference section 3. Pure. @throws {InterruptedError | MigrationFailedError} */
export function planSteps(input: PlanInput): Plan {
  const { files, lastApplied, migrations, sameButLineEnds, state } = input;
  refuseInterrupted(input);
  const notices = [...deletedNotices(input)];
  const pending = pendingPaths(input);
  const again = input.followers(pending);
  const steps: Step[] = [];
  const lastPlace = lastApplied ? files.indexOf(lastApplied) : -1;
  for (const [place, file] of files.entries()) {
    const { path } = file;
    if (sameButLineEnds.has(path)) notices.push({ file: path, message: LINE_ENDS });
    if (!pending.has(path) && !again.has(path)) {
      notices.push(...secretNotices([file], state));
      continue;
    }
    const entry = state.entries.get(path) ?? { path };
    const migration = migrations.get(path)!;
    const order = place < lastPlace && entry.applied === undefined && !migration.unordered
      ? `Out of order: it sorts before '${lastApplied?.path}', which was applied earlier`
      : undefined;
    const isChanged = isEdited(migration, entry, input);
    if (isChanged && migration.onChange === "fail" && !mayHaveRun(entry.attempt)) {
      throw edited(input.connection, migration, entry.applied!);
    }
    const notice = messageOf(entry, migration, isChanged, input.known.get(path), again.has(path)) ??
      order;
    if (notice !== undefined) notices.push({ file: path, message: notice });
    steps.push({ migration, entry });
  }
  return { steps, notices };
}

function* deletedNotices(
  { files, state: { entries }, known: knownOf }: PlanInput,
): Iterable<PlanNotice> {
  const known = new Set(files.map(({ path }) => path));
  for (const [path, { attempt }] of entries) {
    if (known.has(path) || !mayHaveRun(attempt)) continue;
    yield {
      file: path,
      message: `The file was deleted after a run stopped in it: ${knownOf.get(path)}` +
        (attempt.resume ? "" : `; 'resolve ${path} --retry' ends this notice`),
    };
  }
}

function pendingPaths(
  { files, state: { entries }, sameButLineEnds }: PlanInput,
): ReadonlySet<string> {
  const isPending = (file: MigrationFile) => {
    const { applied, attempt } = entries.get(file.path) ?? {};
    const isChanged = !isSameContent(applied, file) && !sameButLineEnds.has(file.path);
    return isChanged || mayHaveRun(attempt) || attempt?.again !== undefined;
  };
  return new Set(files.filter(isPending).map(({ path }) => path));
}

/** Whether what was applied of a file is not what it is now. */
function isEdited({ file }: Migration, { applied }: JournalEntry, { sameButLineEnds }: PlanInput) {
  return applied !== undefined && !isSameContent(applied, file) && !sameButLineEnds.has(file.path);
}

const LINE_ENDS = "It differs from what was applied by its line ends alone: it is the same file";

export function announce({ steps }: Plan, owner: string): ReadonlyMap<string, Attempt> {
  return new Map(steps.map(({ migration, entry, entry: { path, attempt } }) => {
    // As long as it is not begun again, the reason of its failure stays.
    const known = mayHaveRun(attempt) ? attempt.known : undefined;
    return [path, { ...attemptOf(migration, entry, owner), ...defined({ known }) }];
  }));
}

/** Work that must not be repeated, and may have been done, needs a decision of the operator. */
function refuseInterrupted({ connection, files, state, migrations, known }: PlanInput): void {
  for (const file of files) {
    const { path } = file;
    const { attempt } = state.entries.get(path) ?? {};
    const migration = migrations.get(path);
    if (!mayHaveRun(attempt) || (attempt.repeatSafe ?? migration?.repeatSafe)) continue;
    // Work in the background of the server can be followed to its end.
    if (attempt.task !== undefined && isSameContent(attempt, file)) continue;
    const begun = { ...attempt, known: known.get(path)! };
    throw interruption(connection, path, begun, migration?.resource);
  }
}

export function interruption(
  connection: string,
  path: string,
  { known, resume }: Attempt,
  resource?: string,
): InterruptedError {
  const subject = `'${path}'${resource === undefined ? "" : ` (${resource})`}`;
  const ways = resume
    ? [
      "  It cannot be recorded as applied. The next run goes on with it; to give it up instead:",
      `    resolve ${path} --abandon   what can be undone of it is undone`,
    ]
    : [
      "  Check what is applied, and finish or undo it by hand if it is only a part. Then resolve the file, and run again:",
      `    resolve ${path} --applied   all of it is applied now`,
      `    resolve ${path} --retry     nothing of it is applied, or it may run again: the next run applies it`,
    ];
  const lines = [`An earlier run stopped in ${subject}: ${known}`, ...ways];
  return new InterruptedError(connection, path, lines.join("\n"));
}

function messageOf(
  { applied, attempt }: JournalEntry,
  { file, repeatSafe, resource }: Migration,
  isEdited: boolean,
  known: string | undefined,
  isFollower: boolean,
): string | undefined {
  if (mayHaveRun(attempt)) {
    if (attempt.resume) return `An earlier run was cut off here: ${known}`;
    if (attempt.task !== undefined && isSameContent(attempt, file)) {
      return "An earlier run was cut off here: its work goes on in the background, and is waited for";
    }
    return attempt.known === undefined
      ? "An earlier run was cut off here: it is applied again"
      : `An earlier run failed here (${attempt.known}): it is applied again`;
  }
  const change = applied && changeOfValues(applied, file);
  if (change !== undefined) return `${resource} is sent again: ${change}`;
  if (isEdited) return repeatSafe ? undefined : `It was edited: ${resource} is sent again`;
  if (applied === undefined) return undefined;
  if (hasOtherSecrets(applied, file)) return `${secretsOf(file)} has changed: it is applied again`;
  const reason = isFollower ? ": an earlier file for the same resource is applied" : "";
  return `Applied again, though it did not change${reason}`;
}

/** Files of which only secrets have changed: a new password must not repeat a request. */
export function secretNotices(
  files: readonly MigrationFile[],
  { entries }: Pick<JournalState, "entries">,
): readonly PlanNotice[] {
  return files.filter((file) => hasOtherSecrets(entries.get(file.path)?.applied, file))
    .map((file) => {
      const { path } = file;
      const change = `${secretsOf(file)} has changed since it was applied`;
      const ways = `'resolve ${path} --retry' lets the next run do so, ` +
        `'baseline --changed ${path}' records that it is so already`;
      return { file: path, message: `${change}, which is no reason to apply it again: ${ways}` };
    });
}

function changeOfValues(applied: MigrationRecord, file: FileIdentity): string | undefined {
  if (applied.hash !== file.hash || isSameContent(applied, file)) return undefined;
  if (file.values === undefined) return "its placeholders were taken out of the configuration";
  const { names, secretNames } = file.values;
  const all = inBrackets([...names, ...secretNames]);
  if (applied.values === undefined) return `its placeholders${all} got their values`;
  // If all are secrets, only the set of names makes a difference.
  if (names.length === 0) return `what is declared of its placeholders${all} was changed`;
  return `the values of its placeholders${inBrackets(names)} were changed`;
}

function secretsOf({ values }: Pick<FileIdentity, "values">): string {
  const { secretNames = [] } = values ?? {};
  return `${secretNames.length > 1 ? "One of the values" : "The value"} of ${spelled(secretNames)}`;
}

function inBrackets(names: readonly string[]): string {
  return names.length === 0 ? "" : ` (${spelled(names)})`;
}

function spelled(names: readonly string[]): string {
  return [...new Set(names)].map((name) => `'\${${name}}'`).join(", ");
}

function edited(
  connection: string,
  { file }: Migration,
  applied: MigrationRecord,
): MigrationFailedError {
  const change = changeOfValues(applied, file);
  const at = applied.executedAt.toISOString();
  const isSql = file.path.toLowerCase().endsWith(".sql");
  const [what, ...ways] = change !== undefined
    ? [
      `${change} after it had been applied (${at})`,
      "  Ways out:",
      "    - give them back the values that they had, and put the change into a new file",
      "    - set 'migrations.on_change: reapply' for the connection to run it again",
    ]
    : [
      `it was edited after it had been applied (${at})`,
      `  applied  ${applied.hash}`,
      `  now      ${file.hash}`,
      "  Ways out:",
      "    - undo the edit and put the change into a new file",
      ...isSql
        ? ["    - start the file with '-- irori: repeatable' if it may run again after each edit"]
        : [],
      "    - set 'migrations.on_change: reapply' for the connection to run every edited file again",
    ];
  const lines = [
    `Cannot apply '${file.path}': ${what}`,
    ...ways,
    `    - run 'baseline --changed ${file.path}' to record it as it is now, without applying it`,
  ];
  return new MigrationFailedError(connection, file.path, lines.join("\n"));
}
