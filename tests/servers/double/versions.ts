import { illegal, invalid, Refused } from "./answers.ts";

/** The condition of a write. */
export interface Condition {
  /** Whether there must be no document yet. */
  readonly create?: boolean;
  readonly ifSeqNo?: number;
  readonly ifPrimaryTerm?: number;
  /** With `version_type=external`: only a higher one than the last is taken. */
  readonly version?: number;
}

/** The stored document, or only the version of a deleted one. */
export interface Present {
  readonly version: number;
  readonly seqNo?: number;
}

/** @throws {Refused} a condition that is none */
export function readCondition(query: URLSearchParams): Condition {
  const [ifSeqNo, ifPrimaryTerm] = [number(query, "if_seq_no"), number(query, "if_primary_term")];
  if (ifSeqNo !== undefined && ifPrimaryTerm === undefined) {
    throw invalid("ifSeqNo is set, but primary term is [0]");
  }
  const version = query.get("version_type") === "external" ? number(query, "version") : undefined;
  return {
    ...(ifSeqNo !== undefined && { ifSeqNo, ifPrimaryTerm }),
    ...(version !== undefined && { version }),
  };
}

function number(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (/^-?\d+$/.test(text)) return Number(text);
  throw illegal(`Failed to parse long parameter [${name}] with value [${text}]`, {
    caused_by: { type: "number_format_exception", reason: `For input string: "${text}"` },
  });
}

/** @throws {Refused} with 409 */
export function checkVersion(
  { name, uuid }: { readonly name: string; readonly uuid: string },
  id: string,
  condition: Condition,
  present: Present | undefined,
): void {
  const conflict = conflictOf(condition, present);
  if (conflict === undefined) return;
  throw new Refused(409, {
    type: "version_conflict_engine_exception",
    reason: `[${id}]: version conflict, ${conflict}`,
    index: name,
    shard: "0",
    index_uuid: uuid,
  });
}

function conflictOf(
  { create, ifSeqNo, ifPrimaryTerm, version }: Condition,
  present: Present | undefined,
): string | undefined {
  const there = present?.seqNo !== undefined;
  if (create) {
    return there ? `document already exists (current version [${present.version}])` : undefined;
  }
  if (version !== undefined && present && present.version >= version) {
    return `current version [${present.version}] is higher or equal to the one provided [${version}]`;
  }
  if (ifSeqNo === undefined) return undefined;
  const required = `required seqNo [${ifSeqNo}], primary term [${ifPrimaryTerm}].`;
  if (!there) return `${required} but no document was found`;
  if (present.seqNo === ifSeqNo && ifPrimaryTerm === 1) return undefined;
  return `${required} current document has seqNo [${present.seqNo}] and primary term [1]`;
}
