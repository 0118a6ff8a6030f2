import { deprecation } from "../answer/deprecation.ts";
import type { VersionOptions } from "./mapping_types.ts";
import type { Versioned } from "./metadata.ts";

/** The versions and the deprecation that a mapping declares; `refuse` throws for what is neither. */
export function versioned(
  { version, deprecated }: VersionOptions,
  refuse: (message: string) => never,
): Versioned {
  const versions = version === undefined ? undefined : [...new Set([version].flat())];
  const wrong = versions?.find((version) => !isVersion(version));
  if (wrong !== undefined) refuse(notVersion(wrong));
  if (versions?.length === 0) refuse("expected a version, found none");
  // A class may declare one of them, and a method the other.
  return {
    versions,
    deprecation: deprecated &&
      deprecation(deprecated, (option, message) => refuse(`'deprecated.${option}': ${message}`)),
  };
}

/** Whether a text can name a version: its characters need no encoding in a path. */
export function isVersion(text: string): boolean {
  return typeof text === "string" && /^[A-Za-z0-9](?:[\w.~-]*[A-Za-z0-9])?$/.test(text);
}

export function notVersion(wrong: unknown): string {
  const found = typeof wrong === "string" ? `'${wrong}'` : `${wrong}, which is not a string`;
  return `expected a version such as '2' or '2026-01-31', found ${found}`;
}
