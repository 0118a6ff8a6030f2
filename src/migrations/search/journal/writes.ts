import type { DocumentVersion } from "../../runner/mod.ts";
import { changes } from "../json/compare.ts";
import { field } from "../json/json_values.ts";
import { RECORDS } from "./own_indices.ts";

export interface Write {
  readonly index: string;
  readonly id: string;
  readonly source: Readonly<Record<string, unknown>>;
  /** The version that it replaces; `"none"` creates; absent overwrites any version. */
  readonly expected?: DocumentVersion | "none";
  /** Whether the same request reads the document back and deletes it, to show that the index keeps what is written. */
  readonly isProbe?: true;
}

export function operationsOf({ index, id, source, expected, isProbe }: Write): readonly unknown[] {
  const target = { _index: index, _id: id };
  // An update that changes nothing returns the document, and no pipeline applies to it.
  const read = [{ update: target }, { doc: {}, _source: true }];
  if (isProbe) return [{ index: target }, source, ...read, { delete: target }];
  if (expected === "none") return [{ create: target }, source];
  const version = expected && { if_seq_no: expected.seqNo, if_primary_term: expected.primaryTerm };
  return [{ index: { ...target, ...version } }, source];
}

/** How the cluster changed or lost a document that it accepted; `undefined` for one that it keeps as it was sent. */
export function damageOf(
  { id, source, isProbe }: Write,
  [written = {}, read = {}]: readonly Readonly<Record<string, unknown>>[],
): string | undefined {
  if (!(Number(written.status) < 300)) return undefined;
  if (!/^(?:created|updated)$/.test(String(written.result))) return "it drops documents";
  if (written._id !== id) return `it changes '_id' to '${written._id}'`;
  if (!isProbe) return undefined;
  if (read.status === 404) return `it does not keep documents, which go to '${written._index}'`;
  if (read.status !== 200) return `documents cannot be read back: ${field(read.error, "reason")}`;
  const changed = Object.keys(source).filter((key) =>
    changes(source[key], field(read, "get", "_source", key)).length > 0
  );
  return changed.length === 0 ? undefined : `it changes or leaves out '${changed.join("', '")}'`;
}

export function describeDamage(index: string, damage: string): string {
  return `The index '${index}' does not keep records as they are written: ${damage}. An ingest ` +
    "pipeline or the mapping does this, and a template of the cluster may have given it to the " +
    `index: let no template match '${RECORDS}*', and set 'index.default_pipeline' and ` +
    `'index.final_pipeline' of '${RECORDS}*' to '_none'; an index whose mapping filters '_source' ` +
    "has to be created again without that";
}
