import { visit } from "jsonc-parser";
import { decodeLeniently, replaceParts } from "../../../text/mod.ts";
import type { Difference } from "../../runner/mod.ts";
import { hasLines } from "../cluster/request.ts";
import { bracketBeyond, type Slice } from "../json/_slices.ts";
import { isObject, mapValues } from "../json/json_values.ts";
import { isSecretMember } from "../json/secret_members.ts";
import type { SearchRequest } from "../types.ts";

type Mask = (text: string) => string;

export function masked<T extends { readonly differences?: readonly Difference[] }>(
  told: T,
  mask: Mask,
): T {
  const { differences } = told;
  const shown = inside(told, mask) as T;
  return differences
    ? { ...shown, differences: differences.map((one) => difference(one, mask)) }
    : shown;
}

function difference({ path, wanted, live }: Difference, mask: Mask): Difference {
  if (isSecretMember(path.slice(path.lastIndexOf(".") + 1))) {
    const hidden = (value: unknown) => value === undefined ? undefined : "***";
    return { path: mask(path), wanted: hidden(wanted), live: hidden(live) };
  }
  const shown = inside(wanted, mask);
  // The live value beside a secret may be the previous secret.
  const isHidden = live !== undefined && JSON.stringify(shown) !== JSON.stringify(wanted);
  return { path: mask(path), wanted: shown, live: isHidden ? "***" : inside(live, mask) };
}

function inside(value: unknown, mask: Mask): unknown {
  if (typeof value === "string") return mask(value);
  if (typeof value === "number") {
    return mask(String(value)) === String(value) ? value : mask(String(value));
  }
  if (Array.isArray(value)) return value.map((item) => inside(item, mask));
  if (!isObject(value)) return value;
  const shown = mapValues(value, (item, key) => {
    const isSecret = isSecretMember(key) && ["string", "number"].includes(typeof item);
    return isSecret && mask(String(item)) === String(item) ? "***" : inside(item, mask);
  });
  return Object.fromEntries(Object.entries(shown).map(([key, item]) => [mask(key), item]));
}

/** A request as it may be shown, without the values of members and parameters with names of secrets. */
export function shown(request: SearchRequest, redact: (text: string) => string): string {
  const { method, body } = request;
  const path = withoutSecretParameters(request.path);
  if (body === undefined) return `${method} ${path}`;
  const parts = hasLines(request) ? body.split("\n") : [body];
  const hasHashes = /_security/.test(path);
  const isHidden = (name: string) => isSecretMember(name) || (hasHashes && /hash$/.test(name));
  return `${method} ${path}\n` +
    parts.map((part) => withoutSecrets(redact(part), isHidden)).join("\n");
}

const MAX_DEPTH = 1000;

function withoutSecrets(text: string, isHidden: (name: string) => boolean): string {
  if (bracketBeyond(text, MAX_DEPTH) !== undefined) return "…";
  const found: Slice[] = [];
  const values = new Map<string, Slice>();
  const patched: string[] = [];
  visit(text, {
    onLiteralValue(value, start, length, _line, _column, path) {
      const steps = path();
      const at = { start, end: start + length };
      const name = String(steps.findLast((step) => typeof step === "string") ?? "");
      const isTold = typeof value === "string" && /^\$\{[^{}]+\}$/.test(value);
      if (isTold || value === null || typeof value === "boolean") return;
      if (isHidden(name)) found.push(at);
      // A step of a JSON Patch names a member by its path.
      const step = JSON.stringify(steps.slice(0, -1));
      if (name === "path" && isHidden(String(value).replace(/^.*\//s, ""))) patched.push(step);
      if (name === "value") values.set(step, at);
    },
  });
  found.push(...patched.flatMap((step) => values.get(step) ?? []));
  found.sort((a, b) => a.start - b.start);
  return replaceParts(text, found.map((at) => ({ ...at, text: '"***"' }))).text;
}

function withoutSecretParameters(path: string): string {
  return path.replace(/([?&])([^=&]+)=[^&]*/g, (found, before: string, name: string) => {
    return isSecretMember(decodeLeniently(name)) ? `${before}${name}=***` : found;
  });
}
