import { illegal, type Json, noSuchIndex, ok, Refused, type Reply } from "./answers.ts";
import type { Dialect } from "./dialect.ts";
import { uuid } from "./indices.ts";
import { matches, overlap, PatternsByPriority } from "./patterns.ts";
import { type Policy, readPolicy } from "./policy_text.ts";
import { checkVersion, type Condition, readCondition } from "./versions.ts";

const INDEX = ".opendistro-ism-config";

export interface StoredPolicy {
  readonly version: number;
  readonly seqNo: number;
  readonly policy: Policy;
}

/**
 * The policies of index state management, as `recordings/opensearch-2.19.4-ism.txt` and
 * `recordings/opensearch-ism-policies.txt` have them.
 */
export class Policies {
  readonly #stored = new Map<string, StoredPolicy>();
  readonly #patterns = new PatternsByPriority();
  /** Versions of policies that were deleted. */
  readonly #deleted = new Map<string, number>();
  readonly #dialect: Dialect;
  readonly #uuid = uuid();
  #losers: number;
  #created = false;
  #nextSeqNo = 0;

  /** @param losers how many requests meet the plugin's index while another client creates it */
  constructor(dialect: Dialect, losers: number) {
    this.#dialect = dialect;
    this.#losers = losers;
  }

  find(id: string): StoredPolicy | undefined {
    return this.#stored.get(id);
  }

  /** The policy that takes a new index: the one with the highest priority. */
  forIndex(index: string): string | undefined {
    return this.#patterns.fitting(index)[0];
  }

  get(id: string): Reply {
    if (this.#losesRace()) throw this.#recovering(id);
    if (!this.#created) throw noIndex();
    const stored = this.#stored.get(id);
    if (!stored) throw status(404, "Policy not found");
    return ok({
      _id: id,
      _version: stored.version,
      _seq_no: stored.seqNo,
      _primary_term: 1,
      policy: this.live(stored.policy),
    });
  }

  list(query: URLSearchParams): Reply {
    const pattern = query.get("queryString") ?? "*";
    const all = [...this.#stored].filter(([id]) => matches(pattern, id))
      .sort(([a], [b]) => a < b ? -1 : 1);
    if (query.get("sortOrder") === "desc") all.reverse();
    const from = Number(query.get("from") ?? 0);
    const page = all.slice(from, from + Number(query.get("size") ?? 20));
    const policies = page.map(([id, { seqNo, policy }]) => {
      return { _id: id, _seq_no: seqNo, _primary_term: 1, policy: this.live(policy) };
    });
    return ok({ policies, total_policies: all.length });
  }

  put(id: string, query: URLSearchParams, body: string): Reply {
    const condition = pair(query);
    const policy = readPolicy(id, body);
    this.#checkTemplates(id, policy);
    if (this.#losesRace()) {
      this.#created = true;
      throw status(409, `index [${INDEX}/${this.#uuid}] already exists`);
    }
    this.#created = true;
    const current = this.#stored.get(id);
    checkVersion({ name: INDEX, uuid: this.#uuid }, id, condition, current);
    const version = (current?.version ?? this.#deleted.get(id) ?? 0) + 1;
    const seqNo = this.#nextSeqNo++;
    this.#forget(id);
    this.#stored.set(id, { version, seqNo, policy });
    for (const { priority, index_patterns } of policy.ism_template ?? []) {
      this.#patterns.add(priority, index_patterns, id);
    }
    const head = { _id: id, _version: version, _primary_term: 1, _seq_no: seqNo };
    return ok({ ...head, policy: { policy } }, current ? 200 : 201);
  }

  delete(id: string): Reply {
    if (!this.#created) throw noIndex();
    const stored = this.#stored.get(id);
    if (!stored) throw status(404, `Policy ${id} is not found`);
    this.#forget(id);
    this.#deleted.set(id, stored.version + 1);
    return ok({
      _index: INDEX,
      _id: id,
      _version: stored.version + 1,
      result: "deleted",
      forced_refresh: true,
      _shards: { total: 2, successful: 1, failed: 0 },
      _seq_no: this.#nextSeqNo++,
      _primary_term: 1,
    });
  }

  /** A policy that is read says the schema version of the plugin's index. */
  live(policy: Policy): Json {
    return { ...policy, schema_version: this.#dialect.policySchema };
  }

  #forget(id: string): void {
    for (const { priority, index_patterns } of this.#stored.get(id)?.policy.ism_template ?? []) {
      this.#patterns.delete(priority, index_patterns, id);
    }
    this.#stored.delete(id);
  }

  #losesRace(): boolean {
    if (this.#losers === 0) return false;
    this.#losers--;
    return true;
  }

  #recovering(id: string): Refused {
    const cause = {
      type: "illegal_index_shard_state_exception",
      reason: "CurrentState[RECOVERING] operations only allowed when shard state is one of " +
        "[POST_RECOVERY, STARTED]",
      index: INDEX,
      shard: "0",
      index_uuid: this.#uuid,
    };
    return new Refused(503, {
      type: "no_shard_available_action_exception",
      reason: `No shard available for [get [${INDEX}][${id}]: routing [null]]`,
      caused_by: cause,
    });
  }

  /** Templates of one priority must not have an index in common. */
  #checkTemplates(id: string, { ism_template: templates }: Policy): void {
    if (templates?.length === 0 && !this.#dialect.emptyTemplates) {
      throw refusedTemplate(
        "Validation Failed: 1: index_patterns must contain at least one inclusion pattern " +
          "(patterns cannot be all exclusions);",
        "org.opensearch.common.ValidationException",
      );
    }
    const list = templates ?? [];
    for (const [at, { index_patterns: patterns, priority }] of list.entries()) {
      const others = list.slice(at + 1).filter((other) => other.priority === priority)
        .flatMap((other) => other.index_patterns);
      if (!meet(patterns, others)) continue;
      throw refusedTemplate(
        `New policy ${id} has an ISM template with index pattern [${patterns.join(", ")}] ` +
          `matching this policy's other ISM templates with index patterns [${
            others.join(", ")
          }], ` +
          "please use different priority",
      );
    }
    for (const { index_patterns: patterns, priority } of list) {
      const others = this.#patterns.overlapping(priority, patterns);
      others.delete(id);
      if (others.size === 0) continue;
      throw refusedTemplate(
        `New policy ${id} has an ISM template with index pattern [${patterns.join(", ")}] ` +
          `matching existing policy templates, please use a different priority than ${priority}`,
      );
    }
  }
}

function meet(some: readonly string[], others: readonly string[]): boolean {
  return some.some((a) => others.some((b) => overlap(a, b)));
}

/** Only both of them make a PUT conditional. */
function pair(query: URLSearchParams): Condition {
  const seqNo = query.get("if_seq_no");
  if (seqNo?.startsWith("-")) {
    throw illegal(`sequence numbers must be non negative. got [${seqNo}].`);
  }
  return seqNo !== null && query.has("if_primary_term") ? readCondition(query) : { create: true };
}

function status(code: number, reason: string): Refused {
  return new Refused(code, { type: "status_exception", reason });
}

function noIndex(): Refused {
  return noSuchIndex(INDEX, "index_expression");
}

function refusedTemplate(
  reason: string,
  exception = "java.lang.IllegalArgumentException",
): Refused {
  const cause = { type: "exception", reason: `${exception}: ${reason}` };
  return new Refused(400, { type: "index_management_exception", reason, caused_by: cause });
}
