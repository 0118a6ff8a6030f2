import {
  type Applied,
  type AppliedStep,
  type CheckedFiles,
  ConnectionError,
  ExecutionError,
  type FileProblem,
  mayHaveRun,
  MigrationFailedError,
  type Offering,
  type Preview,
} from "../../migrations/runner/mod.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import { masked } from "../../migrations/search/compare/masking.ts";
import { ISM } from "../../migrations/search/kinds/policies.ts";
import { searchMigrations, searchSessionOf } from "../../migrations/search/offers.ts";
import type { SearchMigration } from "../../migrations/search/types.ts";
import { errorOf, printable } from "../../text/mod.ts";
import {
  bodyFor,
  type ConfirmedDeletions,
  deletedOf,
  namesOf,
  type PolicyChanges,
  policyIdOf,
} from "./managed.ts";
import { deletionOf, linesOf } from "./prediction_notes.ts";
import { namesInParts, reachIndices, type Way } from "./reach.ts";

/** The user confirms effects before the first file, so each session keeps them until its files are applied. */
const CONFIRMED = new WeakMap<Cluster, ConfirmedDeletions>();
export const PENDING = new WeakMap<Cluster, readonly SearchMigration[]>();

/** The indices that policies would delete at once. Sends two or three requests for a policy. */
export async function dangersOf(
  { predict, which }: Way,
  files: CheckedFiles,
  policies: readonly SearchMigration[],
  changes: PolicyChanges = "keep",
): Promise<readonly FileProblem[]> {
  const { cluster } = searchSessionOf(files);
  PENDING.set(cluster, searchMigrations(files.migrations));
  if (changes === "keep") return [];
  const confirmed = files.purpose === "run" ? CONFIRMED.get(cluster) ?? new Map() : undefined;
  if (confirmed) CONFIRMED.set(cluster, confirmed);
  const dangers: FileProblem[] = [];
  // Answers of a cluster may contain anything.
  const add = (severity: FileProblem["severity"], path: string, message: string) =>
    dangers.push({ severity, path, message: cluster.redact(printable(message)) });
  for (const { file: { path }, request } of policies) {
    const found = await predict(cluster, request, changes);
    if ("unknown" in found) {
      const message = `The effect of the policy on its indices is unknown: ${found.unknown}`;
      if (confirmed === undefined) {
        add("warning", path, `${message}: a run fails`);
        continue;
      }
      const said = cluster.redact(message);
      throw found.isUnreadable
        ? new ConnectionError(cluster.name, `${path}: ${said}`)
        : new MigrationFailedError(cluster.name, path, said);
    }
    const deleted = deletedOf(found.indices);
    if (deleted.length === 0) continue;
    confirmed?.set(
      path,
      new Set([...confirmed.get(path) ?? [], ...deleted.map(({ index }) => index.name)]),
    );
    const job = deleted.length === 1 ? "its job runs" : "their jobs run";
    const deletion = `${deletionOf(deleted)} ${which}, as soon as ${job}: ${namesOf(deleted)}`;
    add("error", path, `Policy '${policyIdOf(request)}' ${deletion}`);
  }
  return dangers;
}

export async function previewOf(
  way: Way,
  holder: Offering,
  { request }: SearchMigration,
  preview: Preview,
  changes: PolicyChanges = "keep",
): Promise<Preview> {
  const { cluster } = searchSessionOf(holder);
  const found = await way.predict(cluster, request, changes);
  const indices = "unknown" in found || changes === "keep"
    ? []
    : found.indices.map(({ index }) => index);
  const all = {
    ...preview,
    requests: [
      ...preview.requests,
      ...namesInParts(indices).map((names) =>
        `POST ${ISM}/${way.action}/${names.join()}\n${bodyFor(request)}`
      ),
    ],
    consequences: [
      ...preview.consequences ?? [],
      ..."unknown" in found
        ? [printable(`the indices ${way.which} are unknown: ${found.unknown}`)]
        : linesOf(way, changes, found),
    ],
  };
  return masked(all, (text) => cluster.redact(text));
}

export async function reachedBy(
  way: Way,
  step: AppliedStep,
  { request, file: { path } }: SearchMigration,
  written: Applied,
  changes: PolicyChanges = "keep",
): Promise<Applied> {
  const { cluster } = searchSessionOf(step);
  const { entry: { applied, attempt }, ensureHeld } = step.work;
  const { version, change, note } = written;
  if (version === undefined) return written;
  if (changes === "keep") {
    const isNew = change === "created" && applied?.version === undefined;
    if (isNew || (change === "same" && !mayHaveRun(attempt))) return written;
  }
  const known = `the policy is written, and may not have reached the indices ${way.which}`;
  const confirmed = CONFIRMED.get(cluster)?.get(path);
  const reach = { cluster, request, version, confirmed, ensureHeld };
  const reached = await (changes === "apply" ? reachIndices(way, reach) : way.noteKept(reach))
    .catch((error) => {
      throw new ExecutionError(errorOf(error), "partial", { known });
    });
  if (typeof reached !== "string") {
    const reason = `the policy is written, but ${printable(reached.refused)}`;
    const next = `The next run continues${reached.isAsked ? ", and asks for confirmation" : ""}`;
    const message = cluster.redact(`${reason}\n  ${next}`);
    const error = new MigrationFailedError(cluster.name, path, message);
    throw new ExecutionError(error, "partial", { known: cluster.redact(reason) });
  }
  const notes = [note, reached].filter((text) => text !== undefined && text !== "");
  if (notes.length === 0) return { version };
  return { version, note: cluster.redact(printable(notes.join("; "))) };
}
