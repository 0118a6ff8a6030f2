import type { StandardSchemaV1 } from "@standard-schema/spec";
import { isSecretValue } from "./_found.ts";
import { join } from "./_path.ts";
import type { ConfigValue } from "./types.ts";

export interface Misfit {
  readonly key: string;
  /** What the schema says, or of a secret, which that may repeat, what it expects. */
  readonly message: string;
  readonly isHidden: boolean;
}

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
  const isShown = message !== undefined && !holdsSecret(key, valueOf(key));
  return {
    key,
    message: isShown ? message : `Does not match the schema${expectedBy(issue)}`,
    isHidden: !isShown,
  };
}

/** What Zod, Valibot and ArkType say of the schema itself beside their message. */
function expectedBy(issue: StandardSchemaV1.Issue | undefined): string {
  const { expected, format, minimum, maximum } = (issue ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const rule = expected ?? format ??
    (minimum === undefined
      ? maximum === undefined ? undefined : `at most ${maximum}`
      : `at least ${minimum}`);
  return rule === undefined ? "" : `: expected ${rule}`;
}

function holdsSecret(key: string, value: ConfigValue | undefined): boolean {
  if (isSecretValue(key, value)) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, inner]) => holdsSecret(join(key, name), inner));
}
