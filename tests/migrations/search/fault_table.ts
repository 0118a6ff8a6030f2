import { assertEquals } from "@std/assert";
import {
  InterruptedError,
  type JournalEntry,
  mayHaveRun,
  type RunReport,
} from "../../../src/migrations/runner/mod.ts";
import type { SearchConnection } from "../../../src/migrations/search/mod.ts";
import { type FaultKind, type FaultProxy, faultProxy } from "../../servers/fault_proxy.ts";
import { filesOf } from "../runner/memory.ts";
import { type Ask, FAULT_KINDS, type FaultKindOfFile } from "./fault_kinds.ts";
import { spawnRun } from "./run_child.ts";
import { apply, connectionTo, resolved, type Tree, withSession } from "./runner.ts";

/** One cell of the table: a request that goes wrong, and what happens around it. */
export interface Cell {
  readonly file: FaultKindOfFile;
  readonly fault: FaultKind;
  /** Whether the cluster has done the request before the fault. */
  readonly isDone: boolean;
  /** Whether the request goes wrong once, or as often as it is sent. */
  readonly isOnce: boolean;
  /** Whether the process is killed when it has got the faulty answer. */
  readonly isKilled: boolean;
  /** The file at the next run: new and unchanged; edited; edited, and reverted since. */
  readonly scenario: "new" | "edited" | "reverted";
}

const FAULTS: readonly FaultKind[] = [
  "close",
  409,
  429,
  500,
  502,
  503,
  504,
  "html",
  "half json",
];

/** Every cell. */
export function cells(): readonly Cell[] {
  const found: Cell[] = [];
  for (const file of FAULT_KINDS) {
    for (const fault of FAULTS) {
      for (const isDone of [false, true]) {
        for (const isOnce of [true, false]) {
          for (const isKilled of [false, true]) {
            for (const scenario of ["new", "edited", "reverted"] as const) {
              if (scenario !== "new" && !file.isEdited) continue;
              // A process that is killed gets no second answer.
              if (isKilled && !isOnce) continue;
              // The runner repeats a counted request after 429, because the status says that nothing was done (RFC
              // 6585).
              if (file.counts && isDone && fault === 429) continue;
              found.push({ file, fault, isDone, isOnce, isKilled, scenario });
            }
          }
        }
      }
    }
  }
  return found;
}

/** A cell as people read it. */
export function describeCell({ file, fault, isDone, isOnce, isKilled, scenario }: Cell): string {
  return [
    file.name,
    `${fault} ${isDone ? "after the work" : "instead of it"}`,
    isOnce ? "once" : "always",
    isKilled ? "killed" : "alive",
    scenario,
  ].join(", ");
}

/** Where the cells run. */
export interface Cluster {
  readonly url: string;
  readonly ask: Ask;
}

/** The result of a cell, for the report. */
export interface Verdict {
  /** How the run that met the fault ended. */
  readonly first: string;
  /** How the next one did. */
  readonly next: string;
}

/** Leases in these tests: what a killed run holds is taken over so soon. */
export const LEASE_MS = 2000;

/**
 * Runs one cell: with the fault, then without it, and settles what is asked about by what the cluster holds. Fails when the
 * journal says anything that is not so, when work was done twice, or when there is no way out.
 */
export async function runCell(cell: Cell, cluster: Cluster): Promise<Verdict> {
  const name = `f${crypto.randomUUID().slice(0, 12)}`;
  await using proxy = await faultProxy(cluster.url);
  const state = new CellState(cell, cluster, name, proxy);
  try {
    return await state.run();
  } finally {
    await cell.file.cleanUp(name, cluster.ask);
  }
}

class CellState {
  readonly #past: SearchConnection;
  readonly #through: SearchConnection;
  readonly #versions: Readonly<Record<1 | 2, Tree>>;

  constructor(
    private readonly cell: Cell,
    private readonly cluster: Cluster,
    private readonly name: string,
    private readonly proxy: FaultProxy,
  ) {
    this.#past = { ...connectionTo(cluster.url), name, timeoutMs: 30_000 };
    this.#through = { ...this.#past, hosts: [proxy.url], timeoutMs: 3000 };
    this.#versions = { 1: cell.file.tree(name, 1), 2: cell.file.tree(name, 2) };
  }

  async run(): Promise<Verdict> {
    const { file, scenario } = this.cell;
    await file.prepare(this.name, this.cluster.ask);
    if (scenario !== "new") this.#end(await apply(this.#past, this.#versions[1]));
    const attempted = scenario === "new" ? 1 : 2;
    const first = await this.#meetFault(this.#versions[attempted]);
    await this.#check("after the fault");

    const wanted = scenario === "edited" ? 2 : 1;
    const tree = this.#versions[wanted];
    let report = await apply(this.#past, tree, { leaseMs: LEASE_MS, lockTimeoutMs: 20_000 });
    const next = this.#outcome(report);
    await this.#check("after the next run");
    let isAnswered: "applied" | "retry" | undefined;
    if (report.error instanceof InterruptedError) {
      isAnswered = await this.#settle(attempted, tree);
      report = await apply(this.#past, tree);
    }
    this.#end(report);
    await this.#check("in the end");
    assertEquals((await apply(this.#past, tree)).requests, 1, "one more run has nothing to do");
    await this.#checkWork(wanted, attempted, isAnswered);
    return { first, next };
  }

  /** Runs into the fault, in a process of its own where that is to be killed. */
  async #meetFault(tree: Tree): Promise<string> {
    const { file, fault, isDone, isOnce, isKilled } = this.cell;
    const hits = (line: string) => file.hits(this.name, line);
    const times = isOnce ? 1 : Infinity;
    if (!isKilled) {
      this.proxy.fault = { kind: fault, isDone, hits, times };
      const report = await apply(this.#through, tree, { leaseMs: 30_000 });
      this.proxy.fault = undefined;
      return this.#outcome(report);
    }
    const job = { url: this.proxy.url, tree, name: this.name, leaseMs: LEASE_MS };
    const child = spawnRun(job);
    const kill = () => {
      child.kill("SIGKILL");
      return Promise.resolve(false);
    };
    // A connection that closes is noticed at once: there is no later request to wait for.
    const onHit = async () => {
      if (fault === "close") await kill();
    };
    this.proxy.mayPass = kill;
    this.proxy.fault = { kind: fault, isDone, hits, times, onHit };
    const { signal, success, stderr } = await child.output();
    this.proxy.fault = undefined;
    this.proxy.mayPass = () => Promise.resolve(true);
    assertEquals(signal, "SIGKILL", success ? "it ended" : new TextDecoder().decode(stderr));
    return "killed";
  }

  /** Says what is true, as a person would who looks at the cluster. */
  async #settle(attempted: 1 | 2, tree: Tree): Promise<"applied" | "retry"> {
    const live = await this.cell.file.live(this.name, this.cluster.ask);
    const isApplied = typeof live === "number" ? live === attempted : live[attempted - 1]! > 0;
    const answer = isApplied ? "applied" : "retry";
    const [path = ""] = Object.keys(tree);
    const found = await resolved(this.#past, tree, path, answer, { leaseMs: LEASE_MS });
    assertEquals(found?.file, path, "it can be settled");
    return answer;
  }

  /** Holds what the journal says against what the cluster has. */
  async #check(when: string): Promise<void> {
    const live = await this.cell.file.live(this.name, this.cluster.ask);
    const { applied, attempt } = await this.#entry();
    // It says that it does not know.
    if (mayHaveRun(attempt)) return;
    const recorded = await this.#versionOf(applied?.hash);
    if (typeof live === "number") {
      assertEquals(live, recorded, `${when}: the version that is recorded`);
    } else if (recorded > 0) {
      assertEquals(live[recorded - 1]! > 0, true, `${when}: version ${recorded} is recorded`);
    }
  }

  /** A counted request must be done as often as it was recorded. */
  async #checkWork(
    wanted: 1 | 2,
    attempted: 1 | 2,
    answer: "applied" | "retry" | undefined,
  ): Promise<void> {
    const live = await this.cell.file.live(this.name, this.cluster.ask);
    if (typeof live === "number") return assertEquals(live, wanted);
    const { scenario } = this.cell;
    if (scenario === "new") assertEquals(live, [1, 0]);
    else if (scenario === "edited") assertEquals(live, [1, 1]);
    else if (answer === undefined) {
      // The edit was recorded, and the file as it is now applied over it; or it never arrived.
      assertEquals(live[1] <= 1 && live[0] === 1 + live[1], true, `${live}`);
    } else assertEquals(live, answer === "applied" ? [2, 1] : [1, 0], `${attempted}`);
  }

  async #entry(): Promise<JournalEntry> {
    const [path = ""] = Object.keys(this.#versions[1]);
    const entries = await withSession(this.#past, {}, async ({ journal }) => {
      return (await journal.read([path])).entries;
    });
    return entries.get(path) ?? { path };
  }

  async #versionOf(hash: string | undefined): Promise<number> {
    if (hash === undefined) return 0;
    const [first, second] = await filesOf({
      1: Object.values(this.#versions[1])[0]!,
      2: Object.values(this.#versions[2])[0]!,
    });
    return hash === first!.hash ? 1 : hash === second!.hash ? 2 : 9;
  }

  #outcome({ results, error }: RunReport): string {
    return error ? error.name : results.map(({ outcome }) => outcome).join();
  }

  #end({ error }: RunReport): void {
    if (error) throw new Error(`the run failed: ${error.message}`, { cause: error });
  }
}
