import { illegal, invalid, isObject, type Json, ok, Refused, type Reply } from "./answers.ts";
import type { Dialect } from "./dialect.ts";
import type { Index, Indices } from "./indices.ts";
import { readObject, readOptional } from "./json_text.ts";
import type { Policies, StoredPolicy } from "./policies.ts";

interface Managed {
  policyId: string;
  /** The job works with a copy: later versions of the policy do not reach it by themselves. */
  copy: StoredPolicy;
  /** The next run of the job begins with this change. */
  next?: { readonly policyId: string; readonly state?: string };
  /** The state that earlier runs of the job have left. */
  seen?: Json;
  state?: string;
}

const NAMES = ["plugins", "opendistro"].map((prefix) =>
  `index.${prefix}.index_state_management.policy_id`
);

/**
 * Indices under a policy, as `recordings/opensearch-ism-indices.txt` has them. What the plugin does moments later in
 * the background is done at once; its jobs run when a test starts them.
 */
export class ManagedIndices {
  readonly #indices: Indices;
  readonly #policies: Policies;
  readonly #managed = new Map<Index, Managed>();

  constructor(indices: Indices, policies: Policies, dialect: Dialect) {
    this.#indices = indices;
    this.#policies = policies;
    indices.onCreate.push((index) => {
      const auto = index.settings["index.plugins.index_state_management.auto_manage"] !== "false";
      const id = policies.forIndex(index.name);
      if (id !== undefined && (auto || !dialect.autoManage)) this.#attach(index, id);
    });
  }

  /** Lets the job of every managed index run once. */
  runJobs(): void {
    for (const managed of this.#managed.values()) {
      const { next } = managed;
      const stored = this.#policies.find(next?.policyId ?? managed.policyId);
      if (next && stored) {
        managed.policyId = next.policyId;
        managed.copy = stored;
        delete managed.next;
        const { state, ...seen } = seenBy(
          stored,
          `Attempting to change policy to ${next.policyId}`,
        );
        managed.seen = { ...seen, ...(next.state ? { transition_to: next.state } : { state }) };
      } else if (!managed.seen) {
        // The copy that it was attached with, however old.
        managed.seen = seenBy(managed.copy, `Successfully initialized policy: ${managed.policyId}`);
      }
      managed.state ??= managed.copy.policy.default_state;
    }
  }

  add(expression: string | undefined, body: string): Reply {
    if (expression === undefined) throw illegal("Missing indices");
    const { policy_id: id } = readOptional(body);
    if (typeof id !== "string") throw illegal("Missing policy_id");
    this.#checkPolicy(id);
    return this.#change(this.#indices.resolve(expression, true), (index, managed) => {
      if (managed) {
        return "This index already has a policy, use the update policy API to update index policies";
      }
      this.#attach(index, id);
    });
  }

  remove(expression: string): Reply {
    return this.#change(this.#indices.resolve(expression), (index, managed) => {
      if (!managed) return "This index does not have a policy to remove";
      this.#managed.delete(index);
      index.settings["index.plugins.index_state_management.auto_manage"] = "false";
    });
  }

  changePolicy(expression: string | undefined, body: string): Reply {
    if (expression === undefined) throw illegal("Missing index");
    const { policy_id: policyId, state, include = [], ...others } = readObject(body);
    const [stranger] = Object.keys(others).filter((name) => name !== "is_safe");
    if (stranger !== undefined) {
      throw illegal(`Invalid field: [${stranger}] found in ChangePolicy.`);
    }
    const states = (include as Json[]).map((filter) => filter.state);
    if (states.includes(undefined)) {
      throw illegal("Must include a state when using include filter");
    }
    if (typeof policyId !== "string") throw illegal("ChangePolicy policy id is null");
    this.#checkPolicy(policyId);
    const indices = this.#indices.resolve(expression);
    if (indices.length === 0) throw invalid("no documents to get");
    const chosen = indices.filter((index) => {
      const managed = this.#managed.get(index);
      return !managed || states.length === 0 || states.includes(managed.state);
    });
    return this.#change(chosen, (_, managed) => {
      if (!managed) return "This index is not being managed";
      managed.next = { policyId, ...(typeof state === "string" && { state }) };
    });
  }

  /** No job of the double ever fails, so that there is nothing to try again. */
  retry(expression: string): Reply {
    return this.#change(this.#indices.resolve(expression), (_, managed) => {
      if (!managed) return "This index is not being managed.";
      return managed.seen
        ? "This index is not in failed state."
        : "This index has no metadata information";
    });
  }

  explain(expression: string | undefined, query: URLSearchParams, body = ""): Reply {
    const found = expression === undefined
      ? this.#filtered(readOptional(body))
      : this.#indices.resolve(expression, true);
    // Pages are of the managed ones alone.
    const indices = expression === undefined ? pageOf(found, query) : found;
    if (expression !== undefined && indices.length === 0) throw invalid("no documents to get");
    const showPolicy = query.get("show_policy") === "true";
    const explained = indices.map((index) => [index.name, this.#explained(index, showPolicy)]);
    const managed = found.filter((index) => this.#managed.has(index)).length;
    return ok({ ...Object.fromEntries(explained), total_managed_indices: managed });
  }

  #filtered({ filter }: Json): Index[] {
    const { policy_id: id, state } = isObject(filter) ? filter : {};
    return [...this.#managed].filter(([index, managed]) =>
      this.#indices.byName.get(index.name) === index &&
      (id === undefined || managed.policyId === id) &&
      (state === undefined || managed.state === undefined || managed.state === state)
    ).map(([index]) => index);
  }

  #explained(index: Index, showPolicy: boolean): Json {
    const managed = this.#managed.get(index);
    const names = Object.fromEntries(NAMES.map((name) => [name, managed?.policyId ?? null]));
    if (!managed) return { ...names, enabled: null };
    return {
      ...names,
      index: index.name,
      index_uuid: index.uuid,
      policy_id: managed.policyId,
      ...(managed.seen && { ...managed.seen, index_creation_date: index.created }),
      enabled: true,
      ...(showPolicy && { policy: this.#policies.live(managed.copy.policy) }),
    };
  }

  #attach(index: Index, policyId: string): void {
    this.#managed.set(index, { policyId, copy: this.#policies.find(policyId)! });
  }

  #checkPolicy(id: string): void {
    if (this.#policies.find(id)) return;
    throw new Refused(404, { type: "status_exception", reason: `Could not find policy=${id}` });
  }

  /** @param change what is done to an index, or why it cannot be */
  #change(
    indices: readonly Index[],
    change: (index: Index, managed: Managed | undefined) => string | undefined | void,
  ): Reply {
    const failed = indices.flatMap((index) => {
      const reason = change(index, this.#managed.get(index));
      return reason ? [{ index_name: index.name, index_uuid: index.uuid, reason }] : [];
    });
    return ok({
      updated_indices: indices.length - failed.length,
      failures: failed.length > 0,
      failed_indices: failed,
    });
  }
}

/** By name, 20 where nothing else is asked for. */
function pageOf(indices: readonly Index[], query: URLSearchParams): Index[] {
  const from = Number(query.get("from") ?? 0);
  return indices.toSorted((a, b) => a.name < b.name ? -1 : 1)
    .slice(from, from + Number(query.get("size") ?? 20));
}

function seenBy({ seqNo, policy }: StoredPolicy, message: string): Json {
  return {
    policy_seq_no: seqNo,
    policy_primary_term: 1,
    state: { name: policy.default_state, start_time: Date.now() },
    retry_info: { failed: false, consumed_retries: 0 },
    info: { message },
  };
}
