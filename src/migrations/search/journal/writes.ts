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

/** The lines of a write in a bulk request. */
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
  { index, id, source, proof }: Write,
  items: readonly Item[],
): string | undefined {
  const [written = {}, read = {}] = items;
  const [place, name] = [String(written._index), String(written._id)];
  const isAccepted = Number(written.status) < 300;
  if (isAccepted && !["created", "updated"].includes(String(written.result))) {
    return "it drops documents";
  }
  if (isAccepted && name !== id) return `it changes '_id' to '${name}'`;
  // An alias has the name of another index.
  if (proof === undefined || !(isAccepted || written.status === 409)) return undefined;
  const elsewhere = place === index ? "" : `: they go to '${place}'`;
  if (read.status === 404) return `it does not keep documents${elsewhere}`;
  if (!isAccepted) return undefined;
  if (read.status !== 200) return `documents cannot be read back: ${field(read.error, "reason")}`;
  const kept = field(read, "get", "_source");
  const changed = Object.keys(source).filter((key) => {
    return changes(source[key], field(kept, key)).length > 0;
  });
  if (changed.length > 0) {
    return `it changes or leaves out ${changed.map((key) => `'${key}'`).join(", ")}`;
  }
}

export function describeDamage(index: string, damage: string): string {
  return `The index '${index}' does not keep records as they are written: ${damage}. An ingest ` +
    "pipeline or the mapping does this, and a template of the cluster may have given it to the " +
    `index: let no template match '${RECORDS}*', and set 'index.default_pipeline' and ` +
    `'index.final_pipeline' of '${RECORDS}*' to '_none'; an index whose mapping filters '_source' ` +
    "has to be created again without that";
}
