import { failure, type Reply } from "./answers.ts";

const INDEX = ".opendistro-ism-config";
const ACTIONS = [
  "rollover",
  "delete",
  "read_only",
  "replica_count",
  "force_merge",
  "open",
  "close",
];

interface Stored {
  version: number;
  seqNo: number;
  policy: Record<string, unknown>;
}

type Policy = Record<string, unknown> & {
  states?: { name: string; actions: Record<string, unknown>[]; transitions: unknown[] }[];
  ism_template?: { index_patterns: string[]; priority: number }[] | null;
};

/** The policies of index state management, as `recordings/opensearch-2.19.4-ism.txt` has them. */
export class Policies {
  readonly #stored = new Map<string, Stored>();
  #created = false;
  #nextSeqNo = 0;

  handle(method: string, id: string | undefined, query: URLSearchParams, body: string): Reply {
    if (id === undefined) return this.#list(query);
    if (method === "PUT") return this.#put(id, query, body);
    if (method === "DELETE") return this.#delete(id);
    return this.#get(id);
  }

  #get(id: string): Reply {
    if (!this.#created) return this.#noIndex();
    const stored = this.#stored.get(id);
    if (!stored) return failure(404, { type: "status_exception", reason: "Policy not found" });
    const { version, seqNo, policy } = stored;
    return {
      status: 200,
      body: { _id: id, _version: version, _seq_no: seqNo, _primary_term: 1, policy: live(policy) },
    };
  }

  #list(query: URLSearchParams): Reply {
    const all = [...this.#stored].map(([id, { seqNo, policy }]) => ({
      _id: id,
      _seq_no: seqNo,
      _primary_term: 1,
      policy: live(policy),
    }));
    const policies = all.slice(0, Number(query.get("size") ?? 20));
    return { status: 200, body: { policies, total_policies: all.length } };
  }

  #put(id: string, query: URLSearchParams, body: string): Reply {
    const parsed = parsePolicy(body);
    if ("status" in parsed) return parsed as unknown as Reply;
    const refused = this.#templateClash(id, parsed);
    if (refused) return refused;
    this.#created = true;
    const current = this.#stored.get(id);
    const conflict = conflictOf(query, current);
    if (conflict) {
      return failure(409, {
        type: "version_conflict_engine_exception",
        reason: `[${id}]: version conflict, ${conflict}`,
        index: INDEX,
        shard: "0",
        index_uuid: "uuid",
      });
    }
    const policy = normalised(id, parsed);
    const stored = { version: (current?.version ?? 0) + 1, seqNo: this.#nextSeqNo++, policy };
    this.#stored.set(id, stored);
    return {
      status: current ? 200 : 201,
      body: {
        _id: id,
        _version: stored.version,
        _primary_term: 1,
        _seq_no: stored.seqNo,
        policy: { policy },
      },
    };
  }

  #delete(id: string): Reply {
    if (!this.#created) return this.#noIndex();
    const stored = this.#stored.get(id);
    if (!stored) {
      return failure(404, { type: "status_exception", reason: `Policy ${id} is not found` });
    }
    this.#stored.delete(id);
    return {
      status: 200,
      body: {
        _index: INDEX,
        _id: id,
        _version: stored.version + 1,
        result: "deleted",
        forced_refresh: true,
        _shards: { total: 2, successful: 1, failed: 0 },
        _seq_no: this.#nextSeqNo++,
        _primary_term: 1,
      },
    };
  }

  #noIndex(): Reply {
    return failure(404, {
      type: "index_not_found_exception",
      reason: `no such index [${INDEX}]`,
      index: INDEX,
      "resource.id": INDEX,
      "resource.type": "index_expression",
      index_uuid: "_na_",
    });
  }

  #templateClash(id: string, { ism_template: templates }: Policy): Reply | undefined {
    for (const { index_patterns: patterns, priority } of [templates ?? []].flat()) {
      for (const [other, { policy }] of this.#stored) {
        const theirs = (policy.ism_template ?? []) as NonNullable<Policy["ism_template"]>;
        const clash = other !== id &&
          theirs.some((template) =>
            template.priority === priority &&
            template.index_patterns.some((p) => patterns.includes(p))
          );
        if (!clash) continue;
        const reason =
          `New policy ${id} has an ISM template with index pattern [${patterns.join(", ")}] ` +
          `matching existing policy templates, please use a different priority than ${priority}`;
        const cause = `java.lang.IllegalArgumentException: ${reason}`;
        return failure(400, {
          type: "index_management_exception",
          reason,
          caused_by: { type: "exception", reason: cause },
        });
      }
    }
  }
}

function conflictOf(query: URLSearchParams, current?: Stored): string | undefined {
  const [seqNo, term] = [query.get("if_seq_no"), query.get("if_primary_term")];
  if (seqNo === null || term === null) {
    return current && `document already exists (current version [${current.version}])`;
  }
  const required = `required seqNo [${seqNo}], primary term [${term}].`;
  if (!current) return `${required} but no document was found`;
  if (Number(seqNo) === current.seqNo && Number(term) === 1) return undefined;
  return `${required} current document has seqNo [${current.seqNo}] and primary term [1]`;
}

function parsePolicy(body: string): Policy | Reply {
  if (body === "") {
    return failure(400, { type: "parse_exception", reason: "request body is required" });
  }
  let json: Record<string, unknown>;
  try {
    json = JSON.parse(body);
  } catch {
    const where = "[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); " +
      `line: 1, column: ${body.length + 1}]`;
    const reason = `Unexpected end-of-input in field name\n at ${where}`;
    return failure(400, { type: "json_e_o_f_exception", reason });
  }
  const [[name, value] = ["", undefined]] = Object.entries(json);
  if (typeof value !== "object") {
    const reason =
      "Failed to parse object: expecting token of type [START_OBJECT] but found [VALUE_STRING]";
    return failure(400, { type: "parsing_exception", reason, line: 1, col: name.length + 5 });
  }
  const policy = json.policy as Policy;
  const problem = problemOf(policy);
  return problem ? failure(400, { type: "illegal_argument_exception", reason: problem }) : policy;
}

function problemOf({ default_state: initial, states = [] }: Policy): string | undefined {
  if (initial === undefined) return "default_state is null";
  for (const action of states.flatMap(({ actions }) => actions)) {
    const [name = "", settings] = Object.entries(action).find(([key]) => key !== "retry") ?? [];
    if (!ACTIONS.includes(name)) return `Invalid field: [${name}] found in Actions.`;
    const age = (settings as Record<string, string>).min_index_age;
    if (age !== undefined && !/^\d+(?:d|h|m|s|ms|micros|nanos)$/.test(age)) {
      return `failed to parse setting [min_index_age] with value [${age}] as a time value: ` +
        "unit is missing or unrecognized";
    }
  }
  if (!states.some(({ name }) => name === initial)) return "Policy must have a valid default state";
}

/** What a cluster makes of a policy: defaults filled in, templates as a list. */
function normalised(id: string, policy: Policy): Record<string, unknown> {
  const now = Date.now();
  const { description, default_state, states = [], ism_template: template } = policy;
  const templates = template === undefined || template === null
    ? null
    : [template].flat().map((one) => ({ ...one, last_updated_time: now }));
  return {
    policy_id: id,
    description,
    last_updated_time: now,
    schema_version: 1,
    error_notification: null,
    default_state,
    states: states.map((state) => ({
      ...state,
      actions: state.actions.map((action) => ({
        retry: { count: 3, backoff: "exponential", delay: "1m" },
        ...action,
        ...(action.rollover !== undefined && {
          rollover: { ...action.rollover as object, copy_alias: false },
        }),
      })),
    })),
    ism_template: templates,
  };
}

/** A policy that is read says the schema version of its index. */
function live(policy: Record<string, unknown>): Record<string, unknown> {
  return { ...policy, schema_version: 21 };
}
