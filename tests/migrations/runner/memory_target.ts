import {
  type Applied,
  type ApplyOptions,
  type FileProblem,
  type History,
  InvalidFileError,
  type Migration,
  MigrationFailedError,
  type MigrationFile,
  type MigrationRecord,
  type Preview,
  type Session,
  type Target,
} from "../../../src/migrations/runner/mod.ts";

/** Where the sessions of {@linkcode memoryTarget} keep their records and what they were asked. */
export interface MemoryStore {
  readonly records: Map<string, MigrationRecord>;
  readonly log: string[];
  interrupted: History["interrupted"];
  /** Called before a file is applied; may throw. */
  onApply?: (path: string) => void;
  /** Called when the lock is asked for; may change the records, as another run would. */
  onLock?: () => void;
}

export function memoryStore(): MemoryStore {
  return { records: new Map(), log: [], interrupted: [] };
}

/** The smallest target: its cluster is a map. Files that hold `bad` cannot be classified. */
export function memoryTarget(store: MemoryStore, problems: FileProblem[] = []): Target {
  return {
    connection: "memory",
    extension: ".txt",
    classify(file: MigrationFile): Migration {
      const text = new TextDecoder().decode(file.bytes);
      if (text.includes("bad")) {
        throw new InvalidFileError({ path: file.path, message: "It is bad", line: 1, column: 1 });
      }
      const onChange = text.includes("once") ? "fail" : "reapply";
      return { file, kind: "text", resource: file.path, onChange, repeatSafe: true };
    },
    check: () => problems,
    open: () => {
      store.log.push("open");
      return Promise.resolve(new MemorySession(store));
    },
  };
}

class MemorySession implements Session {
  requests = 0;
  #locked = false;

  constructor(private readonly store: MemoryStore) {}

  read(): Promise<History> {
    return this.#log("read", () => this.#history());
  }

  lock(_all: readonly Migration[], history: History, pending: readonly Migration[]) {
    return this.#log(`lock ${pending.length}`, () => {
      this.#locked = true;
      const before = this.store.records.size;
      this.store.onLock?.();
      return this.store.records.size === before ? history : this.#history();
    });
  }

  apply({ file }: Migration, { last }: ApplyOptions): Promise<Applied> {
    return this.#log(`apply ${file.path}${last ? " last" : ""}`, () => {
      this.store.onApply?.(file.path);
      const record = { path: file.path, hash: file.hash, executedAt: new Date(0) };
      this.store.records.set(file.path, record);
      return { outcome: "applied" as const };
    });
  }

  unlock(): Promise<void> {
    if (!this.#locked) return Promise.resolve();
    this.#locked = false;
    return this.#log("unlock", () => {});
  }

  all(): Promise<ReadonlyMap<string, MigrationRecord>> {
    return this.#log("all", () => this.store.records);
  }

  record(migrations: readonly Migration[]): Promise<void> {
    return this.#log("record", () => {
      for (const { file: { path, hash } } of migrations) {
        this.store.records.set(path, { path, hash, executedAt: new Date(0) });
      }
    });
  }

  resolve(): Promise<boolean> {
    return this.#log("resolve", () => false);
  }

  preview({ file }: Migration): Promise<Preview> {
    return Promise.resolve({ requests: [new TextDecoder().decode(file.bytes)] });
  }

  close(): Promise<void> {
    this.store.log.push("close");
    return Promise.resolve();
  }

  #history(): History {
    return { records: new Map(this.store.records), interrupted: this.store.interrupted };
  }

  // deno-lint-ignore require-await -- a throw of `action` has to become a rejection
  async #log<T>(entry: string, action: () => T): Promise<T> {
    this.requests++;
    this.store.log.push(entry);
    return action();
  }
}

/** Files made of `path: text`, in the order given. */
export function filesOf(tree: Record<string, string>): MigrationFile[] {
  return Object.entries(tree).map(([path, text]) => ({
    path,
    location: `/m/${path}`,
    bytes: new TextEncoder().encode(text),
    hash: text,
  }));
}

export function refuse(path: string, file: string, message: string): void {
  if (path === file) throw new MigrationFailedError("memory", file, message);
}
