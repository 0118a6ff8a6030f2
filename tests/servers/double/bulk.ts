import {
  illegal,
  invalid,
  isObject,
  type Json,
  missingBody,
  ok,
  Refused,
  type Reply,
} from "./answers.ts";
import type { Dialect } from "./dialect.ts";
import { isRefresh } from "./document_api.ts";
import type { Documents, Operation, Write } from "./documents.ts";

const OPERATIONS = ["create", "delete", "index", "update"];

const MEMBERS = [
  "_index",
  "_id",
  "_source",
  "if_primary_term",
  "if_seq_no",
  "pipeline",
  "require_alias",
  "retry_on_conflict",
  "routing",
  "version",
  "version_type",
];

/** `_bulk`: each item stands for itself. */
export class Bulk {
  readonly #documents: Documents;
  readonly #dialect: Dialect;

  constructor(documents: Documents, dialect: Dialect) {
    this.#documents = documents;
    this.#dialect = dialect;
  }

  handle(index: string | undefined, query: URLSearchParams, body: string): Reply {
    if (body === "") throw missingBody();
    if (!body.endsWith("\n")) {
      throw illegal("The bulk request must be terminated by a newline [\\n]");
    }
    const writes = this.#read(body, index, query);
    if (writes.length === 0) throw invalid("no requests added");
    if (writes.some((write) => write.index === "undefined")) throw invalid("index is missing");
    const items = writes.map((write) => ({ [write.operation]: this.#item(write) }));
    const errors = items.some((item) => "error" in Object.values(item)[0]!);
    const ingested = writes.some(({ pipeline }) => pipeline !== undefined);
    return ok({ took: 1, ...(ingested && { ingest_took: 0 }), errors, items });
  }

  #read(body: string, index: string | undefined, query: URLSearchParams): Write[] {
    const lines = body.split("\n").slice(0, -1);
    const writes: Write[] = [];
    for (let at = 0; at < lines.length; at++) {
      if (lines[at]!.trim() === "") continue;
      const write = this.#action(lines[at]!, at + 1, index, query);
      if (!write) continue;
      if (write.operation === "delete") {
        writes.push(write);
      } else if (++at < lines.length) {
        writes.push({ ...write, source: parsed(lines[at]!) });
      }
    }
    return writes;
  }

  #action(
    line: string,
    at: number,
    index: string | undefined,
    query: URLSearchParams,
  ): Write | undefined {
    const action = parsed(line);
    const [[name, target] = ["", undefined]] = Object.entries(isObject(action) ? action : {});
    if (name === "") {
      throw malformed(at, "expected FIELD_NAME but found [END_OBJECT]");
    }
    if (!OPERATIONS.includes(name)) {
      // Elasticsearch 7 passes over what it does not know.
      if (this.#dialect.flavour === "elasticsearch") return undefined;
      throw malformed(at, `expected one of [${OPERATIONS.join(", ")}] but found [${name}]`);
    }
    const about = (target ?? {}) as Json;
    const stranger = Object.keys(about).find((member) => !MEMBERS.includes(member));
    if (stranger !== undefined) {
      throw illegal(`Action/metadata line [${at}] contains an unknown parameter [${stranger}]`);
    }
    const external = about.version_type === "external";
    if (external && name === "create") {
      throw invalid("create operations only support internal versioning. use index instead");
    }
    const pipeline = about.pipeline ?? query.get("pipeline");
    return {
      operation: name as Operation,
      index: String(about._index ?? index),
      id: about._id === undefined ? this.#documents.newId() : String(about._id),
      ...(about.if_seq_no !== undefined && {
        ifSeqNo: about.if_seq_no as number,
        ifPrimaryTerm: about.if_primary_term as number,
      }),
      ...(external && { version: about.version as number }),
      ...(pipeline != null && { pipeline: String(pipeline) }),
      requireAlias: about.require_alias === true || query.get("require_alias") === "true",
      refresh: isRefresh(query),
    };
  }

  #item(write: Write): Json {
    try {
      if (write.id === "") throw illegal("if _id is specified it must not be empty");
      const { status, body } = this.#documents.write(write);
      return { ...body as Json, status };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return {
        _index: write.index,
        ...(this.#dialect.flavour === "elasticsearch" && { _type: "_doc" }),
        _id: write.id,
        status: error.status,
        error: error.error,
      };
    }
  }
}

function malformed(line: number, why: string): Refused {
  return illegal(`Malformed action/metadata line [${line}], ${why}`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
