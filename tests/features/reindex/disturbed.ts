import { type Fault, type FaultProxy, faultProxy } from "../../servers/fault_proxy.ts";
import { type ReindexJob, spawnReindex } from "./run_child.ts";
import type { Plan } from "./plan.ts";

/** How long a run may take at most; then it hangs. */
const LONGEST_MS = 90_000;
/** Requests that change nothing, whatever their method. */
const READ = /^(GET|HEAD) |\/_(search|mget|count|refresh|simulate|msearch)\b|\/_search\/|_simulate/;

/** How a run in a process of its own came to its end. */
export interface Ended {
  /** Its exit code; 0 where it was killed. */
  readonly code: number;
  /** The class of its error, and what it said. */
  readonly error?: { readonly name: string; readonly text: string };
  readonly isKilled: boolean;
  /** Whether it was killed because it did not end. */
  readonly isHung: boolean;
}

/** A run in a process of its own, with a proxy of its own in front of the cluster. */
export class DisturbedRun implements AsyncDisposable {
  /** Whether the request was sent that trouble waited for. */
  isHit = false;
  #wakeUp: () => void = () => {};
  #onRequest: (count: number) => void = () => {};
  #count = 0;
  #isFrozen = false;
  readonly #hit = Promise.withResolvers<void>();

  private constructor(
    private readonly proxy: FaultProxy,
    private readonly child: Deno.ChildProcess,
    readonly ended: Promise<Ended>,
  ) {}

  /** Requests it has sent. */
  get requests(): readonly string[] {
    return this.proxy.requests;
  }

  /**
   * Starts one.
   *
   * @param jobAt what it does, through this URL
   * @param fault called with the run, for what is to happen to one of its requests
   */
  static async start(
    clusterUrl: string,
    jobAt: (url: string) => ReindexJob,
    plan?: Plan,
    trouble?: Troublemaker,
  ): Promise<DisturbedRun> {
    const proxy = await faultProxy(clusterUrl);
    const child = spawnReindex(jobAt(proxy.url));
    const run = new DisturbedRun(proxy, child, endOf(child));
    const isAt = plan && trouble ? momentOf(plan) : () => false;
    const fault: Omit<Fault, "hits"> = plan && trouble
      ? trouble(run, plan)
      : { kind: "late", isDone: false };
    let isReached = false;
    proxy.fault = {
      ...fault,
      hits: (line) => {
        run.#onRequest(++run.#count);
        // From then on, as often as the fault says.
        isReached ||= isAt(line);
        run.isHit ||= isReached;
        return isReached;
      },
    };
    return run;
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    try {
      this.child.kill("SIGKILL");
    } catch { /* It has ended. */ }
    await this.child.status;
  }

  /** Asks it to end. */
  askToEnd(): void {
    this.child.kill("SIGTERM");
  }

  /** Stops it where it stands until {@linkcode wake}; the request in hand waits too. */
  freeze(): Promise<void> {
    this.child.kill("SIGSTOP");
    this.#isFrozen = true;
    this.#hit.resolve();
    return new Promise((resolve) => {
      this.#wakeUp = resolve;
    });
  }

  /** Lets it go on. */
  wake(): void {
    if (!this.#isFrozen) return;
    this.#isFrozen = false;
    this.child.kill("SIGCONT");
    this.#wakeUp();
  }

  /** Resolves when trouble has come, or the run has ended without. */
  hit(): Promise<void> {
    return Promise.race([this.#hit.promise, this.ended.then(() => {})]);
  }

  /** Resolves when it has sent so many requests, or has ended. */
  sent(count: number): Promise<void> {
    if (this.#count >= count) return Promise.resolve();
    const reached = new Promise<void>((resolve) => {
      this.#onRequest = (sent) => sent >= count && resolve();
    });
    return Promise.race([reached, this.ended.then(() => {})]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.wake();
    await this.kill();
    await this.ended;
    await this.proxy[Symbol.asyncDispose]();
  }
}

/** A fault for one request of a run. */
export type Troublemaker = (run: DisturbedRun, plan: Plan) => Omit<Fault, "hits">;

/** The run is killed. */
export const killed: Troublemaker = (run, { when }) => ({
  kind: "close",
  isDone: when === "after",
  onHit: () => run.kill(),
});
/** The run is stopped where it stands, until it is woken up. */
export const freezing: Troublemaker = (run, { when }) => ({
  kind: "late",
  isDone: when === "after",
  onHit: () => run.freeze(),
});
/** The run gets SIGTERM. */
export const askedToEnd: Troublemaker = (run, { when }) => ({
  kind: "late",
  isDone: when === "after",
  onHit: () => Promise.resolve(run.askToEnd()),
});
/** The cluster does it, and the connection closes without an answer. */
export const lost: Troublemaker = (_, { times }) => ({ kind: "close", isDone: true, times });
/** The cluster, or what stands in front of it, asks to come again. */
export const refused: Troublemaker = (_, { when, status, times }) => ({
  kind: status,
  // Only a gateway says so of what was done.
  isDone: when === "after" && status === 502,
  times,
});

/** Whether a request is the one that the plan means. */
function momentOf({ at, counted }: Plan): (line: string) => boolean {
  let seen = 0;
  return (line) => {
    if (counted !== "all" && READ.test(line)) return false;
    if (counted === "steps" && line.includes("/_bulk")) return false;
    return ++seen === at;
  };
}

async function endOf(child: Deno.ChildProcess): Promise<Ended> {
  let isHung = false;
  const timer = setTimeout(() => {
    isHung = true;
    child.kill("SIGKILL");
  }, LONGEST_MS);
  const { code, signal, stderr } = await child.output();
  clearTimeout(timer);
  const text = new TextDecoder().decode(stderr).trim();
  const [, name, message = ""] = /\b(\w*Error): ([\s\S]*)/.exec(text) ?? [];
  return {
    code: signal === null ? code : 0,
    isKilled: signal === "SIGKILL",
    isHung,
    ...(name !== undefined && { error: { name, text: message } }),
  };
}
