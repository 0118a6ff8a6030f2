import type { Config } from "../../config/mod.ts";
import type {
  CheckedFiles,
  FeatureSettings,
  MigrationFeature,
  Offers,
  Reading,
} from "./moments.ts";
import type { FileProblem } from "./results.ts";

/** A list of features, as the core asks it: those that do not fill a moment are passed over. */
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

  /** What the first of them answers that has an answer. */
  async first<T>(ask: (one: MigrationFeature) => T): Promise<Awaited<T> | undefined> {
    for (const one of this.all) {
      const found = await ask(one);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Asks each, one after the other. */
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
}

export async function loadFeatures(entries: readonly FeatureEntry[]): Promise<Features> {
  const loaded = await Promise.all(entries.map(({ moments }) => moments?.()));
  return new Features(loaded.flatMap((one) => one?.feature ?? []));
}
