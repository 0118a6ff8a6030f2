import { type ErrorBody, illegal, type Json, ok, Refused, type Reply } from "./answers.ts";
import { matches } from "./patterns.ts";

/** The name of the only node. */
const NODE = "node";

const IDLE = {
  total: 0,
  updated: 0,
  created: 0,
  deleted: 0,
  batches: 0,
  version_conflicts: 0,
  noops: 0,
  retries: { bulk: 0, search: 0 },
  throttled_millis: 0,
  requests_per_second: -1,
  throttled_until_millis: 0,
};

export interface Work {
  /** `indices:data/write/reindex` */
  readonly action: string;
  readonly description: string;
  /** @returns what a request that waits gets */
  run(): Json;
}

interface Task {
  readonly work: Work;
  readonly id: number;
  readonly started: number;
  readonly opaqueId: string | null;
  result?: Json;
  error?: ErrorBody;
  cancelled: boolean;
}

/** Work that goes on behind its answer, as `recordings/opensearch-2.19.4-reindex.txt` has it. */
export class Tasks {
  readonly #all = new Map<string, Task>();
  readonly #held: boolean;

  /** @param held whether tasks go on until {@linkcode finish} */
  constructor(held: boolean) {
    this.#held = held;
  }

  start(work: Work, opaqueId: string | null): Reply {
    const id = this.#all.size + 1;
    const task: Task = { work, id, opaqueId, started: Date.now(), cancelled: false };
    this.#all.set(`${NODE}:${id}`, task);
    if (!this.#held) run(task);
    return ok({ task: `${NODE}:${id}` });
  }

  /** Lets every task that is held do its work. */
  finish(): void {
    for (const task of this.#all.values()) if (!isDone(task)) run(task);
  }

  get(name: string, query: URLSearchParams): Reply {
    const task = this.#find(name);
    if (!task) throw unknownTask(name);
    const { result, error, work } = task;
    if (!isDone(task) && query.get("wait_for_completion") === "true") {
      const reason = `Timed out waiting for completion of [${work.description}]`;
      throw new Refused(500, { type: "timeout_exception", reason });
    }
    const described = { ...shown(task), status: status(task), description: work.description };
    if (error) return ok({ completed: true, task: described, error });
    if (!result) return ok({ completed: false, task: described });
    const { timed_out, failures, ...numbers } = result;
    const response = {
      ...numbers,
      timed_out,
      throttled: "0s",
      throttled_until: "0s",
      failures,
    };
    return ok({ completed: true, task: described, response });
  }

  list(query: URLSearchParams): Reply {
    const patterns = query.get("actions")?.split(",") ?? ["*"];
    const detailed = query.has("detailed") && query.get("detailed") !== "false";
    const running = [...this.#all].filter(([, task]) =>
      !isDone(task) && patterns.some((pattern) => matches(pattern, task.work.action))
    );
    const tasks = Object.fromEntries(running.map(([name, task]) => {
      const { description } = task.work;
      return [name, { ...shown(task), ...(detailed && { status: status(task), description }) }];
    }));
    return ok({ nodes: running.length === 0 ? {} : { [NODE]: { name: "node-1", tasks } } });
  }

  /** A task that is cancelled before it was let go has done nothing. */
  cancel(name: string): Reply {
    const task = this.#find(name);
    const [node = ""] = name.split(":");
    if (!task || isDone(task)) {
      const cause = node === NODE
        ? { type: "resource_not_found_exception", reason: `task [${name}] is not found` }
        : { type: "no_such_node_exception", reason: `No such node [${node}]`, node_id: node };
      const type = "failed_node_exception";
      const failure = { type, reason: `Failed node [${node}]`, node_id: node, caused_by: cause };
      return ok({ node_failures: [failure], nodes: {} });
    }
    task.cancelled = true;
    task.result = { took: 0, timed_out: false, ...IDLE, ...CANCELED, failures: [] };
    return ok({ nodes: { [NODE]: { name: "node-1", tasks: { [name]: shown(task) } } } });
  }

  #find(name: string): Task | undefined {
    const [, , number] = /^([^:]*):(.*)$/.exec(name) ?? [];
    const reason = `malformed task id ${name}`;
    if (number === undefined) throw illegal(reason);
    if (/^-?\d+$/.test(number)) return this.#all.get(name);
    const cause = { type: "number_format_exception", reason: `For input string: "${number}"` };
    throw illegal(reason, { caused_by: cause });
  }
}

function isDone({ result, error }: Task): boolean {
  return result !== undefined || error !== undefined;
}

function run(task: Task): void {
  try {
    task.result = task.work.run();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    task.error = error.error;
  }
}

const CANCELED = { canceled: "by user request" };

function shown({ id, work, started, cancelled, opaqueId }: Task): Json {
  return {
    node: NODE,
    id,
    type: "transport",
    action: work.action,
    start_time_in_millis: started,
    running_time_in_nanos: 1,
    cancellable: true,
    cancelled,
    headers: opaqueId === null ? {} : { "X-Opaque-Id": opaqueId },
    ...(cancelled && { cancellation_time_millis: started }),
  };
}

function status({ result, error }: Task): Json {
  if (error) return { ...IDLE, requests_per_second: 0 };
  if (!result) return IDLE;
  const { took: _, timed_out: __, failures: ___, ...numbers } = result;
  return numbers;
}

function unknownTask(name: string): Refused {
  const type = "resource_not_found_exception";
  const [node] = name.split(":");
  const reason = `task [${name}] isn't running and hasn't stored its results`;
  if (node === NODE) return new Refused(404, { type, reason });
  return new Refused(404, {
    type,
    reason: `task [${name}] belongs to the node [${node}] which isn't part of the cluster ` +
      "and there is no record of the task",
    caused_by: { type, reason },
  });
}
