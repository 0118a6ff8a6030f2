import { invalid, type Json, notCovered, ok, Refused, type Reply } from "./answers.ts";
import type { Documents, Operation, Write } from "./documents.ts";
import { endAt, readObject, readOptional, unknownField } from "./json_text.ts";
import { isEvaluated, queryProblem } from "./queries.ts";
import type { Hit, Search } from "./search.ts";
import type { Tasks, Work } from "./tasks.ts";

const MEMBERS = ["source", "dest", "conflicts", "max_docs", "size", "script"];
const COVERED = ["index", "op_type", "pipeline", "query", "routing", "size", "version_type"];
const BATCH = 1000;

/** `_reindex`, `_update_by_query` and `_delete_by_query`. */
export class ByQuery {
  readonly #documents: Documents;
  readonly #search: Search;
  readonly #tasks: Tasks;

  constructor(documents: Documents, search: Search, tasks: Tasks) {
    this.#documents = documents;
    this.#search = search;
    this.#tasks = tasks;
  }

  reindex(query: URLSearchParams, text: string, opaqueId: string | null): Reply {
    const body = readObject(text);
    const stranger = Object.keys(body).find((name) => !MEMBERS.includes(name));
    if (stranger !== undefined) throw unknownField(text, "reindex", stranger);
    if (body.script !== undefined) return notCovered("scripts");
    const { source = {}, dest = {}, conflicts, max_docs: most } = body as Record<string, Json>;
    const beyond = [...Object.keys(source!), ...Object.keys(dest!)]
      .find((name) => !COVERED.includes(name));
    if (beyond !== undefined) return notCovered(`'${beyond}' of a copy`);
    const from = [source!.index ?? []].flat().join(",");
    const to = dest!.index as string | undefined;
    const problems = [
      ...(from === "" ? ["use _all if you really want to copy from all existing indexes"] : []),
      ...(to === undefined ? ["index must be specified"] : []),
      ...(from.split(",").includes(to!)
        ? [`reindex cannot write into an index its reading from [${to}]`]
        : []),
    ];
    if (problems.length > 0) throw invalid(...problems);
    checkQuery(text);
    const external = dest!.version_type === "external";
    const copy = ({ id, document }: Hit): Write => ({
      operation: dest!.op_type === "create" ? "create" : "index",
      index: to!,
      id,
      source: document.source,
      ...(external && { version: document.version }),
      ...(dest!.pipeline !== undefined && { pipeline: String(dest!.pipeline) }),
    });
    return this.#start(query, opaqueId, {
      action: "indices:data/write/reindex",
      description: `reindex from [${from}] to [${to}]`,
      from,
      query: source!.query,
      proceed: String(conflicts) === "proceed",
      most: Number(most ?? Infinity),
      write: copy,
      shown: (result) => result,
    });
  }

  byQuery(
    kind: "update" | "delete",
    from: string,
    query: URLSearchParams,
    text: string,
    opaqueId: string | null,
  ): Reply {
    const { query: about, script, conflicts } = readOptional(text);
    if (script !== undefined) return notCovered("scripts");
    const problem = text === "" ? undefined : queryProblem(text, "query");
    if (problem) throw new Refused(400, problem);
    const operation: Operation = kind === "delete" ? "delete" : "index";
    return this.#start(query, opaqueId, {
      action: `indices:data/write/${kind}/byquery`,
      description: `${kind}-by-query [${from}]`,
      from,
      query: about,
      proceed: (conflicts ?? query.get("conflicts")) === "proceed",
      most: Infinity,
      write: ({ index, id, document }) => {
        return { operation, index: index.name, id, source: document.source };
      },
      shown: ({ created: _, updated, ...result }) => {
        return kind === "delete" ? result : { ...result, updated };
      },
    });
  }

  #start(query: URLSearchParams, opaqueId: string | null, job: Job): Reply {
    const { action, description } = job;
    const work: Work = { action, description, run: () => this.#run(job) };
    // Told at once, and not by a task.
    if (!isEvaluated(job.query)) return notCovered(`the query ${JSON.stringify(job.query)}`);
    if (query.get("wait_for_completion") === "false") return this.#tasks.start(work, opaqueId);
    const result = job.shown(work.run());
    const statuses = (result.failures as { status: number }[]).map(({ status }) => status);
    return ok(result, Math.max(200, ...statuses));
  }

  #run({ from, query, most, proceed, write }: Job): Json {
    const hits = this.#search.hits(from, query).slice(0, most);
    const count = { updated: 0, created: 0, deleted: 0, version_conflicts: 0, noops: 0 };
    const failures: Json[] = [];
    let batches = 0;
    for (let at = 0; at < hits.length && failures.length === 0; at += BATCH) {
      batches++;
      for (const hit of hits.slice(at, at + BATCH)) {
        const failure = this.#one(write(hit), count, proceed);
        if (failure) failures.push(failure);
      }
    }
    const { updated, created, deleted, version_conflicts, noops } = count;
    return {
      took: 1,
      timed_out: false,
      total: hits.length,
      updated,
      created,
      deleted,
      batches,
      version_conflicts,
      noops,
      retries: { bulk: 0, search: 0 },
      throttled_millis: 0,
      requests_per_second: -1,
      throttled_until_millis: 0,
      failures,
    };
  }

  #one(write: Write, count: Record<string, number>, proceed: boolean): Json | undefined {
    try {
      const { result } = this.#documents.write(write).body as { result: string };
      count[result]! += 1;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { status, error: cause } = error;
      if (status === 409) count.version_conflicts! += 1;
      if (status !== 409 || !proceed) return { index: write.index, id: write.id, cause, status };
    }
    return undefined;
  }
}

interface Job {
  readonly action: string;
  readonly description: string;
  readonly from: string;
  readonly query: unknown;
  /** Whether versions that conflict are passed over. */
  readonly proceed: boolean;
  readonly most: number;
  readonly write: (hit: Hit) => Write;
  /** A request that waits receives this part of the result; a task keeps all of it. */
  readonly shown: (result: Json) => Json;
}

function checkQuery(text: string): void {
  const { source } = readObject(text) as { source: Json };
  const problem = queryProblem(JSON.stringify({ query: source.query }), "query");
  if (!problem) return;
  const { line, col } = endAt(text, "source");
  throw new Refused(400, {
    type: "x_content_parse_exception",
    reason: `[${line}:${col}] [reindex] failed to parse field [source]`,
    caused_by: problem,
  });
}
