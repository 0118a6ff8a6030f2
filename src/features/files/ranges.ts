import { elementsOf } from "../../text/mod.ts";

/** Bytes from `start` up to and including `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** No reader of a file needs more, and each costs a part with its own head (RFC 9110, 17.15). */
const MAX_RANGES = 16;

/**
 * The bytes that a `Range` field asks for of a file with `size` bytes (RFC 9110, 14.1.2 and 14.2). Overlapping and adjacent
 * ranges are one.
 *
 * @returns an empty list if no range can be satisfied; `undefined` if the field is ignored: it is malformed, of another
 * unit, or has more than 16 ranges, or the file is empty
 */
export function spansOf(field: string | null, size: number): readonly Span[] | undefined {
  const [, set] = /^bytes=(.*)$/is.exec(field ?? "") ?? [];
  const ranges = elementsOf(set);
  if (size === 0 || ranges.length === 0 || ranges.length > MAX_RANGES) return undefined;
  const spans: Span[] = [];
  for (const range of ranges) {
    const span = spanOf(range, size);
    if (span === undefined) return undefined;
    if (span.start <= span.end) add(spans, span);
  }
  return spans;
}

/** Ends before its start if it cannot be satisfied. */
function spanOf(range: string, size: number): Span | undefined {
  const [found, first = "", last = ""] = /^(\d*)-(\d*)$/.exec(range) ?? [];
  if (found === undefined || first + last === "") return undefined;
  if (first === "") return { start: Math.max(0, size - Number(last)), end: size - 1 };
  if (last !== "" && Number(last) < Number(first)) return undefined;
  return { start: Number(first), end: Math.min(Number(last || Infinity), size - 1) };
}

function add(spans: Span[], span: Span): void {
  const at = spans.findIndex(({ start, end }) => start <= span.end + 1 && span.start <= end + 1);
  if (at < 0) return void spans.push(span);
  const [other] = spans.splice(at, 1) as [Span];
  add(spans, {
    start: Math.min(other.start, span.start),
    end: Math.max(other.end, span.end),
  });
}
