import {
  ACKNOWLEDGED,
  isObject,
  type Json,
  missingBody,
  ok,
  Refused,
  type Reply,
} from "./answers.ts";
import { readMap } from "./json_text.ts";
import { matches } from "./patterns.ts";

/** The processors of a kind of pipeline. */
export interface PipelineKind {
  readonly members: readonly string[];
  /** @throws {Refused} */
  check(name: string, body: Json): void;
}

/** Pipelines of one kind: a PUT replaces, a GET gives back what was sent. */
export class Pipelines {
  readonly #stored = new Map<string, Json>();
  readonly #kind: PipelineKind;

  constructor(kind: PipelineKind) {
    this.#kind = kind;
  }

  has(name: string): boolean {
    return this.#stored.has(name);
  }

  get(names = "*"): Reply {
    const found = this.#fitting(names);
    const missing = found.length === 0 && names !== "*";
    return ok(Object.fromEntries(found), missing ? 404 : 200);
  }

  put(name: string, text: string): Reply {
    if (text === "") throw missingBody("request body or source parameter is required");
    const body = readMap(text);
    this.#kind.check(name, body);
    const stranger = Object.keys(body).find((member) => !this.#kind.members.includes(member));
    if (stranger !== undefined) {
      throw unparsed(
        `pipeline [${name}] doesn't support one or more provided configuration parameters [${stranger}]`,
      );
    }
    this.#stored.set(name, body);
    return ACKNOWLEDGED;
  }

  delete(pattern: string): Reply {
    const found = this.#fitting(pattern);
    if (found.length === 0 && pattern !== "*") {
      const reason = `pipeline [${pattern}] is missing`;
      throw new Refused(404, { type: "resource_not_found_exception", reason });
    }
    for (const [name] of found) this.#stored.delete(name);
    return ACKNOWLEDGED;
  }

  #fitting(names: string): [string, Json][] {
    const patterns = names.split(",");
    return [...this.#stored].filter(([name]) => patterns.some((one) => matches(one, name)));
  }
}

function unparsed(reason: string, rest: Json = {}): Refused {
  return new Refused(400, { type: "parse_exception", reason, ...rest });
}

const INGEST_PROCESSORS =
  `append bytes community_id convert copy csv date date_index_name dissect dot_expander drop fail fingerprint foreach
  geoip grok gsub html_strip ip2geo join json kv lowercase pipeline remove remove_by_pattern rename script set sort
  sparse_encoding split text_chunking text_embedding text_image_embedding trim uppercase urldecode user_agent`
    .split(/\s+/);

/** The required and the optional members of a processor, besides those that all may have. */
const PROCESSORS: Record<string, readonly [needed: string[], optional: string[]]> = {
  set: [["field"], ["value", "copy_from", "override", "ignore_empty_value", "media_type"]],
  lowercase: [["field"], ["target_field", "ignore_missing"]],
  uppercase: [["field"], ["target_field", "ignore_missing"]],
  rename: [["field", "target_field"], ["ignore_missing", "override_target"]],
};
const COMMON = ["tag", "description", "if", "on_failure", "ignore_failure"];

export const INGEST: PipelineKind = {
  members: ["description", "processors", "on_failure", "version"],
  check(_, { processors, on_failure }) {
    if (processors === undefined) {
      const rest = { property_name: "processors" };
      throw unparsed("[processors] required property is missing", rest);
    }
    for (const processor of [processors, on_failure ?? []].flat() as Json[]) {
      checkProcessor(processor);
    }
  },
};

function checkProcessor(processor: Json): void {
  const [[type, about] = ["", {}]] = Object.entries(processor) as [string, Json][];
  const place = { processor_type: type };
  if (!INGEST_PROCESSORS.includes(type)) {
    throw unparsed(`No processor type exists with name [${type}]`, place);
  }
  const rule = PROCESSORS[type];
  if (!rule || !isObject(about)) return;
  const [needed, optional] = rule;
  for (const property of needed) {
    if (about[property] !== undefined) continue;
    throw unparsed(`[${property}] required property is missing`, {
      ...place,
      property_name: property,
    });
  }
  const known = [...needed, ...optional, ...COMMON];
  const stranger = Object.keys(about).find((property) => !known.includes(property));
  if (stranger === undefined) return;
  throw unparsed(
    `processor [${type}] doesn't support one or more provided configuration parameters [${stranger}]`,
    place,
  );
}

const SEARCH_PROCESSORS =
  `agentic_query_translator collapse filter_query hybrid_score_explanation ml_inference neural_query_enricher
  neural_sparse_two_phase_processor normalization-processor oversample personalize_search_ranking rename_field rerank
  retrieval_augmented_generation score-ranker-processor script sort split truncate_hits`.split(
    /\s+/,
  );

export const SEARCH: PipelineKind = {
  members: [
    "description",
    "request_processors",
    "response_processors",
    "phase_results_processors",
    "version",
  ],
  check(_, { request_processors, response_processors, phase_results_processors }) {
    const all = [request_processors, response_processors, phase_results_processors];
    for (const processor of all.flat() as (Json | undefined)[]) {
      const [type] = Object.keys(processor ?? {});
      if (type === undefined || SEARCH_PROCESSORS.includes(type)) continue;
      const reason = `Invalid processor type ${type}`;
      throw new Refused(400, { type: "illegal_argument_exception", reason });
    }
  },
};
