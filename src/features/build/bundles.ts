/** The targets of `irori build`, and the parts of the library that it may leave out. */
import type { BuildOptions } from "esbuild";

/** An application uses a part if one of its modules has such a text: too much rather than too little is found. */
export const TRACES = {
  configuration: /[Cc]onfig|CONFIG|\bValue\b|\benv\b/,
  proxies: /trusted-?proxies/i,
  schemas: /~standard/,
  versions: /version|deprecat/i,
  xml: /xml/i,
} as const;

export type BundlePart = keyof typeof TRACES;

export const BUNDLE_PARTS = Object.keys(TRACES) as readonly BundlePart[];

/** Used by values that packages export, such as a media type. Traces of the others are in nearly every package. */
export const PARTS_OF_PACKAGES: readonly BundlePart[] = ["schemas", "xml"];

export function conditionWithout(part: BundlePart): string {
  return `irori-without-${part}`;
}

const REQUIRE = {
  js:
    'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
};

export const TARGETS: Readonly<Record<"edge" | "node" | "bun" | "deno", BuildOptions>> = {
  edge: {
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
  },
  node: { platform: "node", banner: REQUIRE },
  bun: { platform: "node", conditions: ["bun"], external: ["bun", "bun:*"] },
  deno: { platform: "node", conditions: ["deno"], banner: REQUIRE, external: ["jsr:*", "npm:*"] },
};
