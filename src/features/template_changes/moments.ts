import {
  type Applied,
  type AppliedStep,
  type CheckedFiles,
  ExecutionError,
  type FileProblem,
  mayHaveRun,
  MigrationFailedError,
  type Preview,
} from "../../migrations/runner/mod.ts";
import { type Cluster, TransportError } from "../../migrations/search/cluster/cluster.ts";
import { isEmpty, objectOf } from "../../migrations/search/json/json_values.ts";
import { searchMigrations, searchSessionOf } from "../../migrations/search/offers.ts";
import { errorOf, oneLine, printable, quoted } from "../../text/mod.ts";
import { copyKey } from "../reindex/copy_state.ts";
import { AnswerError } from "../reindex/expect.ts";
import { type Reached, reachOf } from "./reach.ts";
import { rollOver, rolloverPath, tryRollover } from "./rollover.ts";
import { isTemplate } from "./templates.ts";

/** Several files may define one index together, so a session looks at all of them before the first one. */
const REACH = new WeakMap<Cluster, readonly Reached[]>();

type FileStep = Pick<AppliedStep, "offers" | "migration">;

function reachedBy({ offers, migration }: FileStep) {
  const { path } = migration.file;
  return (REACH.get(searchSessionOf({ offers }).cluster) ?? []).filter((one) => one.path === path);
}

function differs({ differences }: Reached): boolean {
  return differences.length > 0;
}

/** Warns of write indices that are not as the changed templates say; finds why they cannot be rolled over. */
export async function checkTemplates(files: Omit<CheckedFiles, "paths">, isRolled: boolean) {
  const templates = searchMigrations(files.migrations).filter(isTemplate);
  if (templates.length === 0) return [];
  const { cluster } = searchSessionOf(files);
  const problems: FileProblem[] = [];
  const add = (path: string, text: string, severity: FileProblem["severity"] = "warning") => {
    problems.push({ severity, path, message: cluster.redact(printable(text)) });
  };
  const reach = await reachOf(cluster, templates).catch((error) => {
    const text = `Cannot read the indices that it reaches: ${refusalOf(error)}`;
    add(templates[0]!.file.path, text, isRolled ? "error" : "warning");
    return [];
  });
  REACH.set(cluster, reach);
  const differing = reach.filter(differs);
  const groupOf = ({ path, differences }: Reached) => JSON.stringify([path, differences]);
  const groups = [...Map.groupBy(differing, groupOf).values()];
  groups.forEach((alike) => add(alike[0]!.path, changeNote(alike, isRolled)));
  for (const one of isRolled ? differing : []) {
    const refusal = one.problem ?? await tryRollover(cluster, one).then(() => "", refusalOf);
    if (refusal) add(one.path, `Cannot roll over the ${nameOf(one)}: ${refusal}`, "error");
  }
  return problems;
}

function refusalOf(error: unknown): string {
  const isRefusal = error instanceof AnswerError ||
    (error instanceof TransportError && error.refused);
  if (isRefusal) return error.message;
  throw error;
}

const SHOWN = 5;

function changeNote(alike: readonly Reached[], isRolled: boolean): string {
  const names = alike.slice(0, SHOWN).map((one) => `${nameOf(one)} ('${one.index}')`).join(", ");
  const { differences } = alike[0]!;
  const parts = differences.slice(0, SHOWN).map(({ path, live = null, wanted = null }) => {
    return `${path} (${oneLine(JSON.stringify(live))}, then ${oneLine(JSON.stringify(wanted))})`;
  });
  const older = alike.flatMap((one) => one.older);
  const what = isRolled ? "rolls over" : "takes effect at a rollover of";
  const rest = `; older indices stay (${older.length}): ${quoted(older.slice(0, SHOWN))}`;
  return `Changes new indices (${differences.length}): ${parts.join(", ")}; ` +
    `${what} (${alike.length}): ${names}${older.length > 0 ? rest : ""}`;
}

function nameOf({ kind, name }: Reached): string {
  return `${kind} '${name}'`;
}

export async function previewOf(step: FileStep, preview: Preview, isAlone: boolean) {
  if (!isAlone) {
    const rollovers = reachedBy(step).filter(differs).map((one) => `POST ${rolloverPath(one)}`);
    return { ...preview, requests: [...preview.requests, ...rollovers] };
  }
  const files = { ...step, purpose: "plan", migrations: [step.migration] } as const;
  const found = (await checkTemplates(files, false)).map(({ message }) => message);
  const consequences = [...preview.consequences ?? [], ...found];
  return consequences.length > 0 ? { ...preview, consequences } : preview;
}

/**
 * Applies a template, then rolls over what it reaches and has a write index that is not as it says. Write
 * indices are recorded before their rollover: one that has another by then is not rolled over again.
 */
export async function applyTemplate(
  step: AppliedStep,
  next: () => Promise<Applied>,
): Promise<Applied> {
  const own = reachedBy(step);
  if (own.length === 0) return await next();
  const { cluster, connection: { name } } = searchSessionOf(step);
  const { migration: { file }, work } = step;
  const { entry: { attempt }, ensureHeld, onProgress, progress, signal } = work;
  const content = copyKey(file);
  const isSame = mayHaveRun(attempt) && attempt.resume?.content === content;
  const earlier = objectOf(isSame && attempt.resume?.rollovers);
  const record = async (reached: readonly Reached[]) => {
    const indices = Object.fromEntries(reached.map((one) => [one.name, one.index]));
    const rollovers = { ...indices, ...earlier };
    if (!isEmpty(rollovers)) await progress({ resume: { content, rollovers } });
    return rollovers;
  };
  // Once the file is applied, no template tells what it has removed.
  const before = await record(own.filter(({ isLess }) => isLess));
  const written = await next();
  const done: string[] = [];
  try {
    const left = (await reachOf(cluster, [], own)).filter((one) =>
      before[one.name] === one.index || (!earlier[one.name] && differs(one))
    );
    if (left.length === 0) return written;
    await record(left);
    for (const one of left) {
      signal?.throwIfAborted();
      onProgress?.({ message: `rolls over ${nameOf(one)}`, done: done.length, total: left.length });
      await ensureHeld();
      done.push(`${nameOf(one)} (now '${await rollOver(cluster, one)}')`);
    }
  } catch (thrown) {
    const reason = cluster.redact(errorOf(thrown).message);
    const known = `it is applied, rolled over ${done.join(", ") || "none"}, then failed: ${reason}`;
    const failed = new MigrationFailedError(name, file.path, `${known}\n  The next run goes on`);
    throw new ExecutionError(thrown instanceof AnswerError ? failed : errorOf(thrown), "partial", {
      known,
    });
  }
  const note = [written.note ?? [], `rolled over ${done.join(", ")}`].flat().join("; ");
  return { ...written, note: cluster.redact(printable(note)) };
}
