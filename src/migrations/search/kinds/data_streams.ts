import { field, listOf } from "../json/json_values.ts";
import { indexNameProblem } from "./names.ts";
import { isManaged } from "./named.ts";
import type { Kind } from "./types.ts";

/** Data streams: what there is to say of one says the template that it matches. */
export const DATA_STREAMS: Kind = {
  pattern: /^\/_data_stream\/([^/,*]+)$/,
  methods: ["PUT"],
  effect: "whole",
  write: "once",
  noun: "data stream",
  path: (name) => `/_data_stream/${name}`,
  wanted: () => ({}),
  read: (json) => listOf(field(json, "data_streams")).map(() => ({})),
  file: {
    ending: "-data-stream",
    isBody: ({ members }) => members.length === 0,
    expected: "an empty object: what a data stream is made with says the template that it matches",
    isEmpty: true,
    nameProblem: (name) => {
      if (name !== name.toLowerCase()) return `The name '${name}' must be lower case`;
      return indexNameProblem(name);
    },
  },
  folder: "70-data-streams",
  list: {
    path: "/_data_stream",
    within: ["data_streams"],
    nameOf: (entry) => entry.name,
    isBuiltIn: (body) => body.hidden === true || body.system === true || isManaged(body),
  },
};
