import type { Config } from "../../config/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import type { ForeignFindings } from "./foreign.ts";
import type { Offering, Offers } from "./keys.ts";
import type { FileProblem, MigrationResult, Preview, RunOptions, RunReport } from "./results.ts";
import type { Signer, SignerOptions } from "./signing.ts";
import type {
  Applied,
  Attempt,
  Classifier,
  CutOffWork,
  Executor,
  Journal,
  Migration,
  MigrationFile,
  MigrationRecord,
  Work,
} from "./types.ts";

/**
 * When the core calls features, and what it asks them. A feature fills the moments that it needs; they are asked in the
 * order of the registry. What an engine knows comes to them by {@linkcode FeatureKey}s.
 */
interface Moments {
  /** The targets of a configuration, before any is opened: a feature may replace or refuse some. */
  targets(targets: readonly Target[], which: TargetSelection): readonly Target[];
  /** One target as many: how its files are applied, if not to the connection itself. */
  many(target: Target): Promise<Many | undefined>;
  /** Signs the requests of a connection. */
  signer(connection: Offering, options: SignerOptions): Promise<Signer | undefined>;
  /** Warns of problems in a file that `validate` has read. */
  look(migration: Migration, target: Target): Promise<readonly FileProblem[]>;
  /** Finds problems of files offline, in a plan, and before the first file of a run, which errors stop. */
  check(files: CheckedFiles): Promise<readonly FileProblem[]>;
  /**
   * Irreversible effects of applying these files now, as far as the server shows them. Asked under the lock, before the
   * first file: those of severity `error` are applied only when confirmed. Nothing is written.
   */
  dangers(files: CheckedFiles): Promise<readonly FileProblem[]>;
  /** Around a run of one target. */
  run(target: Target, work: () => Promise<RunReport>): Promise<RunReport>;
  /** Around one file of a run. */
  file(file: RunFile, work: () => Promise<MigrationResult>): Promise<MigrationResult>;
  /** In place of what applies a file, or around it. @throws {ExecutionError} */
  apply(step: AppliedStep, next: () => Promise<Applied>): Promise<Applied>;
  /** In place of the preview of a file, or around it. */
  preview(step: PreviewedStep, next: () => Promise<Preview>): Promise<Preview>;
  /** The facts about work that can be resumed, as a sentence without its final period. */
  explain(attempt: Attempt): Promise<string | undefined>;
  /** Before the plan of each run: releases what a file that was cut off keeps from others until its turn comes. */
  release(attempt: Attempt, work: CutOffWork): Promise<void>;
  /** Gives up a file that was cut off, and takes away what it has made. */
  abandon(attempt: Attempt, work: CutOffWork): Promise<Abandoned | undefined>;
  /** After runs that have applied something, when the session is closed. Errors are reported, never thrown. */
  applied(target: Target, signal?: AbortSignal): Promise<void>;
}

export interface MigrationFeature extends Partial<Moments> {
  readonly name: string;
  /** The settings that it reads of a connection in the configuration. */
  readonly settings?: Partial<Record<"search" | "datasource", FeatureSettings>>;
}

interface FeatureSettings {
  /** Its keys, with dots: others are unknown. */
  readonly keys: readonly string[];
  /** @param engine what the engine offers of the connection @throws {ConfigError} */
  read(section: Config, engine: Offering): Reading;
}

/** The result of a feature that reads a connection, and its offers to the engine. */
interface Reading extends Offering {
  /** Whether the connection leads to no server of its own. @default false */
  readonly hasNoHosts?: boolean;
  /** Whether files change indices that exist. @default false */
  readonly changesIndices?: boolean;
  /** Whether policies also manage indices that exist. @default false */
  readonly attachesPolicies?: boolean;
  /** The schema of the history where the configuration names none. */
  readonly historySchema?: string;
  /** Names of tables that are there before the first file. @default none */
  readonly tablesBefore?: readonly string[];
}

export interface TargetSelection {
  readonly config: Config;
  readonly only?: readonly string[] | undefined;
  readonly create?: boolean | undefined;
  /** By the names of connections. */
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface TargetPart {
  readonly target: Target;
  readonly files: readonly MigrationFile[];
  readonly part?: string;
  readonly namePartIn?: (error: Error) => Error;
}

export interface FailureOptions {
  /** Takes the failure of a connection, or of one of its files: the others go on. @default the command fails with the first one */
  readonly onFailure?: ((error: Error, connection: string) => void) | undefined;
}

export type ManyOptions = RunOptions & Omit<TargetSelection, "credentials"> & {
  readonly runtime: Runtime;
  readonly sqlPath: string;
  readonly waitMs?: number | undefined;
  /** Asks a person; absent where there is none, as in an application. */
  readonly ask?: (question: string, signal?: AbortSignal) => Promise<boolean | undefined>;
};

export interface Many {
  /** The parts as far as no request is needed to know them, else the connection itself. */
  parts(connection: TargetPart, options: ManyOptions): Promise<readonly TargetPart[]>;
  run(connection: TargetPart, options: ManyOptions): Promise<readonly RunReport[]>;
  each<T>(
    connection: TargetPart,
    options: ManyOptions,
    work: (part: TargetPart) => Promise<T>,
  ): Promise<readonly T[]>;
}

export interface CheckedFiles extends Offering {
  readonly purpose: "validate" | "plan" | "run";
  readonly migrations: readonly Migration[];
  /** The paths of all files in order, invalid and unchanged ones included. */
  readonly paths: readonly string[];
}

export interface RunFile {
  readonly target: Target;
  readonly path: string;
  /** Whether a file ended only because the run was stopped. */
  readonly isStop: (error: unknown) => boolean;
}

export interface AppliedStep extends Offering {
  readonly migration: Migration;
  readonly work: Work;
}

interface PreviewedStep extends Offering {
  readonly migration: Migration;
  readonly previous: MigrationRecord | undefined;
  /** The files of the plan that a run applies before this one. */
  readonly earlier: readonly Migration[];
}

export interface Abandoned extends Pick<Applied, "leftBehind"> {
  readonly message: string;
}

export interface Session<M extends Migration = Migration>
  extends Offering, Pick<Target<M>, "features" | "connection"> {
  readonly requests: number;
  readonly owner: string;
  readonly journal: Journal;
  /** Loaded when there is something to apply, to show or to compare; the same one each time. */
  executor(): Promise<Executor<M>>;
  /**
   * Reads the histories of other migration tools, and the tables. Nothing is written.
   *
   * @param migrations of ours: given, a history that cannot be theirs, by their names, need not be looked for
   */
  foreign(migrations?: readonly M[]): Promise<ForeignFindings>;
  /** Gives up its connections; a lock that is held is not given back, and ends as that of a killed run does. */
  close(): Promise<void>;
}

/** One connection that migrations are applied to. Everything before `open()` sends nothing. */
export interface Target<M extends Migration = Migration> extends Offering {
  readonly features: Features;
  readonly connection: string;
  /** The attributes of the server, by the semantic conventions of OpenTelemetry. */
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly extension: string;
  /** The folder of its files. @param root that of all connections */
  folder(root: string): Promise<string>;
  classifier(): Promise<Classifier<M>>;
  /** The same files with what the connection fills into them; where it declares no placeholder, they are not looked at. */
  withValues(files: readonly MigrationFile[]): Promise<readonly MigrationFile[]>;
  /** Connects. @param signal ends the waiting, that of later reads included; its reason is thrown @throws {ConnectionError} */
  open(signal?: AbortSignal): Promise<Session<M>>;
}

/** A list of features, as the core asks it: those that do not fill a moment are passed over. */
export class Features {
  constructor(private readonly all: readonly MigrationFeature[]) {}

  fills(moment: keyof Moments): boolean {
    return this.all.some((one) => one[moment] !== undefined);
  }

  settings(list: "search" | "datasource"): readonly FeatureSettings[] {
    return this.all.flatMap(({ settings }) => settings?.[list] ?? []);
  }

  /** Reads the settings of all features for a connection. @throws {ConfigError} */
  read(list: "search" | "datasource", section: Config, offers: Offers): Reading {
    const readings = this.settings(list).map((one) => one.read(section, { offers }));
    return Object.assign({}, ...readings, { offers: readings.flatMap(({ offers }) => offers) });
  }

  /** The answer of the first feature that has one. */
  async first<T>(ask: (one: MigrationFeature) => T): Promise<Awaited<T> | undefined> {
    for (const one of this.all) {
      const found = await ask(one);
      if (found !== undefined) return found;
    }
  }

  async each(ask: (one: MigrationFeature) => unknown): Promise<void> {
    for (const one of this.all) await ask(one);
  }

  async problems(
    ask: (one: MigrationFeature) => Promise<readonly FileProblem[]> | undefined,
  ): Promise<readonly FileProblem[]> {
    const found: FileProblem[] = [];
    for (const one of this.all) found.push(...await ask(one) ?? []);
    return found;
  }

  /** Irreversible effects, in the order of the files. */
  async dangers(files: CheckedFiles): Promise<readonly FileProblem[]> {
    const order = files.migrations.map(({ file: { path } }) => path);
    const found = await this.problems((one) => one.dangers?.(files));
    return found.toSorted((a, b) => order.indexOf(a.path) - order.indexOf(b.path));
  }

  /** Work with each feature around it, the first one outermost. */
  async around<T>(
    work: () => Promise<T>,
    wrap: (one: MigrationFeature, next: () => Promise<T>) => Promise<T> | undefined,
  ): Promise<T> {
    return await this.all.reduceRight((next, one) => () => wrap(one, next) ?? next(), work)();
  }
}

export const NO_FEATURES: Features = new Features([]);

/** An entry of the registry: nothing of a feature is loaded before a target is made. */
export interface FeatureEntry {
  readonly name: string;
  readonly moments?: () => Promise<{ readonly feature: MigrationFeature }>;
  /** The connections whose runs have its moments. @default all */
  readonly of?: "sql" | "search";
}

/** @param type of the connections; without it those of all */
export async function loadFeatures(
  entries: readonly FeatureEntry[],
  type?: "sql" | "search",
): Promise<Features> {
  const fitting = entries.filter(({ of = type }) => type === undefined || of === type);
  const loaded = await Promise.all(fitting.map(({ moments }) => moments?.()));
  return new Features(loaded.flatMap((one) => one?.feature ?? []));
}
