import { illegal, isObject, type Json, noSuchIndex, ok, Refused, type Reply } from "./answers.ts";
import type { Dialect } from "./dialect.ts";
import { mappingWith } from "./fields.ts";
import type { Document, Index, Indices } from "./indices.ts";
import { shards } from "./index_api.ts";
import { checkVersion, type Condition } from "./versions.ts";
import type { WriteTargets } from "./write_targets.ts";

export type Operation = "index" | "create" | "update" | "delete";

/** A write, as a bulk names it in a line and a request in its address. */
export interface Write extends Omit<Condition, "create"> {
  readonly operation: Operation;
  readonly index: string;
  readonly id?: string;
  readonly source?: unknown;
  readonly pipeline?: string;
  readonly requireAlias?: boolean;
  readonly refresh?: boolean;
}

/** Documents of all indices, read and written one by one. */
export class Documents {
  readonly #indices: Indices;
  readonly #dialect: Dialect;
  readonly #targets: WriteTargets;
  readonly #hasPipeline: (name: string) => boolean;
  #ids = 0;

  constructor(
    indices: Indices,
    dialect: Dialect,
    targets: WriteTargets,
    hasPipeline: (name: string) => boolean,
  ) {
    this.#indices = indices;
    this.#dialect = dialect;
    this.#targets = targets;
    this.#hasPipeline = hasPipeline;
  }

  get(expression: string, id: string, withSource = true): Reply {
    const { name, documents } = this.#one(expression);
    const document = documents.get(id);
    const head = { _index: name, ...this.#type, _id: id };
    if (!document) return ok({ ...head, found: false }, 404);
    const source = withSource ? { _source: document.source } : {};
    return ok({ ...head, ...numbers(document), found: true, ...source });
  }

  source(expression: string, id: string): Reply {
    const { status, body } = this.get(expression, id);
    if (status === 200) return ok((body as Json)._source);
    const reason = `Document not found [${expression}]/[${id}]`;
    throw new Refused(404, { type: "resource_not_found_exception", reason });
  }

  /** One item of `_mget`: an index that does not exist is an error of the item. */
  item(index: string, id: string, source: unknown): Json {
    try {
      return this.get(index, id, source !== false).body as Json;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { root_cause } = (error.reply.body as { error: Json }).error;
      return {
        _index: index,
        ...(this.#dialect.flavour === "elasticsearch" && { _type: null }),
        _id: id,
        error: { root_cause, ...error.error },
      };
    }
  }

  /** @throws {Refused} */
  write(write: Write): Reply {
    const { operation, requireAlias = false } = write;
    // A deletion makes no index.
    const want = { create: operation !== "delete", alias: requireAlias };
    const index = this.#targets.find(write.index, want);
    checkOpen(index);
    if (index.settings["index.blocks.write"] === "true") throw blocked(index);
    this.#checkPipelines(index, write);
    const id = write.id ?? this.newId();
    const current = index.documents.get(id);
    const deleted = index.deleted.get(id);
    const present = current ?? (deleted === undefined ? undefined : { version: deleted });
    checkVersion(index, id, { ...write, create: operation === "create" }, present);
    if (operation === "delete") return this.#delete(index, id, write, current);
    if (operation === "update") return this.#update(index, id, write, current);
    return this.#put(index, id, write, current, write.source);
  }

  #put(
    index: Index,
    id: string,
    write: Write,
    current: Document | undefined,
    source: unknown,
  ): Reply {
    if (!isObject(source)) throw NO_OBJECT;
    index.mappings = mappingWith(index.mappings, id, source);
    const version = write.version ?? nextVersion(index, id, current);
    const document = { version, seqNo: index.nextSeqNo++, source };
    index.documents.set(id, document);
    index.deleted.delete(id);
    return this.#written(index, id, document, current ? "updated" : "created", write);
  }

  #delete(index: Index, id: string, write: Write, current?: Document): Reply {
    const version = write.version ?? nextVersion(index, id, current);
    index.documents.delete(id);
    if (index.settings["index.gc_deletes"] !== "0s") index.deleted.set(id, version);
    const document = { version, seqNo: index.nextSeqNo++, source: undefined };
    return this.#written(index, id, document, current ? "deleted" : "not_found", write);
  }

  #update(index: Index, id: string, write: Write, current?: Document): Reply {
    const { doc, doc_as_upsert, upsert, _source: isShown } = write.source as Json;
    if (!current) {
      const source = upsert ?? (doc_as_upsert === true ? doc : undefined);
      if (source === undefined) throw this.#missing(index, id);
      return this.#put(index, id, write, current, source);
    }
    const source = merged(current.source, doc);
    if (JSON.stringify(source) !== JSON.stringify(current.source)) {
      return this.#put(index, id, write, current, source);
    }
    const { status, body } = this.#written(index, id, current, "noop", write);
    const { _version: _, ...place } = numbers(current);
    const get = { ...place, found: true, _source: current.source };
    return ok({ ...body as Json, ...(isShown === true && { get }) }, status);
  }

  #written(index: Index, id: string, document: Document, result: string, write: Write): Reply {
    const status = result === "created" ? 201 : result === "not_found" ? 404 : 200;
    return ok({
      _index: index.name,
      ...this.#type,
      _id: id,
      _version: document.version,
      result,
      ...(write.refresh && result !== "noop" && { forced_refresh: true }),
      _shards: shardsOf(index),
      _seq_no: document.seqNo,
      _primary_term: 1,
    }, status);
  }

  get #type(): Json {
    return this.#dialect.flavour === "elasticsearch" ? { _type: "_doc" } : {};
  }

  /** The index that a name or an alias stands for. */
  #one(expression: string): Index {
    const indices = this.#indices.resolve(expression, true);
    if (indices.length > 1) {
      const names = indices.map(({ name }) => name).sort().join(", ");
      throw illegal(
        `alias [${expression}] has more than one index associated with it [${names}], ` +
          "can't execute a single index op",
      );
    }
    const [index] = indices;
    if (!index) throw noSuchIndex(expression, "index_expression");
    checkOpen(index);
    return index;
  }

  /** A pipeline has to be there; what it does is not done. */
  #checkPipelines({ settings }: Index, { pipeline, operation }: Write): void {
    if (operation === "delete") return;
    const names = [
      pipeline ?? settings["index.default_pipeline"],
      settings["index.final_pipeline"],
    ];
    for (const name of names) {
      if (!name || name === "_none" || this.#hasPipeline(String(name))) continue;
      throw illegal(`pipeline with id [${name}] does not exist`);
    }
  }

  #missing({ name, uuid }: Index, id: string): Refused {
    const type = this.#dialect.flavour === "elasticsearch" ? "[_doc]" : "";
    return new Refused(404, {
      type: "document_missing_exception",
      reason: `${type}[${id}]: document missing`,
      index: name,
      shard: "0",
      index_uuid: uuid,
    });
  }

  /** An id for a document that is sent without one. */
  newId(): string {
    return `irori${String(++this.#ids).padStart(15, "0")}`;
  }
}

const NO_OBJECT = new Refused(400, {
  type: "mapper_parsing_exception",
  reason: "failed to parse",
  caused_by: {
    type: "not_x_content_exception",
    reason:
      "Compressor detection can only be called on some xcontent bytes or compressed xcontent bytes",
  },
});

export function checkOpen({ closed, name, uuid }: Index): void {
  if (!closed) return;
  const place = { index: name, index_uuid: uuid };
  throw new Refused(400, { type: "index_closed_exception", reason: "closed", ...place });
}

function blocked({ name }: Index): Refused {
  const reason = `index [${name}] blocked by: [FORBIDDEN/8/index write (api)];`;
  return new Refused(403, { type: "cluster_block_exception", reason });
}

function nextVersion({ deleted }: Index, id: string, current?: Document): number {
  return (current?.version ?? deleted.get(id) ?? 0) + 1;
}

function numbers({ version, seqNo }: Document): Json {
  return { _version: version, _seq_no: seqNo, _primary_term: 1 };
}

function shardsOf(index: Index): Json {
  const { settings } = index;
  return shards([{ ...index, settings: { ...settings, "index.number_of_shards": "1" } }]);
}

/** `value` with `change` over it, objects merged. */
function merged(value: unknown, change: unknown): unknown {
  if (!isObject(value) || !isObject(change)) return change ?? value;
  const keys = new Set([...Object.keys(value), ...Object.keys(change)]);
  return Object.fromEntries([...keys].map((key) => [key, merged(value[key], change[key])]));
}
