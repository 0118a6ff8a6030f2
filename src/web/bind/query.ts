export type QueryParams = ReadonlyMap<string, string | readonly string[]>;

const EMPTY: QueryParams = new Map();

export function parseQuery(url: string): QueryParams {
  const start = url.indexOf("?") + 1;
  if (start === 0) return EMPTY;
  const hash = url.indexOf("#", start);
  const end = hash < 0 ? url.length : hash;
  const query = new Map<string, string | string[]>();
  eachPair(url, start, end, (name, value) => {
    const before = query.get(name);
    if (before === undefined) query.set(name, value);
    else if (typeof before === "string") query.set(name, [before, value]);
    else before.push(value);
  });
  return query;
}

/** Parses `application/x-www-form-urlencoded` in one pass; only names are decoded, where that is possible. */
export function eachPair(
  text: string,
  start: number,
  end: number,
  take: (name: string, value: string) => void,
): void {
  let equals = text.indexOf("=", start);
  for (let at = start; at < end;) {
    let next = text.indexOf("&", at);
    if (next < 0 || next > end) next = end;
    if (next > at) {
      // Found once: searching again for a distant or absent `=` would take quadratic time.
      if (equals >= 0 && equals < at) equals = text.indexOf("=", at);
      const middle = equals < 0 || equals > next ? next : equals;
      take(decodeName(text.slice(at, middle)), text.slice(middle + 1, next));
    }
    at = next + 1;
  }
}

/** @throws {URIError} when the percent-encoding is malformed */
export function decodeQueryValue(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  return spaced.includes("%") ? decodeURIComponent(spaced) : spaced;
}

/** A malformed name matches no parameter: it must not fail requests that do not need it. */
function decodeName(text: string): string {
  try {
    return decodeQueryValue(text);
  } catch {
    return text;
  }
}
