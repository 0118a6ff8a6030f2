import { field, isEmpty, listOf, objectOf, omit } from "../json_values.ts";
import { definitionState } from "./settings.ts";
import type { Kind } from "./types.ts";

/** Composable index templates. */
export const INDEX_TEMPLATES: Kind = templates("index_template");
/** The component templates that they are composed of. */
export const COMPONENT_TEMPLATES: Kind = templates("component_template");

function templates(kind: "index_template" | "component_template"): Kind {
  return {
    pattern: new RegExp(`^/_${kind}/([^/]+)$`),
    methods: ["PUT", "POST"],
    effect: "whole",
    key: (name) => `${kind} ${name}`,
    path: (name) => `/_${kind}/${name}`,
    wanted: templateState,
    read: (json) =>
      listOf(field(json, `${kind}s`)).map((found) => templateState(field(found, kind))),
  };
}

/**
 * A template in one form: settings flat, patterns as a list, without what is empty. Clusters give mappings of templates
 * back as they were put.
 */
export function templateState(body: unknown): unknown {
  const { index_patterns: patterns, template, composed_of: parts, ...rest } = objectOf(body);
  return omit({
    ...rest,
    ...(patterns !== undefined && { index_patterns: [patterns].flat() }),
    ...(listOf(parts).length > 0 && { composed_of: parts }),
    ...(template !== undefined && { template: definitionState(template, (mappings) => mappings) }),
  }, (key, value) => key === "template" && isEmpty(value));
}
