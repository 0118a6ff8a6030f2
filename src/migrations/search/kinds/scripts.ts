import { hasMember } from "../json/json.ts";
import { field, isEmpty, isObject, objectOf, valueOf } from "../json/json_values.ts";
import type { Kind } from "./types.ts";

/** Stored scripts and search templates; a request may name the context that it is compiled for. */
export const SCRIPTS: Kind = {
  pattern: /^\/_scripts\/([^/]+)(?:\/(?!_)[^/]+)?$/,
  methods: ["PUT", "POST"],
  effect: "whole",
  noun: "script",
  shown: "exactly",
  path: (name) => `/_scripts/${name}`,
  wanted: (body) => scriptState(field(body, "script")),
  read: (json) => field(json, "found") === true ? [scriptState(field(json, "script"))] : [],
  file: {
    ending: "-script",
    isBody: (json) => hasMember(json, "object", "script"),
    expected: "an object 'script'",
  },
  folder: "30-scripts",
  // There is no list of them.
  list: {
    path: "/_cluster/state/metadata?filter_path=metadata.stored_scripts",
    within: ["metadata", "stored_scripts"],
    wrap: "script",
  },
};

/** What clusters keep of a script: the rest is taken and lost (recorded, 2.19 and 3.4). */
function scriptState(script: unknown): unknown {
  const { lang, source, options } = objectOf(script);
  const { content_type: _, ...own } = objectOf(options);
  return {
    lang,
    // A search template may be sent as an object; it is kept as its text.
    source: lang === "mustache" && !isObject(source) ? valueOf(String(source)) ?? source : source,
    ...(!isEmpty(own) && { options: own }),
  };
}
