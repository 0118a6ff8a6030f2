import { isListed, parseEntityTags } from "./entity_tag.ts";

/** The identity of the current state of a representation. */
export interface Validators {
  readonly etag?: string;
  /** In milliseconds, whole seconds, and only if it identifies one state (RFC 9110, 8.8.2.2). */
  readonly modified?: number;
}

/**
 * The status that the preconditions of a GET or HEAD lead to, in the order of RFC 9110, 13.2.2; `undefined` if it is to be
 * performed. Malformed dates are ignored, malformed tags match nothing.
 */
export function preconditionStatus(headers: Headers, now: Validators): 304 | 412 | undefined {
  const ifMatch = headers.get("If-Match");
  const isUnwanted = ifMatch === null
    ? isSince(headers.get("If-Unmodified-Since"), now) === false
    : !isNamed(ifMatch, now, "strong");
  if (isUnwanted) return 412;
  const ifNoneMatch = headers.get("If-None-Match");
  const isKnown = ifNoneMatch === null
    ? isSince(headers.get("If-Modified-Since"), now)
    : isNamed(ifNoneMatch, now, "weak");
  return isKnown ? 304 : undefined;
}

/** Whether ranges of a request are of the current representation (RFC 9110, 13.1.5). */
export function isRangeCurrent(headers: Headers, { etag, modified }: Validators): boolean {
  const ifRange = headers.get("If-Range");
  if (ifRange === null) return true;
  const tags = parseEntityTags(ifRange);
  if (tags === undefined) return modified !== undefined && parseHttpDate(ifRange) === modified;
  return tags.length === 1 && tags[0] !== "*" && isNamed(ifRange, { etag }, "strong");
}

function isNamed(field: string, { etag }: Validators, comparison: "strong" | "weak"): boolean {
  // '*' is any file, one without a tag, too.
  return isListed(etag ?? "", parseEntityTags(field) ?? [], comparison);
}

/** Whether the representation did not change after a date; `undefined` where that cannot be said. */
function isSince(field: string | null, { modified }: Validators): boolean | undefined {
  const date = field === null ? undefined : parseHttpDate(field);
  return date === undefined || modified === undefined ? undefined : modified <= date;
}

/** The formats of RFC 9110, 5.6.7: all three must be accepted, the first is the one that is sent. */
const FORMATS = [
  /^(?<weekday>[A-Z][a-z]{2}), (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>[\d:]{8}) GMT$/,
  /^(?<weekday>[A-Z][a-z]{2})[a-z]{3,6}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>[\d:]{8}) GMT$/,
  /^(?<weekday>[A-Z][a-z]{2}) (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>[\d:]{8}) (?<year>\d{4})$/,
];

/** The time of an HTTP date in milliseconds since 1970; `undefined` for any other text. */
export function parseHttpDate(text: string): number | undefined {
  const found = FORMATS.map((format) => format.exec(text)?.groups).find((groups) => groups);
  if (found === undefined) return undefined;
  const { weekday, day = "", month, year = "", time } = found;
  const date = `${weekday}, ${day.replace(" ", "0")} ${month} ${fullYear(year)} ${time} GMT`;
  const milliseconds = Date.parse(date);
  // Neither a wrong weekday nor the 31st of April is a date.
  return new Date(milliseconds).toUTCString() === date ? milliseconds : undefined;
}

/** Two digits that would be more than 50 years ahead are of the past. */
function fullYear(year: string): string {
  if (year.length > 2) return year;
  const now = new Date().getUTCFullYear();
  const ofCentury = now - now % 100 + Number(year);
  return String(ofCentury > now + 50 ? ofCentury - 100 : ofCentury);
}
