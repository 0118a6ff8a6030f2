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
import { POLICY_CHANGES } from "./settings.ts";
import type { ConfirmedDeletions } from "./managed.ts";
import { policyDangers, policyPreview, predictionsOf } from "./prediction_notes.ts";
import { type Reach, type Reached, reachIndices } from "./reach.ts";

/** The user confirms effects before the first file, so each session keeps them until its files are applied. */
const CONFIRMED = new WeakMap<Cluster, ConfirmedDeletions>();

export function sessionOf(holder: Offering) {
  const { cluster, connection: { name } } = searchSessionOf(holder);
  return { cluster, name, changes: POLICY_CHANGES.of(holder) ?? "keep" };
}

export async function dangersOf(
  files: CheckedFiles,
  policies: readonly SearchMigration[],
  which = "that it manages",
  find = predictionsOf,
): Promise<readonly FileProblem[]> {
  const { cluster, name } = sessionOf(files);
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
): Promise<Preview> {
  const { cluster, changes } = sessionOf(holder);
  const { requests, consequences } = await policyPreview(cluster, request, changes);
  const all = { ...preview, requests: [...preview.requests, ...requests], consequences };
  return masked(all, (text) => cluster.redact(text));
}

export async function reachedBy(
  step: AppliedStep,
  migration: SearchMigration,
  written: Applied,
): Promise<Applied> {
  const { changes } = sessionOf(step);
  const { entry: { applied, attempt } } = step.work;
  const { version, change } = written;
  if (version === undefined) return written;
  if (changes === "keep") {
    const isNew = change === "created" && applied?.version === undefined;
    if (isNew || (change === "same" && !mayHaveRun(attempt))) return written;
  }
  return await withReached(step, migration, written, reachIndices);
}

export async function withReached(
  step: AppliedStep,
  { request, file: { path } }: SearchMigration,
  { version, note }: Pick<Applied, "version" | "note">,
  work: (reach: Reach) => Promise<Reached>,
  which = "that it manages",
): Promise<Applied> {
  const { cluster, name, changes } = sessionOf(step);
  const { ensureHeld } = step.work;
  const known = `the policy is written, and may not have reached the indices ${which}`;
  const confirmed = CONFIRMED.get(cluster)?.get(path);
  const reach = { cluster, request, version: version!, changes, confirmed, ensureHeld };
  const reached = await work(reach).catch((error) => {
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
  const text = notes.length > 0 && { note: cluster.redact(printable(notes.join("; "))) };
  return { version: version!, ...text };
}
