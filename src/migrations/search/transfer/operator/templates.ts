import { isEmpty } from "../../json/json_values.ts";
import {
  ANY,
  BOOLEAN,
  type Field,
  type Fields,
  INTEGER,
  map,
  object,
  required,
  TEXT,
  TEXTS,
} from "./shapes.ts";

/** What indices get. Filters, settings and mappings are as they are sent. */
const TEMPLATE: Field = object({
  settings: ANY,
  mappings: ANY,
  aliases: map({
    index: withoutMeaning(),
    alias: withoutMeaning(),
    filter: ANY,
    routing: TEXT,
    isWriteIndex: BOOLEAN,
  }),
});

/** An index template. */
export const INDEX_TEMPLATE: Fields = {
  indexPatterns: required(TEXTS),
  dataStream: object({
    timestamp_field: {
      ...object({ name: TEXT }),
      then: (field) => isEmpty(field) ? undefined : field,
    },
  }),
  template: { ...TEMPLATE, fallback: {} },
  composedOf: TEXTS,
  priority: INTEGER,
  version: INTEGER,
  _meta: ANY,
};

/** A component template. */
export const COMPONENT_TEMPLATE: Fields = {
  template: required(TEMPLATE),
  version: INTEGER,
  _meta: ANY,
};

/** Seen on OpenSearch 2.19.4: it takes both without a word, and has neither afterwards. */
function withoutMeaning(): Field {
  return {
    ...TEXT,
    then: (_, place) => place.warn("Left out: clusters ignore it in the alias of a template"),
  };
}
