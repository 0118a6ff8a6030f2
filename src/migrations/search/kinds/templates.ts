import { field, isEmpty, listOf, mapValues, objectOf, omit } from "../json/json_values.ts";
import { isManaged, kindAt, templateNameProblem, withoutDates } from "./named.ts";
import { integerOf } from "./quantities.ts";
import { definitionForm } from "./indices.ts";
import type { IndexClaim, Kind } from "./types.ts";

export const INDEX_TEMPLATES: Kind = templates("index_template", "55-templates");
export const COMPONENT_TEMPLATES: Kind = {
  ...templates("component_template", "50-components"),
  file: {
    ending: "-component",
    members: { object: ["template"] },
    nameProblem: templateNameProblem,
  },
};

function templates(kind: "index_template" | "component_template", folder: string): Kind {
  return {
    ...kindAt(`_${kind}`, kind, folder),
    methods: ["PUT", "POST"],
    shown: "completely",
    wanted: templateForm,
    read: (json) =>
      listOf(field(json, `${kind}s`)).map((found) => templateForm(field(found, kind))),
    claims: (template) => [claimOf(template)],
    list: {
      path: `/_${kind}`,
      within: [`${kind}s`],
      entryName: (entry) => entry.name,
      body: kind,
      isBuiltIn: isManaged,
    },
  };
}

/** Reads an index template or one of a policy: the patterns may be one text, and the priority may be a text. */
export function claimOf(template: unknown): IndexClaim {
  return {
    patterns: [field(template, "index_patterns")].flat().filter((one) => typeof one === "string"),
    priority: Number(integerOf(field(template, "priority"))) || 0,
  };
}

const INTEGERS = ["priority", "version"];

/** A template with flat settings and a list of patterns, without empty parts. Clusters do not change its mappings. */
function templateForm(body: unknown): unknown {
  const { index_patterns: patterns, template, composed_of: parts, data_stream: stream, ...rest } =
    withoutDates(body);
  return omit({
    ...mapValues(rest, (value, key) => INTEGERS.includes(key) ? integerOf(value) : value),
    ...(stream !== undefined && { data_stream: dataStreamForm(stream) }),
    ...(patterns !== undefined && { index_patterns: [patterns].flat() }),
    ...(listOf(parts).length > 0 && { composed_of: parts }),
    ...(template !== undefined && { template: definitionForm(template, (mappings) => mappings) }),
  }, (value, key) => key === "template" && isEmpty(value));
}

function dataStreamForm(stream: unknown): unknown {
  return omit(objectOf(stream), (value, key) => {
    return String(value) === "false" ||
      (key === "timestamp_field" && field(value, "name") === "@timestamp");
  });
}
