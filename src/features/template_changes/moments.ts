import {
  type Applied,
  type AppliedStep,
  type CheckedFiles,
  contentKey,
  ExecutionError,
  type FileProblem,
  MigrationFailedError,
  type Preview,
} from "../../migrations/runner/mod.ts";
import { type Cluster, TransportError } from "../../migrations/search/cluster/cluster.ts";
import { type Json, objectOf } from "../../migrations/search/json/json_values.ts";
import { searchSessionOf } from "../../migrations/search/offers.ts";
import { errorOf, oneLine, printable, quoted } from "../../text/mod.ts";
import { AnswerError } from "../live_indices/expect.ts";
import { type DefinedSeries, definedSeries } from "./defined_series.ts";
import { rollOver, rolloverPath, tryRollover } from "./rollover.ts";
import { Templates, templatesIn } from "./templates.ts";

/** By session, found before its first file: several may define an index together. */
const SURVEYS = new WeakMap<Cluster, { series: DefinedSeries[]; problems: FileProblem[] }>();

type FileStep = Pick<AppliedStep, "offers" | "migration">;

function surveyOf(step: FileStep) {
  return SURVEYS.get(searchSessionOf(step).cluster) ?? { series: [], problems: [] };
}

/** Warns of write indices that are not as the changed templates say; finds why they cannot be rolled over. */
export async function checkTemplates(files: CheckedFiles, changes?: "keep" | "rollover") {
  const { followed, posted } = templatesIn(files.migrations);
  if (followed.length + posted.length === 0) return [];
  const { cluster } = searchSessionOf(files);
  const isRolled = changes === "rollover";
  const [series, problems]: [DefinedSeries[], FileProblem[]] = [[], []];
  SURVEYS.set(cluster, { series, problems });
  const add = (path: string, text: string, severity: FileProblem["severity"] = "warning") => {
    problems.push({ severity, path, message: cluster.redact(printable(text)) });
  };
  for (const { file } of posted) add(file.path, POSTED);
  const runs = Map.groupBy(followed, ({ file }) => changes ? "together" : file.path);
  let live: Promise<Templates> | undefined;
  for (const together of runs.values()) {
    try {
      live ??= Templates.read(cluster);
      series.push(...await definedSeries(await live, together, followed));
    } catch (error) {
      const text = `Cannot read the indices that it reaches: ${refusalOf(error, isRolled)}`;
      add(together[0]!.file.path, text, isRolled ? "error" : "warning");
    }
  }
  const differing = series.filter(({ differences }) => differences.length > 0);
  const groups = Map.groupBy(differing, (one) => JSON.stringify([one.path, one.differences]));
  for (const alike of groups.values()) add(alike[0]!.path, changeNote(alike, isRolled));
  for (const one of isRolled ? differing : []) {
    const failure = one.problem ?? await tryRollover(cluster, one).then(() => "", errorOf);
    // The right to plan does not include that to roll over.
    const isTried = files.purpose === "run" || !(failure instanceof TransportError);
    const what = `Cannot roll over the ${nameOf(one)}: `;
    if (failure) add(one.path, what + refusalOf(failure, isTried), isTried ? "error" : "warning");
  }
  return changes ? problems : [];
}

/** Nothing depends on a note, so only a run that rolls over fails where the cluster gives no answer. */
function refusalOf(error: unknown, isNeeded: boolean): string {
  if (typeof error === "string") return error;
  if (error instanceof AnswerError) return error.message;
  if (error instanceof TransportError && (error.refused || !isNeeded)) return error.message;
  throw error;
}

const POSTED = "Is sent by POST, so what it changes is not compared or rolled over: use PUT";
const SHOWN = 5;

function changeNote(alike: readonly DefinedSeries[], isRolled: boolean): string {
  const names = alike.slice(0, SHOWN).map((one) => `${nameOf(one)} ('${one.index}')`).join(", ");
  const { differences } = alike[0]!;
  const parts = differences.slice(0, SHOWN).map(({ path, live = null, wanted = null }) =>
    `${path} (${oneLine(JSON.stringify(live))}, then ${oneLine(JSON.stringify(wanted))})`
  );
  const older = alike.flatMap((one) => one.older);
  const what = isRolled ? "rolls over" : "takes effect at a rollover of";
  const rest = `; older indices stay (${older.length}): ${quoted(older.slice(0, SHOWN))}`;
  return `Changes new indices (${differences.length}): ${parts.join(", ")}; ` +
    `${what} (${alike.length}): ${names}${older.length > 0 ? rest : ""}`;
}

function nameOf({ kind, name }: DefinedSeries): string {
  return `${kind} '${name}'`;
}

/** With the rollovers of a file; without the key, with what it reaches on its own. */
export function showReach(step: FileStep, preview: Preview, isRolled: boolean): Preview {
  const isOwn = ({ path }: { path: string }) => path === step.migration.file.path;
  const { series, problems } = surveyOf(step);
  if (!isRolled) {
    const found = problems.filter(isOwn).map(({ message }) => message);
    const consequences = [...preview.consequences ?? [], ...found];
    return consequences.length > 0 ? { ...preview, consequences } : preview;
  }
  const rolled = series.filter((one) => isOwn(one) && one.differences.length > 0);
  const requests = rolled.map((one) => `POST ${rolloverPath(one)}`);
  return { ...preview, requests: [...preview.requests, ...requests] };
}

function indicesOf(series: readonly DefinedSeries[]): Readonly<Record<string, string>> {
  return Object.fromEntries(series.map(({ name, index }) => [name, index]));
}

/**
 * Once a file is applied, no template tells what it has removed, so that is recorded before, with the last file that
 * defines the series: it rolls over. @returns the record of this file
 */
async function recordRemoved(step: AppliedStep): Promise<Json> {
  const { migration, work: { begin, entry, progress } } = step;
  const resume: Json = entry.attempt?.resume ?? {};
  const removing = surveyOf(step).series.filter(({ isLess }) => isLess);
  const { followed: own } = templatesIn([migration]);
  if (removing.length === 0 || own.length === 0) return resume;
  // Another client may have rolled over, and an earlier file been applied, since they were compared.
  const live = await Templates.read(searchSessionOf(step).cluster);
  const less = (await definedSeries(live, own, own, removing)).filter(({ isLess }) => isLess);
  const change = (known: Json = {}): Json => {
    return { ...known, removed: { ...objectOf(known.removed), ...indicesOf(less) } };
  };
  for (const path of new Set(less.map((one) => one.path))) {
    if (path !== migration.file.path) await begin(path, change);
    else await progress({ resume: change(resume) });
  }
  return change(resume);
}

/**
 * Applies a template, then rolls over what it reaches and has a write index that is not as it says. Write
 * indices are recorded before their rollover: one that has another by then is not rolled over again.
 */
export async function applyTemplate(step: AppliedStep, next: () => Promise<Applied>) {
  const resume = await recordRemoved(step).catch((thrown) => {
    throw new ExecutionError(failedFile(step, thrown), "none");
  });
  const { migration: { file }, work: { ensureHeld, onProgress, progress, signal } } = step;
  const own = surveyOf(step).series.filter(({ path }) => path === file.path);
  if (own.length === 0) return await next();
  const { cluster } = searchSessionOf(step);
  const content = contentKey(file);
  const begun = objectOf(resume.content === content && resume.rollovers);
  const written = await next();
  const done: string[] = [];
  try {
    const now = await definedSeries(await Templates.read(cluster), [], [], own);
    const left = now.filter(({ name, index, differences }) =>
      [objectOf(resume.removed)[name], begun[name]].includes(index) ||
      (!begun[name] && differences.length > 0)
    );
    if (left.length === 0) return written;
    await progress({ resume: { ...resume, content, rollovers: { ...indicesOf(left), ...begun } } });
    for (const one of left) {
      signal?.throwIfAborted();
      onProgress?.({ message: `rolls over ${nameOf(one)}`, done: done.length, total: left.length });
      await ensureHeld();
      done.push(`${nameOf(one)} (now '${await rollOver(cluster, one)}')`);
    }
  } catch (thrown) {
    const reason = cluster.redact(errorOf(thrown).message);
    const known = `it is applied, rolled over ${done.join(", ") || "none"}, then failed: ${reason}`;
    const error = failedFile(step, thrown, `${known}\n  The next run goes on`);
    throw new ExecutionError(error, "partial", { known });
  }
  const note = [written.note ?? [], `rolled over ${done.join(", ")}`].flat().join("; ");
  return { ...written, note: cluster.redact(printable(note)) };
}

function failedFile(step: AppliedStep, thrown: unknown, message = errorOf(thrown).message): Error {
  if (!(thrown instanceof AnswerError)) return errorOf(thrown);
  const { cluster, connection: { name } } = searchSessionOf(step);
  return new MigrationFailedError(name, step.migration.file.path, cluster.redact(message));
}
