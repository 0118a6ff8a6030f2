import { ConnectionError, sha256 } from "../migrations/mod.ts";
import { type Answer, describeFailure, errorType, failureOf, field } from "./answer.ts";
import type { Cluster } from "./cluster.ts";
import type { DocumentVersion, SearchMigration, SearchRecord } from "./types.ts";

/** Index of the records (reference 2.7). */
export const RECORDS = "framework_migrations";
/** Index of the locks, one document for each connection. */
export const LOCKS = "framework_migrations_lock";

/** Documents that one `_mget` asks for. */
const PAGE = 1000;
const MAX_ID_BYTES = 512;

/** What `_mget` gives for one document. */
export interface Found {
  readonly source: Readonly<Record<string, unknown>>;
  readonly version: DocumentVersion;
}

/** What is stored for a connection. */
export interface Stored {
  /** By id. */
  readonly documents: ReadonlyMap<string, Found>;
  readonly lock?: Found;
  /** Indices that are not there yet. */
  readonly missing: readonly string[];
}

/** A change of one document, for {@linkcode Documents.write}. */
export interface Write {
  readonly index: string;
  readonly id: string;
  readonly source: Readonly<Record<string, unknown>>;
  /** The version that it replaces; `"none"` creates; left out writes whatever is there. */
  readonly expected?: DocumentVersion | "none";
}

/** Reads and writes the documents of the runner. Ids travel in bodies, never in URLs. */
export class Documents {
  readonly #cluster: Cluster;
  readonly #connection: string;

  constructor(cluster: Cluster, connection: string) {
    this.#cluster = cluster;
    this.#connection = connection;
  }

  /** The lock and the documents of these ids, a thousand a request; realtime. */
  async read(ids: readonly string[]): Promise<Stored> {
    const wanted = [
      { _index: LOCKS, _id: this.#connection },
      ...ids.map((_id) => ({ _index: RECORDS, _id })),
    ];
    const documents = new Map<string, Found>();
    const missing = new Set<string>();
    let lock: Found | undefined;
    for (let start = 0; start < wanted.length; start += PAGE) {
      const body = JSON.stringify({ docs: wanted.slice(start, start + PAGE) });
      const answer = await this.#cluster.send({ method: "POST", path: "/_mget", body }, SAFE);
      if (answer.status !== 200) throw this.#failed("read the records", answer);
      for (const document of (field(answer.json, "docs") ?? []) as Record<string, unknown>[]) {
        const index = document._index as string;
        if (document.error) missing.add(index);
        if (document.found !== true) continue;
        const found = foundOf(document);
        if (index.startsWith(LOCKS)) lock = found;
        else documents.set(document._id as string, found);
      }
    }
    return { documents, ...(lock && { lock }), missing: [...missing] };
  }

  /** Creates both indices where they are missing. */
  async createIndices(missing: readonly string[]): Promise<void> {
    for (const index of missing) {
      const body = JSON.stringify(index === RECORDS ? RECORDS_INDEX : LOCKS_INDEX);
      const answer = await this.#cluster.send({ method: "PUT", path: `/${index}`, body }, SAFE);
      const isThere = errorType(answer) === "resource_already_exists_exception";
      if (!isThere && failureOf(answer) !== undefined) {
        throw this.#failed(`create the index '${index}'`, answer);
      }
    }
  }

  /**
   * Writes documents in one request.
   *
   * @returns for each the new version, or `undefined` where another version than the expected one was there
   * @throws {ConnectionError} when the cluster refuses for another reason
   */
  async write(writes: readonly Write[]): Promise<readonly (DocumentVersion | undefined)[]> {
    const body = writes.map(({ index, id, source, expected }) => {
      const target = { _index: index, _id: id };
      const action = expected === "none"
        ? { create: target }
        : expected === undefined
        ? { index: target }
        : {
          index: { ...target, if_seq_no: expected.seqNo, if_primary_term: expected.primaryTerm },
        };
      return `${JSON.stringify(action)}\n${JSON.stringify(source)}\n`;
    }).join("");
    const request = { method: "POST", path: "/_bulk", body, contentType: "application/x-ndjson" };
    const answer = await this.#cluster.send(request, SAFE);
    const items = field(answer.json, "items");
    if (answer.status !== 200 || !Array.isArray(items)) {
      throw this.#failed("write a record", answer);
    }
    return items.map((item) => {
      const result = Object.values(item as Record<string, Record<string, unknown>>)[0]!;
      if (result.status === 409) return undefined;
      if (Number(result.status) > 299) {
        throw this.#failed("write a record", { ...answer, json: result });
      }
      return { seqNo: Number(result._seq_no), primaryTerm: Number(result._primary_term) };
    });
  }

  #failed(action: string, answer: Answer): ConnectionError {
    return new ConnectionError(
      this.#connection,
      `Cannot ${action} on ${answer.host}: ${describeFailure(answer)}`,
    );
  }
}

/** Sent twice, conditional writes and whole documents leave what they leave when sent once. */
const SAFE = { repeatSafe: true };

/** Identity of a file on the cluster: `<connection>/<path>`, or its SHA-256 where that is too long for an id. */
export async function idOf(connection: string, path: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${connection}/${path}`);
  return bytes.length <= MAX_ID_BYTES ? `${connection}/${path}` : await sha256(bytes);
}

/** A record as it is stored. */
export function recordSource(
  connection: string,
  migration: SearchMigration,
  about: {
    readonly executedAt: Date;
    readonly executedBy: string;
    readonly durationMs: number;
    readonly version?: DocumentVersion;
    readonly note?: string;
  },
): Record<string, unknown> {
  const { file, kind, resource } = migration;
  return {
    migration_path: file.path,
    connection,
    content_hash: file.hash,
    executed_at: about.executedAt.toISOString(),
    executed_by: about.executedBy,
    duration_ms: Math.round(about.durationMs),
    kind,
    resource,
    ...(about.note !== undefined && { note: about.note }),
    ...(about.version && { seq_no: about.version.seqNo, primary_term: about.version.primaryTerm }),
  };
}

/** A stored record, as the runner reads it. */
export function recordOf({ source }: Found): SearchRecord {
  const { seq_no: seqNo, primary_term: primaryTerm } = source;
  return {
    path: String(source.migration_path),
    hash: String(source.content_hash),
    executedAt: new Date(String(source.executed_at)),
    ...(typeof source.executed_by === "string" && { executedBy: source.executed_by }),
    ...(typeof source.duration_ms === "number" && { durationMs: source.duration_ms }),
    ...(typeof source.kind === "string" && { kind: source.kind }),
    ...(typeof source.resource === "string" && { resource: source.resource }),
    ...(typeof seqNo === "number" && typeof primaryTerm === "number" && {
      version: { seqNo, primaryTerm },
    }),
  };
}

function foundOf(document: Record<string, unknown>): Found {
  return {
    source: document._source as Record<string, unknown>,
    version: { seqNo: Number(document._seq_no), primaryTerm: Number(document._primary_term) },
  };
}

const SETTINGS = { number_of_shards: 1, auto_expand_replicas: "0-1" };
const keyword = { type: "keyword", ignore_above: 8191 };

const RECORDS_INDEX = {
  settings: SETTINGS,
  mappings: {
    dynamic: false,
    properties: {
      migration_path: keyword,
      connection: keyword,
      content_hash: keyword,
      executed_at: { type: "date" },
      executed_by: keyword,
      duration_ms: { type: "long" },
      kind: keyword,
      resource: keyword,
      seq_no: { type: "long" },
      primary_term: { type: "long" },
    },
  },
};

const LOCKS_INDEX = {
  settings: SETTINGS,
  mappings: {
    dynamic: false,
    properties: { state: keyword, owner: keyword, lease_expires_at: { type: "date" } },
  },
};
