import {
  type Abandoned,
  type Applied,
  type Attempt,
  type CutOffWork,
  ExecutionError,
  type Executor,
  type FeatureKey,
  featureKey,
  Features,
  type FileProblem,
  InvalidFilesError,
  type Journal,
  type JournalEntry,
  type JournalState,
  type LoadedFile,
  LockedError,
  mayHaveRun,
  type Migration,
  type MigrationFeature,
  type MigrationFile,
  retry,
  type Session,
  type Target,
  type Work,
} from "../../../src/migrations/runner/mod.ts";
import { hexDigest } from "../../../src/text/mod.ts";

/** The state that the sessions of a {@linkcode memoryTarget} share: a server with a journal, in memory. */
export class MemoryServer {
  readonly entries = new Map<string, JournalEntry>();
  /** Contents in the order in which they were applied. */
  readonly effects: string[] = [];
  /** The calls of the sessions. */
  readonly log: string[] = [];
  /** The holder of the lock, which may be a session that has ended. */
  holder: { owner: string; isAlive: boolean } | undefined;
  /** Called before a file is applied; may throw. */
  onExecute?: (path: string, work: Work) => void | Applied | Promise<void | Applied>;
  /** Called when the lock is asked for; may change the entries, as another run would. */
  onLock?: () => void;
  /** The attempts that were given up. */
  readonly abandoned: Attempt[] = [];
  /** Called for work that is given up; may say what it leaves, or throw. */
  onAbandon?: (work: CutOffWork) => void | Partial<Abandoned> | Promise<void | Partial<Abandoned>>;
  /** Called for work that was cut off, before anything is planned; may throw. */
  onRelease?: (work: CutOffWork) => void | Promise<void>;
  /** Sizes of what runs have left, by name. */
  readonly left = new Map<string, string>();
  /** Names of what is left, and in use again. */
  readonly inUse = new Set<string>();
}

/** How files of a {@linkcode memoryTarget} are understood. */
export interface MemoryOptions {
  readonly problems?: Executor["check"];
  readonly comparesFiles?: boolean;
  readonly ignoresLineEnds?: boolean;
  readonly followers?: Executor["followers"];
  readonly dangers?: (migrations: readonly Migration[]) => Promise<readonly FileProblem[]>;
  readonly owner?: string;
  /** For how long a run waits for the lock, in milliseconds. @default 0 */
  readonly lockTimeoutMs?: number;
}

/**
 * The smallest target. A file says what it is by words in it: `bad` cannot be classified, `fail` may not run again when it
 * was edited, `once` must not be done twice, `whole` is committed together with its entry, `refused` has no effect.
 */
export function memoryTarget(server: MemoryServer, options: MemoryOptions = {}): Target {
  const { owner = "memory-1-a" } = options;
  const features = new Features([featureOf(server, options)]);
  const offers = [MEMORY.offer(server)];
  return {
    features,
    offers,
    attributes: {},
    connection: "memory",
    withValues: (files) => Promise.resolve(files),
    extension: ".txt",
    folder: (root) => Promise.resolve(root),
    classifier: () => Promise.resolve(executorOf(server, options)),
    open: () => {
      server.log.push("open");
      const journal = new MemoryJournal(server, owner, options.lockTimeoutMs ?? 0);
      const session: Session = {
        get requests() {
          return journal.requests;
        },
        features,
        offers,
        connection: "memory",
        foreign: () => Promise.resolve({ histories: [] }),
        owner,
        journal,
        executor: () => Promise.resolve(executorOf(server, options)),
        close: () => {
          server.log.push("close");
          journal.abandon();
          return Promise.resolve();
        },
      };
      return Promise.resolve(session);
    },
  };
}

/** The server of a session. */
export const MEMORY: FeatureKey<MemoryServer> = featureKey("memory");

/** The content of files, by hash. */
const texts = new Map<string, string>();
const readContent = ({ file }: Migration) => texts.get(file.hash) ?? "";

const explain = ({ known }: Attempt) => known ?? "it was cut off";

function executorOf(server: MemoryServer, options: MemoryOptions): Executor {
  return {
    comparesFiles: options.comparesFiles ?? false,
    ignoresLineEnds: options.ignoresLineEnds ?? false,
    classify(file): Migration {
      const text = new TextDecoder().decode(file.bytes);
      if (text.includes("bad")) {
        const { path } = file;
        throw new InvalidFilesError([
          { severity: "error", path, message: "It is bad", line: 1, column: 1 },
        ]);
      }
      texts.set(file.hash, text);
      return {
        file,
        kind: "text",
        resource: file.path,
        onChange: text.includes("fail") ? "fail" : "reapply",
        repeatSafe: !text.includes("once"),
        transactional: text.includes("whole"),
      };
    },
    check: options.problems ?? (() => []),
    followers: options.followers ?? (() => new Set()),
    async execute(migration, work): Promise<Applied> {
      const { file: { path } } = migration;
      server.log.push(`execute ${path}`);
      const given = await server.onExecute?.(path, work);
      await work.ensureHeld();
      const text = readContent(migration);
      if (text.includes("refused")) throw new ExecutionError(new Error("Refused"), "none");
      server.effects.push(text);
      if (migration.transactional) server.entries.set(path, work.applied({}));
      return given ?? {};
    },
    explain,
    preview: (migration) => Promise.resolve({ requests: [readContent(migration)] }),
    obstacle: () => Promise.resolve(undefined),
  };
}

/** Work that can be given up, and what it leaves. */
function featureOf(server: MemoryServer, { dangers }: MemoryOptions): MigrationFeature {
  return {
    name: "memory",
    ...(dangers && { dangers: ({ migrations }) => dangers(migrations) }),
    async abandon(attempt, work) {
      await work.ensureHeld();
      server.log.push(`abandon ${work.file}`);
      const given = await server.onAbandon?.(work);
      server.abandoned.push(attempt);
      return { message: `${explain(attempt)}; it was taken away`, ...given };
    },
    async release(_attempt, work) {
      await work.ensureHeld();
      server.log.push(`release ${work.file}`);
      await server.onRelease?.(work);
    },
  };
}

/** A journal whose rows are entries. */
class MemoryJournal implements Journal {
  requests = 0;
  #paths: readonly string[] = [];
  #hold: MemoryServer["holder"];

  constructor(
    private readonly server: MemoryServer,
    private readonly owner: string,
    private readonly lockTimeoutMs: number,
  ) {}

  read(paths: readonly string[]): Promise<JournalState> {
    this.#paths = paths;
    return this.#log("read", () => this.#state());
  }

  list(): Promise<ReadonlyMap<string, JournalEntry>> {
    return this.#log("list", () => new Map(this.server.entries));
  }

  async lock(
    state: JournalState,
    plan: (state: JournalState) => Promise<ReadonlyMap<string, Attempt>>,
    signal?: AbortSignal,
  ): Promise<void> {
    const { server, lockTimeoutMs } = this;
    server.onLock?.();
    const hold = await retry(() => Promise.resolve(this.#take()), {
      timeoutMs: lockTimeoutMs,
      signal,
    });
    const owner = server.holder?.owner;
    if (!hold) throw new LockedError("memory", `Locked by ${owner}`, owner);
    try {
      const now = this.#state();
      const announced = await plan(sameEntries(now, state) && !state.lockedBy ? state : now);
      await this.#log(`lock ${announced.size}`, () => {});
    } catch (error) {
      server.holder = undefined;
      throw error;
    }
  }

  // deno-lint-ignore require-await -- a throw has to become a rejection
  async ensureHeld(): Promise<void> {
    if (!this.#isHeld) throw new LockedError("memory", "The lock was lost");
  }

  /** Dies, as far as the server can tell. */
  abandon(): void {
    if (this.#hold) this.#hold.isAlive = false;
  }

  write(entries: readonly JournalEntry[], options: { release?: boolean } = {}): Promise<void> {
    const what = entries.map(({ path, attempt }) => attempt ? `${path} ${attempt.state}` : path);
    return this.#log(`write ${what.join(", ")}${options.release ? ", release" : ""}`, async () => {
      await this.ensureHeld();
      for (const entry of entries) {
        if (entry.applied || entry.attempt) this.server.entries.set(entry.path, entry);
        else this.server.entries.delete(entry.path);
      }
      if (options.release) this.server.holder = undefined;
    });
  }

  cancel(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  unlock(): Promise<void> {
    if (!this.#isHeld) return Promise.resolve();
    return this.#log("unlock", () => {
      this.server.holder = undefined;
    });
  }

  get #isHeld(): boolean {
    const { holder } = this.server;
    return holder !== undefined && holder === this.#hold;
  }

  #take(): MemoryServer["holder"] {
    if (this.server.holder?.isAlive) return undefined;
    this.#hold = { owner: this.owner, isAlive: true };
    return this.server.holder = this.#hold;
  }

  #state(): JournalState {
    const { entries, holder } = this.server;
    const wanted = [...entries].filter(([path, { attempt }]) =>
      this.#paths.includes(path) || mayHaveRun(attempt)
    );
    const lockedBy = holder?.isAlive ? { owner: holder.owner, stale: false } : undefined;
    return { entries: new Map(wanted), unsettled: false, ...(lockedBy && { lockedBy }) };
  }

  // deno-lint-ignore require-await -- a throw of `action` has to become a rejection
  async #log<T>(line: string, action: () => T | Promise<T>): Promise<T> {
    this.requests++;
    this.server.log.push(line);
    return action();
  }
}

function sameEntries(one: JournalState, other: JournalState): boolean {
  return JSON.stringify([...one.entries]) === JSON.stringify([...other.entries]);
}

/** Files made of `path: text`, in the order given. */
export function filesOf(tree: Readonly<Record<string, string>>): Promise<MigrationFile[]> {
  return Promise.all(Object.entries(tree).map(([path, text]) => fileOf(path, text)));
}

/** A migration file with this content. */
export async function fileOf(path: string, content: string | Uint8Array): Promise<MigrationFile> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return {
    path,
    location: `/m/${path}`,
    hash: await hexDigest(bytes),
    read: () => Promise.resolve(bytes),
  };
}

/** The same, read already. */
export async function loadedFile(
  path: string,
  content: string | Uint8Array,
): Promise<LoadedFile> {
  const { read, ...file } = await fileOf(path, content);
  return { ...file, bytes: await read() };
}

/** A failure of `file` that leaves `effect` behind, for {@linkcode MemoryServer.onExecute}. */
export function failIn(
  file: string,
  effect: ExecutionError["effect"] = "none",
  error = new Error(`${file} failed`),
): (path: string) => void {
  return (path) => {
    if (path === file) throw new ExecutionError(error, effect, { known: `it was ${effect}` });
  };
}
