/**
 * A point in time as a journal holds it: a `Date`, milliseconds since 1970, or a text, which without a zone is UTC: so
 * databases and clusters read it, and so ours is written where a column has no zone.
 *
 * @returns 1970 for what is no time
 */
export function readTime(value: unknown): Date {
  const date = value instanceof Date
    ? value
    : typeof value === "number"
    ? new Date(value)
    : new Date(withZone(String(value).trim().replace(" ", "T")));
  return Number.isNaN(date.getTime()) ? new Date(0) : date;
}

/** A date alone is UTC already (ECMA-262, 21.4.1.32); PostgreSQL writes zones as `+00`. */
function withZone(text: string): string {
  if (!/T/.test(text) || /(?:Z|[+-]\d\d:?\d\d)$/i.test(text)) return text;
  return /[+-]\d\d$/.test(text) ? `${text}:00` : `${text}Z`;
}
