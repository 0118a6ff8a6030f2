/** The media type of problem details (RFC 9457, 3). */
export const PROBLEM_JSON = "application/problem+json";

export function essence(type: string): string {
  const semicolon = type.indexOf(";");
  return (semicolon < 0 ? type : type.slice(0, semicolon)).trim().toLowerCase();
}

/** Whether a media type, perhaps with parameters, is one of JSON (RFC 8259, 11, and RFC 6839, 3.1). */
export function isJson(type: string): boolean {
  return /^application\/(?:[^\s/]+\+)?json$/.test(essence(type));
}

export function isEventStream(type: string | null): boolean {
  return type !== null && /^\s*text\/event-stream\s*(?:;|$)/i.test(type);
}

/** Whether a media type, perhaps with parameters, is one of XML (RFC 7303, 9.1 and 9.2). */
export function isXml(type: string): boolean {
  return /^[^/;]+\/(?:[^;]*\+)?xml\s*(?:;|$)/i.test(type);
}

/** A text type without a charset gets UTF-8 (RFC 9110, 8.3.2), unless it is of XML or events, which have other rules. */
export function withCharset(type: string): string {
  const lacksCharset = /^\s*text\/(?!.*;\s*charset\s*=)/i.test(type);
  return lacksCharset && !isXml(type) && !isEventStream(type) ? `${type};charset=UTF-8` : type;
}

/** Whether the typed client reads an answer of this media type as a whole, as JSON or as a text. */
export function isReadWhole(type: string): boolean {
  if (isEventStream(type)) return false;
  const name = essence(type);
  return name.startsWith("text/") || isJson(name) ||
    (name.startsWith("application/") && isXml(name));
}

/** The elements of a header field that is a list (RFC 9110, 5.6.1), with or without blanks; empty ones do not count. */
export function elementsOf(field: string | null | undefined): string[] {
  return field?.split(",").map((element) => element.trim()).filter(Boolean) ?? [];
}

/** The syntax of names of header fields, among others (RFC 9110, 5.6.2). */
export const TOKEN: RegExp = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

export const IDEMPOTENCY_KEY: RegExp = /^idempotency-key$/i;
