import { illegal, type Json, Refused } from "./answers.ts";
import { aliasBody } from "./alias_rules.ts";
import { type Mapping, mappingOf, mergedMapping } from "./mappings.ts";
import { indexSettings, nestedSettings, type Settings } from "./settings.ts";

/** The settings, mappings and aliases of a template, or of several together. */
export interface TemplatePart {
  readonly settings?: unknown;
  readonly mappings?: unknown;
  readonly aliases?: Record<string, Json>;
}

export interface Composed {
  readonly settings: Settings;
  readonly mappings: Mapping;
  readonly aliases: Record<string, Json>;
}

/** Parts over one another, in order. @throws {Refused} what does not go together */
export function composed(parts: readonly TemplatePart[]): Composed {
  return parts.reduce<Composed>((whole, { settings, mappings, aliases }) => ({
    settings: { ...whole.settings, ...indexSettings(settings) },
    mappings: mergedMapping(whole.mappings, mappingOf(mappings), "replace"),
    aliases: { ...whole.aliases, ...aliases },
  }), { settings: {}, mappings: {}, aliases: {} });
}

/** A part as clusters keep it: its mapping is as it was sent. */
export function storedPart({ settings, mappings, aliases }: TemplatePart): TemplatePart {
  const bodies = Object.entries(aliases ?? {})
    .map(([alias, body]) => [alias, aliasBody(alias, body)] as const);
  return {
    ...(settings !== undefined && { settings: nestedSettings(indexSettings(settings)) }),
    ...(mappings !== undefined && { mappings }),
    ...(aliases !== undefined && { aliases: Object.fromEntries(bodies) }),
  };
}

/** The error of an index template whose parts contradict each other. */
export function uncomposable(name: string, what: string, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const cause = {
      type: "illegal_argument_exception",
      reason: `invalid composite mappings for [${name}]`,
      caused_by: error.error,
    };
    throw illegal(what, { caused_by: cause });
  }
}
