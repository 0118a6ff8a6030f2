import type { Config } from "../../config/mod.ts";
import type {
  Abandoned,
  AppliedStep,
  CheckedFiles,
  FeatureSettings,
  Many,
  MigrationFeature,
  Offering,
  Offers,
  PreviewedStep,
  Reading,
  RunFile,
  TargetSelection,
} from "./moments.ts";
import type { FileProblem, MigrationResult, Preview, RunReport } from "./results.ts";
import type { Signer, SignerOptions } from "./signing.ts";
import type { Applied, Attempt, CutOffWork, LoadedFile, Target } from "./types.ts";

/** A list of features, as the core calls it: those that do not fill a moment are passed over. */
export class Features {
  constructor(private readonly all: readonly MigrationFeature[]) {}

  /** What they have for connections of one kind. */
  settings(list: "search" | "datasource"): readonly FeatureSettings[] {
    return this.all.flatMap(({ settings }) => settings?.[list] ?? []);
  }

  /** What they read of a connection. @throws {ConfigError} */
  read(list: "search" | "datasource", section: Config, offers: Offers): Reading {
    const readings = this.settings(list).map((one) => one.read(section, { offers }));
    return Object.assign({}, ...readings, { offers: readings.flatMap(({ offers }) => offers) });
  }

  targets(targets: readonly Target[], which: TargetSelection): readonly Target[] {
    return this.all.reduce((left, one) => one.targets?.(left, which) ?? left, targets);
  }

  many(target: Target): Many | undefined {
    return this.all.map((one) => one.many?.(target)).find((many) => many);
  }

  async signer(connection: Offering, options: SignerOptions): Promise<Signer | undefined> {
    return await this.#first((one) => one.signer?.(connection, options));
  }

  async look(file: LoadedFile, target: Target): Promise<readonly FileProblem[]> {
    return await this.#problems((one) => one.look?.(file, target));
  }

  async check(files: CheckedFiles): Promise<readonly FileProblem[]> {
    return await this.#problems((one) => one.check?.(files));
  }

  /** In the order of the files. */
  async dangers(files: CheckedFiles): Promise<readonly FileProblem[]> {
    const order = files.migrations.map(({ file: { path } }) => path);
    const found = await this.#problems((one) => one.dangers?.(files));
    return found.toSorted((a, b) => order.indexOf(a.path) - order.indexOf(b.path));
  }

  async run(target: Target, work: () => Promise<RunReport>): Promise<RunReport> {
    return await this.#around(work, (one, next) => one.run?.(target, next));
  }

  async file(file: RunFile, work: () => Promise<MigrationResult>): Promise<MigrationResult> {
    return await this.#around(work, (one, next) => one.file?.(file, next));
  }

  async apply(step: AppliedStep, work: () => Promise<Applied>): Promise<Applied> {
    return await this.#around(work, (one, next) => one.apply?.(step, next));
  }

  async preview(step: PreviewedStep, work: () => Promise<Preview>): Promise<Preview> {
    return await this.#around(work, (one, next) => one.preview?.(step, next));
  }

  async explain(attempt: Attempt): Promise<string | undefined> {
    return await this.#first((one) => one.explain?.(attempt));
  }

  async release(attempt: Attempt, work: CutOffWork): Promise<void> {
    for (const one of this.all) await one.release?.(attempt, work);
  }

  async abandon(attempt: Attempt, work: CutOffWork): Promise<Abandoned | undefined> {
    return await this.#first((one) => one.abandon?.(attempt, work));
  }

  async applied(target: Target, signal?: AbortSignal): Promise<void> {
    for (const one of this.all) await one.applied?.(target, signal);
  }

  async #first<T>(
    ask: (one: MigrationFeature) => Promise<T | undefined> | undefined,
  ): Promise<T | undefined> {
    for (const one of this.all) {
      const found = await ask(one);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #problems(
    ask: (one: MigrationFeature) => Promise<readonly FileProblem[]> | undefined,
  ): Promise<readonly FileProblem[]> {
    const found: FileProblem[] = [];
    for (const one of this.all) found.push(...await ask(one) ?? []);
    return found;
  }

  #around<T>(
    work: () => Promise<T>,
    wrap: (one: MigrationFeature, next: () => Promise<T>) => Promise<T> | undefined,
  ): Promise<T> {
    return this.all.reduceRight((next, one) => () => wrap(one, next) ?? next(), work)();
  }
}

export const NO_FEATURES: Features = new Features([]);

/** An entry of the registry: nothing of a feature is loaded before a target is made. */
export interface FeatureEntry {
  readonly name: string;
  readonly moments?: () => Promise<{ readonly feature: MigrationFeature }>;
}

export async function loadFeatures(entries: readonly FeatureEntry[]): Promise<Features> {
  const loaded = await Promise.all(entries.map(({ moments }) => moments?.()));
  return new Features(loaded.flatMap((one) => one?.feature ?? []));
}
