import type { DocumentVersion } from "../../runner/mod.ts";
import { changes } from "../json/compare.ts";
import { field } from "../json/json_values.ts";
import { PROBE, RECORDS } from "./own_indices.ts";

export interface Write {
  readonly index: string;
  readonly id: string;
  readonly source: Readonly<Record<string, unknown>>;
  /** The version that it replaces; `"none"` creates; absent overwrites any version. */
  readonly expected?: DocumentVersion | "none";
  /** Whether the same request reads the document back, and perhaps deletes it then. */
  readonly proof?: "read" | "read and delete";
}

type Item = Readonly<Record<string, unknown>>;

/** A record that is read back and deleted: before any file is applied, it shows whether the index keeps records. */
export function probe(runId: string): Write {
  return { index: RECORDS, id: `probe-${runId}`, source: PROBE, proof: "read and delete" };
}

export function operationsOf({ index, id, source, expected, proof }: Write): readonly unknown[] {
  const target = { _index: index, _id: id };
  const write = expected === "none" ? { create: target } : {
    index: expected === undefined
      ? target
      : { ...target, if_seq_no: expected.seqNo, if_primary_term: expected.primaryTerm },
  };
  if (proof === undefined) return [write, source];
  // An update that changes nothing returns the document, and no pipeline applies to it.
  const read = [{ update: target }, { doc: {}, _source: true }];
  return [write, source, ...read, ...proof === "read" ? [] : [{ delete: target }]];
}

export function countOf({ proof }: Write): number {
  return proof === undefined ? 1 : proof === "read" ? 2 : 3;
}

/** How the cluster changed or lost a document that it accepted; `undefined` for one that it keeps as it was sent. */
export function damageOf(
  { id, source, proof }: Write,
  [written = {}, read = {}]: readonly Item[],
): string | undefined {
  const isAccepted = Number(written.status) < 300;
  if (isAccepted && !/^(?:created|updated)$/.test(String(written.result))) {
    return "it drops documents";
  }
  if (isAccepted && written._id !== id) return `it changes '_id' to '${written._id}'`;
  if (proof === undefined || !(isAccepted || written.status === 409)) return undefined;
  if (read.status === 404) return `it does not keep documents, which go to '${written._index}'`;
  return isAccepted ? changeOf(source, read) : undefined;
}

function changeOf(source: Write["source"], read: Item): string | undefined {
  if (read.status !== 200) return `documents cannot be read back: ${field(read.error, "reason")}`;
  const kept = field(read, "get", "_source");
  const changed = Object.keys(source).filter((key) => {
    return changes(source[key], field(kept, key)).length > 0;
  });
  return changed.length === 0 ? undefined : `it changes or leaves out '${changed.join("', '")}'`;
}

export function describeDamage(index: string, damage: string): string {
  return `The index '${index}' does not keep records as they are written: ${damage}. An ingest ` +
    "pipeline or the mapping does this, and a template of the cluster may have given it to the " +
    `index: let no template match '${RECORDS}*', and set 'index.default_pipeline' and ` +
    `'index.final_pipeline' of '${RECORDS}*' to '_none'; an index whose mapping filters '_source' ` +
    "has to be created again without that";
}
