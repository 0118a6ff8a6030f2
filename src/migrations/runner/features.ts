import { Features, type MigrationFeature } from "./moments.ts";

/** An entry of the registry: nothing of a feature is loaded before a target is made. */
export interface FeatureEntry {
  readonly name: string;
  readonly moments?: () => Promise<{ readonly feature: MigrationFeature }>;
}

export async function loadFeatures(entries: readonly FeatureEntry[]): Promise<Features> {
  const loaded = await Promise.all(entries.map(({ moments }) => moments?.()));
  return new Features(loaded.flatMap((one) => one?.feature ?? []));
}
