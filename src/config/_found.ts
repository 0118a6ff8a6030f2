import { isSecret, withoutUserinfo } from "../text/mod.ts";

/** A value for a message: `, found 'abc'`, or nothing where it is a secret. */
export function found(key: string, value: unknown): string {
  if (isSecret(key)) return "";
  if (value === null || value === undefined) return ", found nothing";
  if (Array.isArray(value)) return ", found a list";
  return typeof value === "object"
    ? ", found a map"
    : `, found '${withoutUserinfo(String(value))}'`;
}
