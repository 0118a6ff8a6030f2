/** Random programs of transactions that run at the same time, and the model of what they may leave. */
import * as fc from "fast-check";
import {
  afterCommit,
  afterRollback,
  TransactionOutcomeUnknownError,
} from "../../../src/features/transactions/mod.ts";

/** A step of a program. */
export type Action =
  | { readonly do: "insert" | "pause" | "fail" | "kill" | "abort" }
  /** Adds one to a row that other programs change, too. */
  | { readonly do: "update"; readonly row: number }
  /** Inserts a row that exists. */
  | { readonly do: "repeat"; readonly isCaught: boolean }
  | { readonly do: "cut"; readonly cut: "request" | "answer" }
  | {
    readonly do: "call";
    readonly propagation: "required" | "nested" | "requires-new";
    readonly body: Program;
    readonly isCaught: boolean;
  }
  /** `Promise.all` of programs. */
  | { readonly do: "together"; readonly programs: readonly Program[] }
  /** Runs on without being awaited. */
  | { readonly do: "leave"; readonly program: Program };

export type Program = readonly Action[];

/** A request: a transaction of its own, begun by a call or by a handler. */
export interface Request {
  readonly program: Program;
  readonly retry: number;
  readonly isHandler: boolean;
}

/** @param hasPool whether connections can be lost, and transactions have one each */
export function requestsOf(hasPool: boolean): fc.Arbitrary<readonly Request[]> {
  const { program } = fc.letrec<{ action: Action; program: Program }>((tie) => ({
    action: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      { weight: 8, arbitrary: fc.constantFrom("insert", "pause").map((one) => ({ do: one })) },
      { weight: 2, arbitrary: fc.nat(2).map((row) => ({ do: "update", row })) },
      {
        weight: 1,
        arbitrary: fc.constantFrom("fail", "abort", ...(hasPool ? ["kill"] : []))
          .map((one) => ({ do: one })),
      },
      { weight: 1, arbitrary: fc.boolean().map((isCaught) => ({ do: "repeat", isCaught })) },
      ...(hasPool
        ? [{
          weight: 1,
          arbitrary: fc.constantFrom("request", "answer").map((cut) => ({ do: "cut", cut })),
        }]
        : []),
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant("call"),
          propagation: fc.constantFrom("required", "nested", ...(hasPool ? ["requires-new"] : [])),
          body: tie("program"),
          isCaught: fc.boolean(),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.array(tie("program"), { minLength: 2, maxLength: 3 })
          .map((programs) => ({ do: "together", programs })),
      },
      {
        weight: 1,
        arbitrary: tie("program").map((program) => ({ do: "leave", program })),
      },
    ) as fc.Arbitrary<Action>,
    program: fc.array(tie("action"), { maxLength: 5 }),
  }));
  const request = fc.record({ program, retry: fc.nat(2), isHandler: fc.boolean() });
  return fc.array(request, { minLength: 1, maxLength: 4 });
}

/** The actions of the code under test. */
export interface Steps {
  run(sql: string): Promise<unknown>;
  transaction(
    options: { readonly propagation?: "required" | "nested" | "requires-new" },
    work: () => Promise<void>,
  ): Promise<void>;
  kill(): Promise<void>;
  cut(what: "request" | "answer"): void;
}

/** A transaction or, with a parent, a nested one, as the model sees it. */
interface Scope {
  readonly parent?: Scope;
  readonly inserts: Insert[];
  readonly updates: number[];
  outcome: "open" | "committed" | "rolled back" | "unknown";
  /** Whether its own work has ended: failures of calls that were not awaited come too late. */
  isDone: boolean;
  isFailed: boolean;
  /** Why it must not commit. */
  spoiled?: string;
}

interface Insert {
  readonly id: number;
  isDone: boolean;
  isRegistered: boolean;
  commits: number;
  rollbacks: number;
}

class Injected extends Error {}

/** Runs programs, and compares what they leave with what each promised. */
export class Model {
  readonly #scopes: Scope[] = [];
  readonly #left: Promise<unknown>[] = [];
  readonly #signals = new Set<AbortController>();
  #lastId = 0;

  constructor(readonly steps: Steps) {}

  /** The work of a transaction of its own; each attempt is a scope. */
  attempt(program: Program): { readonly work: () => Promise<void>; settle(error?: unknown): void } {
    const attempts: Scope[] = [];
    const signal = new AbortController();
    this.#signals.add(signal);
    return {
      work: async () => {
        for (const before of attempts) before.outcome = "rolled back"; // It was repeated.
        const scope = this.#open();
        attempts.push(scope);
        await this.#spoiling(scope, true, async () => {
          await this.#insert(scope);
          await this.#run(program, scope, signal.signal);
        });
      },
      settle: (error) => {
        this.#signals.delete(signal);
        const last = attempts.at(-1);
        if (last) this.#settle(last, error);
      },
    };
  }

  #open(parent?: Scope): Scope {
    const scope: Scope = {
      parent,
      inserts: [],
      updates: [],
      outcome: "open",
      isDone: false,
      isFailed: false,
    };
    this.#scopes.push(scope);
    return scope;
  }

  #settle(scope: Scope, error?: unknown): void {
    scope.outcome = error === undefined
      ? "committed"
      // That of an independent one inside of it rolls back.
      : error instanceof TransactionOutcomeUnknownError && !scope.isFailed
      ? "unknown"
      : "rolled back";
  }

  async #spoiling(scope: Scope, isOwn: boolean, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      scope.isFailed ||= isOwn;
      if (!scope.isDone) scope.spoiled ??= `${error}`;
      throw error;
    } finally {
      if (isOwn) scope.isDone = true;
    }
  }

  async #run(program: Program, scope: Scope, signal: AbortSignal): Promise<void> {
    for (const action of program) {
      signal.throwIfAborted();
      await this.#step(action, scope, signal);
    }
  }

  async #step(action: Action, scope: Scope, signal: AbortSignal): Promise<void> {
    switch (action.do) {
      case "insert":
        return await this.#insert(scope);
      case "pause":
        return await new Promise((resolve) => void setTimeout(resolve, 1));
      case "fail":
        throw new Injected("the program failed");
      case "kill":
        return await this.steps.kill();
      case "abort": {
        for (const other of this.#signals) if (other.signal !== signal) return other.abort();
        return;
      }
      case "cut":
        return this.steps.cut(action.cut);
      case "update":
        await this.steps.run(`UPDATE counters SET n = n + 1 WHERE id = ${action.row}`);
        scope.updates.push(action.row);
        return;
      case "repeat":
        return await this.#repeat(action, scope);
      case "together": {
        const programs = action.programs.map((one) => this.#run(one, scope, signal));
        this.#left.push(...programs);
        return void await Promise.all(programs);
      }
      case "leave":
        this.#left.push(this.#run(action.program, scope, signal).catch(() => {}));
        return;
      case "call":
        return await this.#call(action, scope, signal);
    }
  }

  async #insert(scope: Scope): Promise<void> {
    const insert: Insert = {
      id: ++this.#lastId,
      isDone: false,
      isRegistered: false,
      commits: 0,
      rollbacks: 0,
    };
    scope.inserts.push(insert);
    await this.steps.run(`INSERT INTO notes VALUES (${insert.id}, 'text')`);
    insert.isDone = true;
    afterCommit(() => void insert.commits++);
    afterRollback(() => void insert.rollbacks++);
    insert.isRegistered = true;
  }

  async #repeat({ isCaught }: Action & { do: "repeat" }, scope: Scope): Promise<void> {
    const known = scope.inserts.find(({ isDone }) => isDone);
    if (!known) return;
    try {
      await this.steps.run(`INSERT INTO notes VALUES (${known.id}, 'again')`);
    } catch (error) {
      if (!isCaught) throw error;
    }
  }

  async #call(
    { propagation, body, isCaught }: Action & { do: "call" },
    scope: Scope,
    signal: AbortSignal,
  ): Promise<void> {
    const called = propagation === "required"
      ? scope
      : this.#open(propagation === "nested" ? scope : undefined);
    try {
      await this.steps.transaction({ propagation }, () => {
        return this.#spoiling(called, called !== scope, async () => {
          if (propagation === "requires-new") await this.#insert(called);
          await this.#run(body, called, signal);
        });
      });
      if (called !== scope) this.#settle(called);
    } catch (error) {
      if (called !== scope) this.#settle(called, error);
      if (!isCaught) throw error;
    }
  }

  /** Waits for what was not awaited. */
  async settled(): Promise<void> {
    for (const one of this.#left) await one.catch(() => {});
  }

  /** Compares with what the database holds. @throws {Error} with all differences */
  async check(find: () => Promise<Found>): Promise<Counts> {
    const { ids, counters } = await find();
    const problems: string[] = [];
    const expected = counters.map(() => 0);
    for (const [index, scope] of this.#scopes.entries()) {
      const outcome = outcomeOf(scope, ids);
      problems.push(...problemsOf(scope, outcome, ids).map((one) => `scope ${index}: ${one}`));
      if (outcome.isThere) { for (const row of scope.updates) expected[row]!++; }
    }
    if (`${expected}` !== `${counters}`) problems.push(`counters ${counters}, not ${expected}`);
    if (problems.length > 0) throw new Error(problems.join("\n"));
    return countsOf(this.#scopes);
  }
}

/** How transactions ended. */
export interface Counts {
  committed: number;
  "rolled back": number;
  unknown: number;
}

function countsOf(scopes: readonly Scope[]): Counts {
  const counts: Counts = { committed: 0, "rolled back": 0, unknown: 0 };
  for (const { outcome } of scopes) if (outcome !== "open") counts[outcome]++;
  return counts;
}

/** The expected state of the rows and functions of a scope. */
interface Outcome {
  readonly isThere: boolean;
  readonly commits: number;
  readonly rollbacks: number;
}

function outcomeOf(scope: Scope, ids: Found["ids"]): Outcome {
  let root = scope;
  let isCommitted = scope.outcome !== "rolled back";
  while (root.parent) {
    root = root.parent;
    isCommitted &&= root.outcome !== "rolled back";
  }
  const isUnknown = root.outcome === "unknown";
  // Every transaction begins with a row, which shows its result.
  const [marker] = root.inserts;
  const isThere = isCommitted && (!isUnknown || marker !== undefined && ids.has(marker.id));
  return {
    isThere,
    commits: isCommitted && !isUnknown ? 1 : 0,
    rollbacks: isCommitted || isUnknown ? 0 : 1,
  };
}

function problemsOf(scope: Scope, outcome: Outcome, ids: Found["ids"]): string[] {
  const problems: string[] = [];
  if (scope.outcome === "open") problems.push("it has not ended");
  if (scope.outcome === "committed" && scope.spoiled) {
    problems.push(`it was committed after ${scope.spoiled}`);
  }
  for (const { id, isDone, isRegistered, commits, rollbacks } of scope.inserts) {
    if (ids.has(id) !== (isDone && outcome.isThere)) {
      problems.push(`row ${id} is ${isDone && outcome.isThere ? "missing" : "there"}`);
    }
    const calls = isRegistered ? [outcome.commits, outcome.rollbacks] : [0, 0];
    if (`${[commits, rollbacks]}` !== `${calls}`) {
      problems.push(`the functions of row ${id} ran ${commits} and ${rollbacks} times`);
    }
  }
  return problems.map((problem) => `${problem} (${scope.outcome})`);
}

/** The content of the database. */
export interface Found {
  readonly ids: ReadonlySet<number>;
  readonly counters: readonly number[];
}

/** Whether nothing in a program can fail. */
export function isHarmless(program: Program): boolean {
  return program.every((action) =>
    action.do === "insert" || action.do === "pause" ||
    action.do === "call" && action.propagation !== "requires-new" && isHarmless(action.body) ||
    action.do === "together" && action.programs.every((one) => {
        return one.every(({ do: step }) => step === "insert" || step === "pause");
      })
  );
}
