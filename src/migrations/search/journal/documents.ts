import { backOffMs, ConnectionError, type DocumentVersion, pause } from "../../runner/mod.ts";
import {
  type Answer,
  describeFailure,
  errorType,
  failureOf,
  isBlocked,
} from "../cluster/answer.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { field } from "../json/json_values.ts";

/** Index of the records (reference 2.7). */
export const RECORDS = "framework_migrations";
/** Index of the locks, one document for each connection. */
export const LOCKS = "framework_migrations_lock";

// One shard; a copy as soon as there is a second node.
const settings = { number_of_shards: 1, auto_expand_replicas: "0-1" };
const keyword = { type: "keyword", ignore_above: 8191 };
const date = { type: "date" };
const long = { type: "long" };

/** What the indices of the runner are created with, by name. */
export const INDEX_BODIES: Readonly<Record<string, unknown>> = {
  [RECORDS]: {
    settings,
    mappings: {
      dynamic: false,
      properties: {
        migration_path: keyword,
        connection: keyword,
        content_hash: keyword,
        values_hash: keyword,
        executed_at: date,
        executed_by: keyword,
        duration_ms: long,
        kind: keyword,
        resource: keyword,
        note: { type: "keyword", index: false, doc_values: false },
        seq_no: long,
        primary_term: long,
      },
    },
  },
  [LOCKS]: {
    settings,
    mappings: {
      dynamic: false,
      properties: { connection: keyword, state: keyword, owner: keyword, lease_expires_at: date },
    },
  },
};

/** Documents that one `_mget` asks for. */
const PAGE = 1000;
/** Hits that one `_search` gives at most, unless its index says otherwise. */
const MAX_HITS = 10_000;
const TRIES = 5;
/** Conditional writes and whole documents leave the same when they are sent twice. */
const SAFE = { repeatSafe: true };

/** A stored document. */
export interface Found {
  readonly source: Readonly<Record<string, unknown>>;
  readonly version: DocumentVersion;
}

/** What is stored for a connection. */
export interface Stored {
  /** By id. */
  readonly documents: ReadonlyMap<string, Found>;
  readonly lock?: Found;
  /** Indices that do not exist yet. */
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

  /**
   * The lock and the documents of these ids, a thousand a request; realtime.
   *
   * @param signal ends the waiting for a cluster that is busy; its reason is thrown
   */
  async read(ids: readonly string[], signal?: AbortSignal): Promise<Stored> {
    const wanted = [
      { _index: LOCKS, _id: this.#connection },
      ...ids.map((_id) => ({ _index: RECORDS, _id })),
    ];
    const documents = new Map<string, Found>();
    const missing = new Set<string>();
    let lock: Found | undefined;
    for (let start = 0; start < wanted.length; start += PAGE) {
      const found = await this.#mget(wanted.slice(start, start + PAGE), signal);
      if (found === "forbidden") return this.#searchInstead(ids, signal);
      for (const document of found) {
        const index = document._index as string;
        if (document.error) missing.add(index);
        if (document.found !== true) continue;
        if (isLock(index)) lock = foundOf(document);
        else documents.set(document._id as string, foundOf(document));
      }
    }
    return { documents, ...(lock && { lock }), missing: [...missing] };
  }

  /** The lock alone. */
  async readLock(): Promise<Found | undefined> {
    return (await this.read([])).lock;
  }

  /**
   * Every record of the connection, by id, of all writers.
   * Not realtime: without `refresh` what was written last may be missing.
   */
  async search(
    { refresh = false }: { readonly refresh?: boolean } = {},
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, Found>> {
    if (refresh) await this.#refresh(RECORDS, signal);
    const hits = await this.#hits(RECORDS, {
      // Another program's index may have the field as text with a keyword below.
      bool: {
        should: [
          ...["connection", "connection.keyword"].map((name) => ({
            term: { [name]: this.#connection },
          })),
          // As text alone it is words; the records say themselves whose they are.
          { match_phrase: { connection: this.#connection } },
        ],
      },
    }, signal);
    return new Map(hits.map((hit) => [hit._id as string, foundOf(hit)]));
  }

  /** Creates the indices that are missing. */
  async createIndices(missing: readonly string[]): Promise<void> {
    for (const index of missing) {
      const body = JSON.stringify(INDEX_BODIES[index]);
      const request = { method: "PUT", path: `/${index}`, body };
      const answer = await this.#cluster.send(request, SAFE);
      const isThere = errorType(answer) === "resource_already_exists_exception";
      const failure = isThere ? undefined : failureOf(request, answer);
      // What is not confirmed yet is written to all the same: that waits for it.
      if (failure && !failure.unacknowledged) {
        throw this.#failed(`create the index '${index}'`, answer, failure.reason);
      }
    }
  }

  /**
   * Writes documents in one request; those that a busy cluster turns away are sent again.
   *
   * @returns for each the new version, or `undefined` where another version than the expected one was there
   * @throws {ConnectionError} when the cluster refuses for another reason
   */
  async write(writes: readonly Write[]): Promise<readonly (DocumentVersion | undefined)[]> {
    const versions = new Map<Write, DocumentVersion | undefined>();
    let left = writes;
    for (let attempt = 1; left.length > 0; attempt++) {
      if (attempt > 1) await pause(backOffMs(attempt));
      const { answer, items } = await this.#bulk(left);
      const busy: Write[] = [];
      for (const [index, write] of left.entries()) {
        const result = items[index] ?? {};
        const status = Number(result.status);
        if (status === 409) versions.set(write, undefined);
        else if (status >= 200 && status <= 299) versions.set(write, versionOf(result));
        else if (isBusy(result) && attempt < TRIES) busy.push(write);
        else {
          throw this.#refused(write, { ...answer, status, json: result });
        }
      }
      left = busy;
    }
    return writes.map((write) => versions.get(write));
  }

  async #bulk(
    writes: readonly Write[],
  ): Promise<{ answer: Answer; items: readonly Record<string, unknown>[] }> {
    const body = writes.map(({ index, id, source, expected }) => {
      const target = { _index: index, _id: id };
      const action = expected === "none" ? { create: target } : {
        index: expected === undefined
          ? target
          : { ...target, if_seq_no: expected.seqNo, if_primary_term: expected.primaryTerm },
      };
      return `${JSON.stringify(action)}\n${JSON.stringify(source)}\n`;
    }).join("");
    const request = { method: "POST", path: "/_bulk", body, contentType: "application/x-ndjson" };
    const answer = await this.#cluster.send(request, { ...SAFE, mayBeForbidden: true });
    const items = field(answer.json, "items");
    if (answer.status !== 200 || !Array.isArray(items)) {
      const hint = answer.status === 403
        ? "; the user needs the right 'cluster_composite_ops'"
        : "";
      throw this.#failed("write a record", answer, describeFailure(answer) + hint);
    }
    return {
      answer,
      items: items.map((item) => Object.values(item)[0] as Record<string, unknown>),
    };
  }

  /** An index that is missing is an error of the single document, and so is a shard that is not ready yet. */
  async #mget(
    docs: readonly { _index: string; _id: string }[],
    signal?: AbortSignal,
  ): Promise<readonly Record<string, unknown>[] | "forbidden"> {
    const request = { method: "POST", path: "/_mget", body: JSON.stringify({ docs }) };
    for (let attempt = 1;; attempt++) {
      const answer = await this.#cluster.send(request, { ...SAFE, mayBeForbidden: true, signal });
      if (answer.status === 403) return "forbidden";
      const found = field(answer.json, "docs");
      if (answer.status !== 200 || !Array.isArray(found)) {
        throw this.#failed("read the records", answer);
      }
      const failed = found.find(({ error }) =>
        error !== undefined && field(error, "type") !== "index_not_found_exception"
      );
      if (failed === undefined) return found;
      if (attempt === TRIES) throw this.#failed("read the records", { ...answer, json: failed });
      await pause(backOffMs(attempt), signal);
    }
  }

  /** For users that may search an index and not read across indices. */
  async #searchInstead(ids: readonly string[], signal?: AbortSignal): Promise<Stored> {
    await this.#refresh(`${RECORDS},${LOCKS}`, signal);
    const lock = await this.#hits(LOCKS, { ids: { values: [this.#connection] } }, signal);
    const documents = new Map<string, Found>();
    for (let start = 0; start < ids.length; start += PAGE) {
      const query = { ids: { values: ids.slice(start, start + PAGE) } };
      const hits = await this.#hits(RECORDS, query, signal);
      for (const hit of hits) documents.set(hit._id as string, foundOf(hit));
    }
    return { documents, ...(lock[0] && { lock: foundOf(lock[0]) }), missing: [] };
  }

  /** Makes what was written findable; without the right to it, the last second is missing. */
  async #refresh(indices: string, signal?: AbortSignal): Promise<void> {
    const path = `/${indices}/_refresh?ignore_unavailable=true`;
    await this.#cluster.send({ method: "POST", path }, { ...SAFE, mayBeForbidden: true, signal });
  }

  async #hits(
    index: string,
    query: unknown,
    signal?: AbortSignal,
  ): Promise<readonly Record<string, unknown>[]> {
    const body = JSON.stringify({ size: MAX_HITS, seq_no_primary_term: true, query });
    const path = `/${index}/_search?ignore_unavailable=true`;
    const answer = await this.#cluster.send({ method: "POST", path, body }, { ...SAFE, signal });
    const hits = field(field(answer.json, "hits"), "hits");
    if (answer.status !== 200 || !Array.isArray(hits)) {
      throw this.#failed("search the records", answer);
    }
    return hits;
  }

  /** A block of an index, which lack of disk sets too, is no matter of rights. */
  #refused({ index }: Write, answer: Answer): ConnectionError {
    const isRight = answer.status === 403 && !isBlocked(answer);
    const hint = isRight ? `; the user needs the right 'write' on '${index}'` : "";
    return this.#failed("write a record", answer, describeFailure(answer) + hint);
  }

  #failed(action: string, answer: Answer, reason = describeFailure(answer)): ConnectionError {
    const message = `Cannot ${action} on ${answer.host}: ${reason}`;
    return new ConnectionError(this.#connection, this.#cluster.redact(message));
  }
}

/** Indices may be aliases, as after a reindex: the answer then names what stands behind. */
function isLock(index: string): boolean {
  return index.startsWith(LOCKS);
}

/** An index that is blocked for writing answers 429 too, and stays so. */
function isBusy({ status, error }: Record<string, unknown>): boolean {
  const isBusy = status === 429 || status === 503;
  return isBusy && !isBlocked({ status: Number(status), json: { error } });
}

function foundOf(document: Record<string, unknown>): Found {
  return { source: document._source as Found["source"], version: versionOf(document) };
}

function versionOf(document: Record<string, unknown>): DocumentVersion {
  return { seqNo: Number(document._seq_no), primaryTerm: Number(document._primary_term) };
}
