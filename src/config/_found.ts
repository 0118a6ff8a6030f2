import { isSecret, withoutUserinfo } from "../text/mod.ts";
import { placeholderNames } from "./_placeholders.ts";
import type { ConfigValue } from "./types.ts";

/** Whether a value is not to be shown: by its key, or because a placeholder in it is of a secret. */
export function isSecretValue(key: string, written: ConfigValue | undefined): boolean {
  return isSecret(key) || typeof written === "string" && placeholderNames(written).some(isSecret);
}

/** A value for a message: `, found 'abc'`, or nothing where it is a secret; `written` is it with placeholders. */
export function found(key: string, value: unknown, written?: ConfigValue): string {
  if (isSecretValue(key, written)) return "";
  if (value === null || value === undefined) return ", found nothing";
  if (Array.isArray(value)) return ", found a list";
  return typeof value === "object"
    ? ", found a map"
    : `, found '${withoutUserinfo(String(value))}'`;
}
