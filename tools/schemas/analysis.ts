/** Analysis of indices. Servers ignore parameters that they do not know, so only misspelt ones are found. */
import type { Clients } from "./client_types.ts";
import { knownWords, map, type Members, object, ref, type Schema } from "./forms.ts";
import { merged, relaxedMembers } from "./relaxed.ts";

const PARTS = ["analyzer", "normalizer", "tokenizer", "filter", "char_filter"] as const;

/** Types that the types of the clients lack, or have under another name. */
const LACKING_TYPES: Readonly<Record<typeof PARTS[number], readonly string[]>> = {
  analyzer: ["icu_analyzer", "kuromoji", "nori", "smartcn", "ukrainian"],
  normalizer: ["custom", "lowercase"],
  tokenizer: [...["classic", "edge_ngram", "kuromoji_tokenizer", "nori_tokenizer", "thai"]],
  filter: [
    ...[
      "arabic_normalization",
      "asciifolding",
      "cjk_bigram",
      "cjk_width",
      "classic",
      "concatenate_graph",
    ],
    ...["decimal_digit", "delimited_term_freq", "dutch_stem", "french_stem", "german_stem"],
    ...["min_hash", "russian_stem", "scandinavian_folding", "scandinavian_normalization"],
  ],
  char_filter: ["html_strip", "icu_normalizer", "mapping", "pattern_replace"],
};

const NEEDED: Readonly<Record<typeof PARTS[number], Schema>> = {
  analyzer: {
    if: { type: "object" },
    then: {
      if: { required: ["type"], properties: { type: { not: { enum: ["custom"] } } } },
      else: { required: ["tokenizer"] },
    },
  },
  normalizer: {},
  tokenizer: { required: ["type"] },
  filter: { required: ["type"] },
  char_filter: { required: ["type"] },
};

export function analysis({ opensearch, elasticsearch }: Clients): Members {
  const definitions: Record<string, Schema> = {};
  for (const part of PARTS) {
    const types = new Map<string, Members>();
    for (const client of [opensearch, elasticsearch]) {
      const { [part]: named } = client.members(client.root("analysis"));
      const { additionalProperties } = client.resolved(named!);
      if (typeof additionalProperties !== "object") continue;
      for (const [type, members] of client.variants(additionalProperties)) {
        types.set(type, merged(types.get(type) ?? {}, relaxedMembers(client, members)));
      }
    }
    const known = [...new Set([...types.keys(), ...LACKING_TYPES[part]])].sort();
    definitions[`analysis.${part}`] = {
      ...object({ type: knownWords(known) }, { alsoText: true }),
      ...NEEDED[part],
      allOf: [...types].toSorted(([a], [b]) => a < b ? -1 : 1)
        .filter(([, members]) => Object.keys(members).length > 0)
        .map(([type, members]) => ({
          if: { required: ["type"], properties: { type: { enum: [type] } } },
          then: object({ type: ref("text"), ...members }, { alsoText: true }),
        })),
    };
  }
  return {
    ...definitions,
    analysis: object(
      Object.fromEntries(PARTS.map((part) => [part, map(ref(`analysis.${part}`))])),
    ),
  };
}
