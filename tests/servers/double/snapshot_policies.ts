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
import { uuid } from "./indices.ts";
import { readMap } from "./json_text.ts";
import { checkVersion, readCondition } from "./versions.ts";

const INDEX = ".opendistro-ism-config";
const MEMBERS = [
  "description",
  "creation",
  "deletion",
  "snapshot_config",
  "enabled",
  "notification",
];

interface Stored {
  readonly version: number;
  readonly seqNo: number;
  readonly policy: Json;
}

/** The policies of snapshot management, as `recordings/opensearch-snapshot-policies.txt` has them. */
export class SnapshotPolicies {
  readonly #stored = new Map<string, Stored>();
  /** Versions of policies that were deleted. */
  readonly #deleted = new Map<string, number>();
  readonly #dialect: Dialect;
  readonly #uuid = uuid();
  #nextSeqNo = 140;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  list(query: URLSearchParams): Reply {
    const all = [...this.#stored].sort(([a], [b]) => a < b ? -1 : 1);
    const from = Number(query.get("from") ?? 0);
    const page = all.slice(from, from + Number(query.get("size") ?? 20));
    const policies = page.map(([name, { seqNo, policy }]) => {
      return { _id: `${name}-sm-policy`, _seq_no: seqNo, _primary_term: 1, sm_policy: policy };
    });
    return ok({ policies, total_policies: all.length });
  }

  get(name: string): Reply {
    return ok(this.#answer(name, this.#find(name)));
  }

  explain(name: string): Reply {
    const found = this.#stored.get(name);
    return ok({ policies: found ? [{ name, enabled: found.policy.enabled }] : [] });
  }

  /** POST makes one, PUT replaces the version that it names. */
  put(method: "POST" | "PUT", name: string, query: URLSearchParams, body: string): Reply {
    if (body === "") throw missingBody();
    checkName(name);
    const numbers = query.has("if_seq_no") && query.has("if_primary_term");
    if (method === "PUT" && !numbers) {
      throw invalid(
        "Sequence number and primary term must be provided when updating a snapshot management policy",
      );
    }
    const now = Date.now();
    const read = this.#read(readMap(body));
    const current = this.#stored.get(name);
    const condition = numbers ? readCondition(query) : { create: true };
    checkVersion({ name: INDEX, uuid: this.#uuid }, `${name}-sm-policy`, condition, current);
    const enabled = read.enabled ?? true;
    return this.#store(name, {
      name,
      ...read,
      enabled,
      schedule: { interval: { start_time: now, period: 1, unit: "Minutes" } },
      enabled_time: enabled ? now : null,
    }, current ? 200 : 201);
  }

  switch(name: string, enabled: boolean): Reply {
    const { policy } = this.#find(name);
    this.#store(name, { ...policy, enabled, enabled_time: enabled ? Date.now() : null }, 200);
    return ok({ acknowledged: true });
  }

  delete(name: string): Reply {
    const { version } = this.#find(name);
    this.#stored.delete(name);
    this.#deleted.set(name, version + 1);
    return ok({
      _index: INDEX,
      _id: `${name}-sm-policy`,
      _version: version + 1,
      result: "deleted",
      forced_refresh: true,
      _shards: { total: 2, successful: 1, failed: 0 },
      _seq_no: this.#nextSeqNo++,
      _primary_term: 1,
    });
  }

  #store(name: string, policy: Json, status: number): Reply {
    const current = this.#stored.get(name);
    const stored = {
      version: (current?.version ?? this.#deleted.get(name) ?? 0) + 1,
      seqNo: this.#nextSeqNo++,
      policy: {
        ...policy,
        schema_version: this.#dialect.policySchema,
        last_updated_time: Date.now(),
      },
    };
    this.#stored.set(name, stored);
    return ok(this.#answer(name, stored), status);
  }

  #find(name: string): Stored {
    const found = this.#stored.get(name);
    if (found) return found;
    const reason = "Snapshot management policy not found";
    throw new Refused(404, { type: "status_exception", reason });
  }

  #answer(name: string, { version, seqNo, policy }: Stored): Json {
    const head = { _id: `${name}-sm-policy`, _version: version, _seq_no: seqNo, _primary_term: 1 };
    return { ...head, sm_policy: policy };
  }

  #read(body: Json): Json {
    const { creation, deletion, snapshot_config: config, notification } = body;
    const noConfig = config === undefined && "snapshot_config field must not be null";
    const { needsCreation } = this.#dialect;
    const problem = needsCreation
      ? (!creation && "Must provide the creation configuration.") || noConfig
      : noConfig ||
        (!creation && !deletion && "Must provide either creation or deletion configuration.");
    if (problem) throw illegal(problem);
    if (!isObject(config) || config.repository === undefined) {
      throw illegal("Must provide the repository in snapshot config.");
    }
    checkSchedule(creation);
    checkSchedule(deletion);
    const kept = Object.fromEntries(
      Object.entries(body).filter(([member]) => MEMBERS.includes(member)),
    );
    return {
      ...kept,
      ...(isObject(creation) && { creation: withHours(creation) }),
      ...(isObject(deletion) && { deletion: this.#readDeletion(deletion, creation) }),
      ...(isObject(notification) && {
        notification: {
          ...notification,
          conditions: notification.conditions ??
            { creation: true, deletion: false, failure: false, time_limit_exceeded: false },
        },
      }),
    };
  }

  #readDeletion(deletion: Json, creation: unknown): Json {
    const condition = deletion.condition as Json;
    const { max_age, max_count, min_count = 1 } = condition;
    if (max_age === undefined && max_count === undefined) {
      throw illegal("Please provide max_age or max_count.");
    }
    if (Number(max_count) < Number(min_count)) {
      throw illegal("max_count should be bigger than min_count.");
    }
    const { snapshot_pattern, ...rest } = deletion;
    return {
      schedule: isObject(creation) ? creation.schedule : undefined,
      ...withHours(rest),
      condition: { ...condition, min_count },
      // 2.19 takes it and loses it.
      ...(!this.#dialect.needsCreation && snapshot_pattern !== undefined && { snapshot_pattern }),
    };
  }
}

function withHours(object: Json): Json {
  return object.time_limit === "60m" ? { ...object, time_limit: "1h" } : object;
}

function checkName(name: string): void {
  const problems = [
    ...(name !== name.toLowerCase() ? ["Policy name must be lowercase."] : []),
    ...(/\s/.test(name) ? ["Policy name must not contain whitespace."] : []),
    ...(/[ "*\\<|,>/?]/.test(name)
      ? [
        'Policy name must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?].',
      ]
      : []),
  ];
  if (problems.length > 0) throw illegal(problems.join("\n"));
}

function checkSchedule(part: unknown): void {
  const schedule = isObject(part) ? part.schedule : undefined;
  if (!isObject(schedule)) return;
  if (!isObject(schedule.cron)) {
    throw new Refused(500, {
      type: "null_pointer_exception",
      reason:
        'Cannot invoke "java.time.Instant.toEpochMilli()" because "this.startTimeWithDelay" is null',
    });
  }
  const { expression, timezone } = schedule.cron;
  const parts = String(expression).split(" ").length;
  if (parts !== 5) {
    throw illegal(`Cron expression contains ${parts} parts but we expect one of [5]`);
  }
  if (String(timezone).startsWith("Mars/")) {
    throw new Refused(500, {
      type: "zone_rules_exception",
      reason: `Unknown time-zone ID: ${timezone}`,
    });
  }
}
