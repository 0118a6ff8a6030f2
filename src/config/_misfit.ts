import type { StandardSchemaV1 } from "@standard-schema/spec";
import { isSecretValue } from "./_found.ts";
import { join } from "./_path.ts";
import type { ConfigValue } from "./types.ts";

/** Where a part of the configuration does not fit a schema, and how. */
export interface Misfit {
  readonly key: string;
  /** What the schema says; left out where that may repeat a secret. */
  readonly message?: string;
}

/**
 * The first issue of a schema.
 *
 * @param prefix the key of what it was given
 * @param valueOf gives what a key has, with its placeholders
 */
export function misfitOf(
  prefix: string,
  [issue]: readonly StandardSchemaV1.Issue[],
  valueOf: (key: string) => ConfigValue | undefined,
): Misfit {
  const { path = [], message } = issue ?? {};
  const key = path.reduce<string>((below, segment) => {
    const part = typeof segment === "object" ? segment.key : segment;
    return join(below, typeof part === "number" ? part : String(part));
  }, prefix);
  // Some libraries repeat the value, and of a map what is in it.
  return { key, ...(message !== undefined && !holdsSecret(key, valueOf(key)) && { message }) };
}

function holdsSecret(key: string, value: ConfigValue | undefined): boolean {
  if (isSecretValue(key, value)) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, inner]) => holdsSecret(join(key, name), inner));
}
