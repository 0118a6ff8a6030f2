import { type ErrorBody, isObject, type Json } from "./answers.ts";
import { valueAt } from "./json_text.ts";

const NAMES =
  `bool boosting constant_score dis_max distance_feature exists function_score fuzzy geo_bounding_box geo_distance
  geo_polygon geo_shape has_child has_parent hybrid ids intervals knn match match_all match_bool_prefix match_none
  match_phrase match_phrase_prefix more_like_this multi_match nested parent_id percolate prefix query_string
  rank_feature range regexp script script_score simple_query_string span_first span_multi span_near span_not span_or
  span_term span_within template term terms terms_set wildcard wrapper`.split(/\s+/);

/** Why the query at `path` of a body is none. */
export function queryProblem(text: string, ...path: string[]): ErrorBody | undefined {
  const query = path.reduce<unknown>(
    (value, name) => isObject(value) ? value[name] : undefined,
    JSON.parse(text || "{}"),
  );
  const [name] = Object.keys(isObject(query) ? query : {});
  if (name === undefined || NAMES.includes(name)) return undefined;
  const { line, col } = valueAt(text, ...path, name);
  return {
    type: "parsing_exception",
    reason: `unknown query [${name}]`,
    line,
    col,
    caused_by: {
      type: "named_object_not_found_exception",
      reason: `[${line}:${col}] unknown field [${name}]`,
    },
  };
}

/** A document that is searched. */
export interface Found {
  readonly id: string;
  readonly seqNo: number;
  readonly source: unknown;
}

/** A query that the double does not evaluate. */
class UnknownQuery extends Error {}

/** @throws {UnknownQuery} */
export function fits(query: unknown, document: Found): boolean {
  const [[name, about] = ["match_all", {}]] = Object.entries((query ?? {}) as Json);
  const all = (queries: unknown) => [queries ?? []].flat().map((one) => fits(one, document));
  switch (name) {
    case "match_all":
      return true;
    case "match_none":
      return false;
    case "ids":
      return (about as { values: string[] }).values.includes(document.id);
    case "bool": {
      const { must, filter, should, must_not } = about as Json;
      const wanted = [...all(must), ...all(filter)];
      const any = all(should);
      return wanted.every(Boolean) && !all(must_not).includes(true) &&
        (any.length === 0 || wanted.length > 0 || any.includes(true));
    }
  }
  const [[field, wanted] = ["", undefined]] = Object.entries(about as Json);
  const values = [valueAtPath(document, field)].flat();
  switch (name) {
    case "term":
      return values.includes(isObject(wanted) ? wanted.value : wanted);
    case "terms":
      return values.some((value) => (wanted as unknown[]).includes(value));
    case "exists":
      return [valueAtPath(document, String(wanted))].flat().some((value) => value != null);
    case "match": {
      const words = wordsOf(isObject(wanted) ? wanted.query : wanted);
      return values.some((value) => wordsOf(value).some((word) => words.includes(word)));
    }
    case "match_phrase": {
      const words = wordsOf(isObject(wanted) ? wanted.query : wanted).join(" ");
      return values.some((value) => ` ${wordsOf(value).join(" ")} `.includes(` ${words} `));
    }
    case "range":
      return values.some((value) => inRange(value, wanted as Record<string, number>));
  }
  throw new UnknownQuery(name);
}

export function isEvaluated(query: unknown): boolean {
  try {
    fits(query, { id: "", seqNo: 0, source: {} });
    return true;
  } catch (error) {
    if (error instanceof UnknownQuery) return false;
    throw error;
  }
}

function valueAtPath({ id, seqNo, source }: Found, path: string): unknown {
  if (path === "_id") return id;
  if (path === "_seq_no") return seqNo;
  const whole = (source as Json)[path];
  if (whole !== undefined) return whole;
  return path.replace(/\.keyword$/, "").split(".").reduce<unknown>(
    (value, name) => isObject(value) ? value[name] : undefined,
    source,
  );
}

function wordsOf(value: unknown): string[] {
  return String(value ?? "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function inRange(value: unknown, { gt, gte, lt, lte }: Record<string, number>): boolean {
  const known = value as number;
  return value != null && !(gt !== undefined && known <= gt) &&
    !(gte !== undefined && known < gte) &&
    !(lt !== undefined && known >= lt) && !(lte !== undefined && known > lte);
}
