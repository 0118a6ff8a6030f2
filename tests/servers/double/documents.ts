import type { Reply } from "./answers.ts";

interface Document {
  version: number;
  seqNo: number;
  source: unknown;
}

interface Action {
  _index: string;
  _id: string;
  if_seq_no?: number;
  if_primary_term?: number;
}

/** Indices with their documents: what `_mget` and `_bulk` work on. */
export class Documents {
  readonly indices = new Map<string, { documents: Map<string, Document>; nextSeqNo: number }>();

  create(index: string): void {
    this.indices.set(index, { documents: new Map(), nextSeqNo: 0 });
  }

  mget(body: string): Reply {
    const { docs } = JSON.parse(body) as { docs: { _index: string; _id: string }[] };
    return { status: 200, body: { docs: docs.map(({ _index, _id }) => this.#get(_index, _id)) } };
  }

  bulk(body: string): Reply {
    if (!body.endsWith("\n")) throw new Error("The bulk request must be terminated by a newline");
    const lines = body.split("\n").slice(0, -1).map((line) => JSON.parse(line));
    const items: Record<string, unknown>[] = [];
    for (let i = 0; i < lines.length; i += 2) {
      const [[operation, action] = ["", undefined]] = Object.entries(
        lines[i] as Record<string, Action>,
      );
      items.push({ [operation]: this.#write(operation, action!, lines[i + 1]) });
    }
    const errors = items.some((item) => "error" in (Object.values(item)[0] as object));
    return { status: 200, body: { took: 1, errors, items } };
  }

  /** Understands what the runner asks: `ids`, and `term` below `bool.should`. */
  search(indices: readonly string[], body: string): Reply {
    const { query } = JSON.parse(body);
    const ids: string[] | undefined = query?.ids?.values;
    const terms = (query?.bool?.should ?? []).map(({ term }: { term: object }) =>
      Object.entries(term)[0]
    );
    const hits = indices.flatMap((index) =>
      [...this.indices.get(index)?.documents ?? []].flatMap(([id, { seqNo, source }]) => {
        const fields = source as Record<string, unknown>;
        const matches = ids
          ? ids.includes(id)
          : terms.some(([name, value]: [string, string]) => fields[name] === value);
        const hit = { _index: index, _id: id, _seq_no: seqNo, _primary_term: 1, _source: source };
        return matches ? [hit] : [];
      })
    );
    const total = { value: hits.length, relation: "eq" };
    return { status: 200, body: { took: 1, timed_out: false, hits: { total, hits } } };
  }

  #get(index: string, id: string): unknown {
    const found = this.indices.get(index);
    if (!found) {
      const error = {
        type: "index_not_found_exception",
        reason: `no such index [${index}]`,
        index,
        "resource.id": index,
        "resource.type": "index_expression",
        index_uuid: "_na_",
      };
      return { _index: index, _id: id, error: { root_cause: [error], ...error } };
    }
    const document = found.documents.get(id);
    if (!document) return { _index: index, _id: id, found: false };
    const { version, seqNo, source } = document;
    return {
      _index: index,
      _id: id,
      _version: version,
      _seq_no: seqNo,
      _primary_term: 1,
      found: true,
      _source: source,
    };
  }

  #write(operation: string, action: Action, source: unknown): unknown {
    const { _index: index, _id: id } = action;
    if (!this.indices.has(index)) this.create(index);
    const store = this.indices.get(index)!;
    const current = store.documents.get(id);
    const conflict = conflictOf(operation, action, current);
    if (conflict) {
      const reason = `[${id}]: version conflict, ${conflict}`;
      const error = { type: "version_conflict_engine_exception", reason, index, shard: "0" };
      return { _index: index, _id: id, status: 409, error };
    }
    const document = { version: (current?.version ?? 0) + 1, seqNo: store.nextSeqNo++, source };
    store.documents.set(id, document);
    return {
      _index: index,
      _id: id,
      _version: document.version,
      result: current ? "updated" : "created",
      _shards: { total: 1, successful: 1, failed: 0 },
      _seq_no: document.seqNo,
      _primary_term: 1,
      status: current ? 200 : 201,
    };
  }
}

function conflictOf(operation: string, action: Action, current?: Document): string | undefined {
  if (operation === "create") {
    return current && `document already exists (current version [${current.version}])`;
  }
  if (action.if_seq_no === undefined) return undefined;
  const required =
    `required seqNo [${action.if_seq_no}], primary term [${action.if_primary_term}].`;
  if (!current) return `${required} but no document was found`;
  if (current.seqNo === action.if_seq_no) return undefined;
  return `${required} current document has seqNo [${current.seqNo}] and primary term [1]`;
}
