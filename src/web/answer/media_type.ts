import { compareText, essence } from "../../text/mod.ts";

/** Whether a `Content-Type` is one of `types`, which may hold wildcards (`image/*`, `application/*+json`). */
export function consumesFits(types: readonly string[], contentType: string | null): boolean {
  if (types.length === 0) return true;
  if (contentType === null) return false;
  const type = essence(contentType);
  return types.some((pattern) => includes(essence(pattern), type));
}

/** The type that `Accept` prefers, among equals the first; `undefined` if none is acceptable (RFC 9110, 12.5.1). */
export function negotiate(
  types: readonly string[],
  accept: string | null,
): { readonly type: string; readonly quality: number } | undefined {
  const ranges = accept?.trim() ? rangesOf(accept) : [];
  let best: { readonly type: string; readonly quality: number } | undefined;
  for (const type of types) {
    const quality = ranges.length > 0 ? qualityOf(type, ranges) : 1;
    if (quality > (best?.quality ?? 0)) best = { type, quality };
  }
  return best;
}

export function compareMediaTypes(a: string, b: string): number {
  const [x, y] = [essence(a), essence(b)];
  return specificity(y) - specificity(x) || compareText(x, y);
}

export function mediaTypeError(type: string, concrete: boolean): string | undefined {
  if (!/^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+\s*(?:;.*)?$/.test(type)) return "is not a media type";
  return concrete && essence(type).includes("*") ? "must not contain a wildcard" : undefined;
}

function includes(pattern: string, type: string): boolean {
  if (pattern === type || pattern === "*/*" || pattern === "*") return true;
  const [main = "", sub = ""] = pattern.split("/");
  const [typeMain, typeSub = ""] = type.split("/");
  if (main !== typeMain) return false;
  return sub === "*" || (sub.startsWith("*+") && typeSub.endsWith(sub.slice(1)));
}

interface Range {
  readonly type: string;
  readonly parameters: readonly string[];
  readonly q: number;
}

/** The ranges of `Accept` (RFC 9110, 12.5.1). Quoted text holds no separators. */
function rangesOf(accept: string): readonly Range[] {
  return accept.replace(/"([\w.+-]*)"/g, "$1").replace(/"[^"]*"/g, "").split(",").map((range) => {
    const quality = Number(/;\s*q\s*=\s*([\d.]+)/i.exec(range)?.[1] ?? 1);
    return { ...rangeOf(range), q: quality <= 1 ? quality : 1 };
  }).filter(({ type }) => type);
}

/** All texts of the library are UTF-8. */
function rangeOf(mediaType: string): Pick<Range, "type" | "parameters"> {
  const [type = "", ...parameters] = mediaType.toLowerCase().replace(/[\s"]/g, "").split(";");
  return { type, parameters: parameters.filter((one) => !/^(q=.*|charset=utf-8)?$/.test(one)) };
}

/** A range with a parameter that the type does not have decides only where no other one matches, and then least. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const own = rangeOf(type);
  let highest = -9;
  let quality = 0;
  for (const { type, parameters, q } of ranges) {
    if (!includes(type, own.type)) continue;
    const fits = parameters.every((one) => own.parameters.includes(one));
    const rank = specificity(type) + parameters.length / 100 - (fits ? 0 : 5);
    if (rank <= highest) continue;
    highest = rank;
    quality = fits ? q : q / 1e6;
  }
  return quality;
}

function specificity(type: string): number {
  if (type === "*/*" || type === "*") return 0;
  return type.endsWith("/*") ? 1 : type.includes("*") ? 2 : 3;
}
