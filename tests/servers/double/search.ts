import { illegal, type Json, notCovered, ok, Refused, type Reply } from "./answers.ts";
import { checkOpen } from "./documents.ts";
import type { Document, Index, Indices } from "./indices.ts";
import { keyAt, readOptional } from "./json_text.ts";
import { fits, isEvaluated, queryProblem } from "./queries.ts";

/** The members of a search's body that the double understands. */
const MEMBERS = [
  "_source",
  "from",
  "query",
  "seq_no_primary_term",
  "size",
  "timeout",
  "track_total_hits",
  "version",
];

export interface Hit {
  readonly index: Index;
  readonly id: string;
  readonly document: Document;
}

/** `_search` and `_count`. Every write is seen at once, as after a refresh. */
export class Search {
  readonly #indices: Indices;
  readonly #hasPipeline: (name: string) => boolean;

  constructor(indices: Indices, hasPipeline: (name: string) => boolean) {
    this.#indices = indices;
    this.#hasPipeline = hasPipeline;
  }

  hits(expression: string, query: unknown, ignoreMissing = false): Hit[] {
    const indices = this.#indices.resolve(expression, ignoreMissing);
    indices.forEach(checkOpen);
    return indices.flatMap((index) =>
      [...index.documents].flatMap(([id, document]) => {
        return fits(query, { ...document, id }) ? [{ index, id, document }] : [];
      })
    );
  }

  search(expression: string, parameters: URLSearchParams, text: string): Reply {
    const body = readOptional(text);
    checkQuery(text);
    const beyond = Object.keys(body).find((name) => !MEMBERS.includes(name)) ??
      ["q", "scroll", "sort"].find((name) => parameters.has(name));
    if (beyond !== undefined) return notCovered(`'${beyond}' of a search`);
    this.#checkPipelines(expression);
    if (!isEvaluated(body.query)) return notCovered(`the query ${JSON.stringify(body.query)}`);
    const all = this.#found(expression, body.query, parameters);
    const { from = 0, size = 10, seq_no_primary_term: seqNo, version, _source: source } = {
      ...Object.fromEntries([...parameters].map(([name, value]) => [name, literal(value)])),
      ...body,
    } as Json;
    const start = Number(from);
    const shown = all.slice(start, start + Number(size)).map(({ index, id, document }) => ({
      _index: index.name,
      _id: id,
      ...(version === true && { _version: document.version }),
      ...(seqNo === true && { _seq_no: document.seqNo, _primary_term: 1 }),
      _score: 1,
      ...(source !== false && { _source: document.source }),
    }));
    const shards = this.#shards(expression);
    const hits = {
      total: { value: all.length, relation: "eq" },
      max_score: shown.length > 0 ? 1 : shards.total === 0 ? 0 : null,
      hits: shown,
    };
    return ok({ took: 1, timed_out: false, _shards: shards, hits });
  }

  count(expression: string, parameters: URLSearchParams, text: string): Reply {
    const body = readOptional(text);
    const stranger = Object.keys(body).find((name) => name !== "query");
    if (stranger !== undefined) {
      const type = "parsing_exception";
      const reason = `request does not support [${stranger}]`;
      throw new Refused(400, { type, reason, ...keyAt(text, stranger) });
    }
    checkQuery(text);
    if (parameters.has("q")) return notCovered("'q' of a count");
    if (!isEvaluated(body.query)) return notCovered(`the query ${JSON.stringify(body.query)}`);
    const all = this.#found(expression, body.query, parameters);
    return ok({ count: all.length, _shards: this.#shards(expression) });
  }

  #found(expression: string, query: unknown, parameters: URLSearchParams): Hit[] {
    return this.hits(expression, query, parameters.get("ignore_unavailable") === "true");
  }

  #checkPipelines(expression: string): void {
    for (const { settings } of this.#indices.resolve(expression, true)) {
      const name = settings["index.search.default_pipeline"];
      if (!name || name === "_none" || this.#hasPipeline(String(name))) continue;
      throw illegal(`Pipeline ${name} is not defined`);
    }
  }

  #shards(expression: string) {
    const total = this.#indices.resolve(expression, true)
      .reduce((sum, { settings }) => sum + Number(settings["index.number_of_shards"]), 0);
    return { total, successful: total, skipped: 0, failed: 0 };
  }
}

function checkQuery(text: string): void {
  const problem = text === "" ? undefined : queryProblem(text, "query");
  if (problem) throw new Refused(400, problem);
}

function literal(value: string): unknown {
  return value === "true" ? true : value === "false" ? false : value;
}
