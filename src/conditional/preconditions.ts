import { isListed, parseEntityTags } from "./entity_tag.ts";
import { parseHttpDate } from "./http_date.ts";

/** What identifies the current state of a representation. */
export interface Validators {
  readonly etag?: string;
  /** In milliseconds, whole seconds, and only if it identifies one state (RFC 9110, 8.8.2.2). */
  readonly modified?: number;
}

/**
 * The status that the preconditions of a GET or HEAD lead to, in the order of RFC 9110, 13.2.2; `undefined` if it is to be
 * performed. Malformed dates are ignored, malformed tags match nothing.
 */
export function preconditionStatus(headers: Headers, of: Validators): 304 | 412 | undefined {
  const ifMatch = headers.get("If-Match");
  const isUnwanted = ifMatch === null
    ? isSince(headers.get("If-Unmodified-Since"), of) === false
    : !isNamed(ifMatch, of, "strong");
  if (isUnwanted) return 412;
  const ifNoneMatch = headers.get("If-None-Match");
  const isKnown = ifNoneMatch === null
    ? isSince(headers.get("If-Modified-Since"), of)
    : isNamed(ifNoneMatch, of, "weak");
  return isKnown ? 304 : undefined;
}

/** Whether ranges of a request are of the current representation (RFC 9110, 13.1.5). */
export function isRangeCurrent(headers: Headers, { etag, modified }: Validators): boolean {
  const ifRange = headers.get("If-Range");
  if (ifRange === null) return true;
  const tags = parseEntityTags(ifRange);
  if (tags === undefined) return modified !== undefined && parseHttpDate(ifRange) === modified;
  return etag !== undefined && tags.length === 1 && tags !== "*" && isListed(etag, tags, "strong");
}

function isNamed(field: string, { etag }: Validators, comparison: "strong" | "weak"): boolean {
  const tags = parseEntityTags(field) ?? [];
  return tags === "*" || etag !== undefined && isListed(etag, tags, comparison);
}

/** Whether the representation did not change after a date; `undefined` where that cannot be said. */
function isSince(field: string | null, { modified }: Validators): boolean | undefined {
  const date = field === null ? undefined : parseHttpDate(field);
  return date === undefined || modified === undefined ? undefined : modified <= date;
}
