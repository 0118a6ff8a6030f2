import type { ReindexSettings } from "../../../src/features/reindex/settings.ts";
import type { Style } from "./documents.ts";
import type { Server } from "./server.ts";

/** Versions of the file: 3 is what it is changed to when a copy was cut off. */
export type Version = 1 | 2 | 3;

/** Settings of an index, flat, `index.` left out; `undefined` for none. */
export type FlatSettings = Readonly<Record<string, string | undefined>>;

/** A live index, what writes into it, and how its file changes. */
export interface Scenario {
  readonly name: string;
  /** The state of the name before: an index of that name, or an alias of one. */
  readonly from: "concrete" | "alias";
  /** Versions of the file that are applied one after the other. @default [1, 2] */
  readonly steps?: readonly Version[];
  /** Documents that no writer changes. */
  readonly documents: number;
  /** @default 3 */
  readonly writers?: number;
  readonly style?: Style;
  /** Members of `settings` in each version of the file. */
  readonly settings?: Partial<Readonly<Record<Version, Readonly<Record<string, unknown>>>>>;
  /** Members of `mappings.properties` in every version, and more in one. */
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly changed?: Partial<Readonly<Record<Version, Readonly<Record<string, unknown>>>>>;
  /** Members of `mappings` in every version. */
  readonly mappings?: Readonly<Record<string, unknown>>;
  /** Versions differ only in what a live index takes: it stays the same index. */
  readonly isInPlace?: boolean;
  readonly reindex?: Partial<ReindexSettings>;
  /** Puts templates and pipelines there, before the first version is applied; names start with `name`. */
  readonly prepare?: (server: Server, name: string) => Promise<void>;
  /** Puts aliases there, after the first version was applied. */
  readonly aliases?: (name: string) => readonly Readonly<Record<string, unknown>>[];
  /** More names that applications write through. */
  readonly writeNames?: (name: string) => readonly string[];
  /** More names through which every document is found, from the first version on. */
  readonly names?: (name: string) => readonly string[];
  /** Settings of the live index in the end, beside those that all have. */
  readonly expected?: (name: string) => FlatSettings;
  /** Versions that cannot be reached from the first: the message of the failed migration is held against it. */
  readonly refused?: { readonly versions: readonly Version[]; readonly says: RegExp };
  /** Makes contents comparable where the cluster formats them again. */
  readonly normalise?: (text: string) => string;
}

/** The text of a version of the file. */
export function fileOf(scenario: Scenario, version: Version): string {
  const { settings, mappings, properties, changed, isInPlace } = scenario;
  const kind = isInPlace ? 1 : version;
  return JSON.stringify({
    settings: {
      number_of_shards: 2,
      number_of_replicas: 0,
      refresh_interval: `${version * 100 + 300}ms`,
      ...settings?.[version],
    },
    mappings: {
      ...mappings,
      properties: {
        n: { type: "keyword" },
        v: { type: { 1: "integer", 2: "long", 3: "keyword" }[kind] },
        tag: { type: kind === 1 ? "text" : "keyword" },
        stable: { type: "boolean" },
        raw: { type: "object", enabled: false },
        ...properties,
        ...changed?.[version],
      },
    },
  });
}

/** Which version an index is of. */
export function versionOf(
  { isInPlace }: Scenario,
  index: { readonly settings: Readonly<Record<string, string>>; readonly mappings: unknown },
): Version | undefined {
  if (isInPlace) {
    const interval = index.settings["index.refresh_interval"];
    return ([1, 2, 3] as const).find((version) => interval === `${version * 100 + 300}ms`);
  }
  const { properties } = index.mappings as { properties?: { v?: { type?: string } } };
  return ({ integer: 1, long: 2, keyword: 3 } as const)[properties?.v?.type as "integer"];
}
