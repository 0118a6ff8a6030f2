import {
  ACKNOWLEDGED,
  illegal,
  isObject,
  type Json,
  notCovered,
  ok,
  Refused,
  type Reply,
} from "./answers.ts";
import { keyAt, readObject, valueAt } from "./json_text.ts";

const CONTEXTS =
  `aggregation_selector aggs bucket_aggregation field filter ingest number_sort painless_test score similarity
  string_sort template terms_set update`.split(/\s+/);

/** Stored scripts, as `recordings/opensearch-kinds.txt` has them. None is compiled. */
export class Scripts {
  readonly #stored = new Map<string, Json>();

  get all(): Json {
    return Object.fromEntries(this.#stored);
  }

  get(id: string): Reply {
    const script = this.#stored.get(id);
    if (!script) return ok({ _id: id, found: false }, 404);
    return ok({ _id: id, found: true, script });
  }

  put(id: string, context: string | undefined, text: string): Reply {
    const body = readObject(text);
    const [first] = Object.keys(body);
    if (first !== undefined && first !== "script") {
      const reason = `unexpected field [${first}], expected [script]`;
      throw new Refused(400, { type: "parsing_exception", reason, ...keyAt(text, first) });
    }
    const { script } = body;
    if (!isObject(script)) {
      const reason = "unexpected token [VALUE_NUMBER], expected [{, <source>]";
      throw new Refused(400, { type: "parsing_exception", reason, ...valueAt(text, "script") });
    }
    const { lang, source } = script;
    if (lang === undefined) throw illegal("must specify lang for stored script");
    if (source === undefined) throw illegal("must specify source for stored script");
    if (typeof source !== "string") return notCovered("scripts whose source is an object");
    if (context !== undefined && !CONTEXTS.includes(context)) {
      const cause = { type: "illegal_argument_exception", reason: `Unknown context [${context}]` };
      throw illegal(`failed to parse/compile stored script [${id}]`, { caused_by: cause });
    }
    this.#stored.set(id, { lang, source });
    return ACKNOWLEDGED;
  }

  delete(id: string): Reply {
    if (this.#stored.delete(id)) return ACKNOWLEDGED;
    const reason = `stored script [${id}] does not exist and cannot be deleted`;
    throw new Refused(404, { type: "resource_not_found_exception", reason });
  }
}
