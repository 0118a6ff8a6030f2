import {
  type Applied,
  type AppliedStep,
  type CheckedFiles,
  ExecutionError,
  type FileProblem,
  mayHaveRun,
  MigrationFailedError,
  type Offering,
  type Preview,
} from "../../migrations/runner/mod.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { masked } from "../../migrations/search/compare/masking.ts";
import { searchSessionOf } from "../../migrations/search/offers.ts";
import type { SearchMigration } from "../../migrations/search/types.ts";
import { errorOf, printable } from "../../text/mod.ts";
import type { ConfirmedDeletions, PolicyChanges } from "./managed.ts";
import { policyDangers, policyPreview, predictionsOf } from "./prediction_notes.ts";
import { type Reach, type Reached, reachIndices } from "./reach.ts";

/** The user confirms effects before the first file, so each session keeps them until its files are applied. */
const CONFIRMED = new WeakMap<Cluster, ConfirmedDeletions>();

export async function dangersOf(
  files: CheckedFiles,
  policies: readonly SearchMigration[],
  changes: PolicyChanges = "keep",
  which = "that it manages",
  find = predictionsOf,
): Promise<readonly FileProblem[]> {
  const { cluster, connection: { name } } = searchSessionOf(files);
  if (changes === "keep") return [];
  const confirmed = files.purpose === "run" ? CONFIRMED.get(cluster) ?? new Map() : undefined;
  if (confirmed) CONFIRMED.set(cluster, confirmed);
  const dangers = await policyDangers(cluster, name, policies, confirmed, which, find);
  // Answers of a cluster may contain anything.
  return dangers.map((danger) => {
    return { ...danger, message: cluster.redact(printable(danger.message)) };
  });
}

export async function previewOf(
  holder: Offering,
  { request }: SearchMigration,
  preview: Preview,
  changes: PolicyChanges = "keep",
): Promise<Preview> {
  const { cluster } = searchSessionOf(holder);
  const { requests, consequences } = await policyPreview(cluster, request, changes);
  const all = { ...preview, requests: [...preview.requests, ...requests], consequences };
  return masked(all, (text) => cluster.redact(text));
}

export async function reachedBy(
  step: AppliedStep,
  { request, file: { path } }: SearchMigration,
  written: Applied,
  changes: PolicyChanges = "keep",
  reach: (way: Reach) => Promise<Reached> = reachIndices,
  which = "that it manages",
): Promise<Applied> {
  const { cluster, connection: { name } } = searchSessionOf(step);
  const { entry: { applied, attempt }, ensureHeld } = step.work;
  const { version, change, note } = written;
  if (version === undefined) return written;
  if (changes === "keep") {
    const isNew = change === "created" && applied?.version === undefined;
    if (isNew || (change === "same" && !mayHaveRun(attempt))) return written;
  }
  const known = `the policy is written, and may not have reached the indices ${which}`;
  const confirmed = CONFIRMED.get(cluster)?.get(path);
  const way = { cluster, request, version, changes, confirmed, ensureHeld };
  const reached = await reach(way).catch((error) => {
    throw new ExecutionError(errorOf(error), "partial", { known });
  });
  if ("refused" in reached) {
    const reason = `the policy is written, but ${printable(reached.refused)}`;
    const next = `The next run continues${reached.isAsked ? ", and asks for confirmation" : ""}`;
    const message = cluster.redact(`${reason}\n  ${next}`);
    const error = new MigrationFailedError(name, path, message);
    throw new ExecutionError(error, "partial", { known: cluster.redact(reason) });
  }
  const notes = [note, reached.note].filter((text) => text !== undefined && text !== "");
  if (notes.length === 0) return { version };
  return { version, note: cluster.redact(printable(notes.join("; "))) };
}
