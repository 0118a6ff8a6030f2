import {
  backOffMs,
  ConnectionError,
  type DocumentVersion,
  HistoryError,
  pause,
} from "../../runner/mod.ts";
import {
  type Answer,
  describeFailure,
  errorType,
  failureOf,
  isBlocked,
} from "../cluster/answer.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { field } from "../json/json_values.ts";
import { indexBody, LOCKS, RECORDS } from "./own_indices.ts";
import { damageOf, describeDamage, operationsOf, type Write } from "./writes.ts";

const PAGE = 1000;
const MAX_HITS = 10_000;
const TRIES = 5;
const SAFE = { repeatSafe: true };

export interface Found {
  readonly source: Readonly<Record<string, unknown>>;
  readonly version: DocumentVersion;
}

export interface Stored {
  readonly documents: ReadonlyMap<string, Found>;
  readonly lock?: Found;
  readonly missing: readonly string[];
}

/** Reads and writes the documents of the runner. Ids are sent in bodies, never in URLs. */
export class Documents {
  constructor(readonly cluster: Cluster, private readonly connection: string) {}

  /** Reads the lock and these documents in real time, a thousand with each request. */
  async read(ids: readonly string[], signal?: AbortSignal): Promise<Stored> {
    const wanted = [
      { _index: LOCKS, _id: this.connection },
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
        // After a reindex the name may be an alias, and the answer names its index.
        if (index.startsWith(LOCKS)) lock = this.#found(document);
        else documents.set(document._id as string, this.#found(document));
      }
    }
    return { documents, ...(lock && { lock }), missing: [...missing] };
  }

  async readLock(): Promise<Found | undefined> {
    return (await this.read([])).lock;
  }

  /** Every record of the connection, by id, of all writers. Without a refresh before it the last writes may be missing. */
  async search(signal?: AbortSignal): Promise<ReadonlyMap<string, Found>> {
    const query = {
      // The index of another program may have the field as text, perhaps with a keyword below.
      bool: {
        should: [
          ...["connection", "connection.keyword"].map((name) => ({
            term: { [name]: this.connection },
          })),
          // Text matches words, so the records are filtered by connection later.
          { match_phrase: { connection: this.connection } },
        ],
      },
    };
    return new Map(await this.#find(RECORDS, query, signal));
  }

  /** @param unknown settings that the server does not know */
  async createIndices(missing: readonly string[], unknown: string[] = []): Promise<void> {
    for (const [at, index] of missing.entries()) {
      const known = (key: string, value: unknown) => unknown.includes(key) ? undefined : value;
      const body = JSON.stringify(indexBody(index), known);
      const request = { method: "PUT", path: `/${index}`, body };
      const answer = await this.cluster.send(request, SAFE);
      const isThere = errorType(answer) === "resource_already_exists_exception";
      const failure = isThere ? undefined : failureOf(request, answer);
      const [, setting] = /unknown setting \[([\w.]+)\]/.exec(failure?.reason ?? "") ?? [];
      if (setting !== undefined && !unknown.includes(setting)) {
        return await this.createIndices(missing.slice(at), [...unknown, setting]);
      }
      // Writing waits for an index whose creation is not confirmed yet.
      if (failure && !failure.unacknowledged) {
        throw this.#failed(`create the index '${index}'`, answer, failure.reason);
      }
    }
  }

  /** Writes documents in one request, and repeats those that a busy cluster rejects; `undefined` is a conflict. */
  async write(writes: readonly Write[]): Promise<readonly (DocumentVersion | undefined)[]> {
    const versions = new Map<Write, DocumentVersion | undefined>();
    let left = writes;
    for (let attempt = 1; left.length > 0; attempt++) {
      if (attempt > 1) await pause(backOffMs(attempt));
      const { answer, items } = await this.#bulk(left);
      const busy: Write[] = [];
      for (const [index, write] of left.entries()) {
        if (items[index]!.some(isBusy) && attempt < TRIES) {
          busy.push(write);
          continue;
        }
        const [result = {}] = items[index]!;
        const status = Number(result.status);
        const damage = damageOf(write, items[index]!);
        if (damage !== undefined) throw this.#damaged(write.index, damage);
        if (status === 409) versions.set(write, undefined);
        else if (status >= 200 && status <= 299) versions.set(write, versionOfHit(result));
        else throw this.#refused(write, { ...answer, status, json: result });
      }
      left = busy;
    }
    return writes.map((write) => versions.get(write));
  }

  async #bulk(writes: readonly Write[]) {
    const body = writes.flatMap(operationsOf).map((line) => `${JSON.stringify(line)}\n`).join("");
    const request = { method: "POST", path: "/_bulk", body, contentType: "application/x-ndjson" };
    const answer = await this.cluster.send(request, { ...SAFE, mayBeForbidden: true });
    const items = field(answer.json, "items");
    if (answer.status !== 200 || !Array.isArray(items)) {
      const hint = answer.status === 403
        ? "; the user needs the right 'cluster_composite_ops'"
        : "";
      throw this.#failed("write a record", answer, describeFailure(answer) + hint);
    }
    const results = items.map((item) => Object.values(item)[0] as Record<string, unknown>);
    return { answer, items: writes.map(({ isProbe }) => results.splice(0, isProbe ? 3 : 1)) };
  }

  /** A missing index, and a shard that is not ready, are errors of single documents. */
  async #mget(
    docs: readonly { _index: string; _id: string }[],
    signal?: AbortSignal,
  ): Promise<readonly Record<string, unknown>[] | "forbidden"> {
    const request = { method: "POST", path: "/_mget", body: JSON.stringify({ docs }) };
    for (let attempt = 1;; attempt++) {
      const answer = await this.cluster.send(request, { ...SAFE, mayBeForbidden: true, signal });
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

  /** For users with the right to search an index but not to read across indices. */
  async #searchInstead(ids: readonly string[], signal?: AbortSignal): Promise<Stored> {
    await this.refresh(`${RECORDS},${LOCKS}`, signal);
    const [[, lock] = []] = await this.#find(LOCKS, { ids: { values: [this.connection] } }, signal);
    const documents = new Map<string, Found>();
    for (let start = 0; start < ids.length; start += PAGE) {
      const query = { ids: { values: ids.slice(start, start + PAGE) } };
      for (const found of await this.#find(RECORDS, query, signal)) documents.set(...found);
    }
    return { documents, ...(lock && { lock }), missing: [] };
  }

  /** Without the right to refresh, a search misses the writes of the last second. */
  async refresh(indices: string, signal?: AbortSignal): Promise<void> {
    const path = `/${indices}/_refresh?ignore_unavailable=true`;
    await this.cluster.send({ method: "POST", path }, { ...SAFE, mayBeForbidden: true, signal });
  }

  async #find(index: string, query: unknown, signal?: AbortSignal): Promise<[string, Found][]> {
    const body = JSON.stringify({ size: MAX_HITS, seq_no_primary_term: true, query });
    const path = `/${index}/_search?ignore_unavailable=true`;
    const answer = await this.cluster.send({ method: "POST", path, body }, { ...SAFE, signal });
    const hits = field(answer.json, "hits", "hits");
    if (answer.status !== 200 || !Array.isArray(hits)) {
      throw this.#failed("search the records", answer);
    }
    return hits.map((hit) => [hit._id, this.#found(hit)]);
  }

  #found({ _index: index, _source: source, ...document }: Record<string, unknown>): Found {
    if (source === undefined) throw this.#damaged(String(index), "it does not keep '_source'");
    return { source: source as Found["source"], version: versionOfHit(document) };
  }

  #damaged(index: string, damage: string): HistoryError {
    return new HistoryError(this.cluster.name, describeDamage(index, damage));
  }

  /** A block of an index, for example for lack of disk space, is not a missing right. */
  #refused({ index }: Write, answer: Answer): ConnectionError {
    const isRight = answer.status === 403 && !isBlocked(answer);
    const hint = isRight ? `; the user needs the right 'write' on '${index}'` : "";
    const { message } = this.#failed("write a record", answer, describeFailure(answer) + hint);
    return new ConnectionError(this.cluster.name, message, { refused: true });
  }

  #failed(action: string, answer: Answer, reason = describeFailure(answer)): ConnectionError {
    const message = `Cannot ${action} on ${answer.host}: ${reason}`;
    return new ConnectionError(this.cluster.name, this.cluster.redact(message));
  }
}

/** An index that is blocked for writing answers 429 permanently. */
function isBusy({ status, error }: Record<string, unknown>): boolean {
  const isBusy = status === 429 || status === 503;
  return isBusy && !isBlocked({ status: Number(status), json: { error } });
}

function versionOfHit(document: Record<string, unknown>): DocumentVersion {
  return { seqNo: Number(document._seq_no), primaryTerm: Number(document._primary_term) };
}
