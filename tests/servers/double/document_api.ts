import { invalid, type Json, missingBody, notCovered, ok, type Reply } from "./answers.ts";
import type { Documents, Operation } from "./documents.ts";
import { readObject } from "./json_text.ts";
import { readCondition } from "./versions.ts";

/** A request about one document, or `_mget`. */
export class DocumentApi {
  readonly #documents: Documents;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  write(
    operation: Operation,
    index: string,
    id: string | undefined,
    query: URLSearchParams,
    body: string,
  ): Reply {
    if (body === "" && operation !== "delete") throw missingBody();
    const created = operation === "index" && query.get("op_type") === "create";
    return this.#documents.write({
      operation: created ? "create" : operation,
      index,
      ...(id !== undefined && { id }),
      source: parsed(body),
      ...readCondition(query),
      ...(query.has("pipeline") && { pipeline: query.get("pipeline")! }),
      requireAlias: query.get("require_alias") === "true",
      refresh: isRefresh(query),
    });
  }

  update(index: string, id: string, query: URLSearchParams, body: string): Reply {
    const source = readObject(body);
    if (source.script !== undefined) return notCovered("scripts");
    const write = { operation: "update", index, id, source, refresh: isRefresh(query) } as const;
    const reply = this.#documents.write({ ...write, ...readCondition(query) });
    const written = reply.body as Json;
    if (written.result !== "noop") return reply;
    return ok({ ...written, _shards: { total: 0, successful: 0, failed: 0 } });
  }

  mget(index: string | undefined, body: string): Reply {
    if (body === "") throw missingBody("request body or source parameter is required");
    const { docs, ids } = readObject(body) as { docs?: Json[]; ids?: string[] };
    const wanted = docs ?? ids?.map((_id): Json => ({ _id })) ?? [];
    if (wanted.length === 0) throw invalid("no documents to get");
    const nameless = wanted.findIndex(({ _index }) => (_index ?? index) === undefined);
    if (nameless >= 0) throw invalid(`index is missing for doc ${nameless}`);
    return ok({
      docs: wanted.map(({ _index, _id, _source }) => {
        return this.#documents.item(String(_index ?? index), String(_id), _source);
      }),
    });
  }
}

export function isRefresh(query: URLSearchParams): boolean {
  return query.get("refresh") === "true" || query.get("refresh") === "";
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
