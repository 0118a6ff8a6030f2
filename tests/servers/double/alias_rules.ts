import { illegal, isObject, type Json, Refused } from "./answers.ts";
import { keyAt, valueAt } from "./json_text.ts";
import { queryProblem } from "./queries.ts";

/** @throws {Refused} a name that an alias cannot have */
export function checkAliasName(
  alias: string,
  indices: ReadonlyMap<string, { readonly uuid: string }>,
): void {
  const type = "invalid_alias_name_exception";
  if (/[ "*\\<|,>/?]/.test(alias)) {
    const reason = `Invalid alias name [${alias}]: must not contain the following characters ` +
      '[ , ", *, \\, <, |, ,, >, /, ?]';
    throw new Refused(400, { type, reason });
  }
  const index = indices.get(alias);
  if (!index) return;
  throw new Refused(400, {
    type,
    reason: `Invalid alias name [${alias}], an index exists with the same name as the alias`,
    index: alias,
    index_uuid: index.uuid,
  });
}

/** The stored form of an alias: one `routing` becomes two. @throws {Refused} a filter that is no query */
export function aliasBody(alias: string, body: Json): Json {
  const { filter, routing, index_routing, search_routing, is_write_index, is_hidden } = body;
  if (isObject(filter)) checkFilter(alias, filter);
  const given = {
    filter,
    index_routing: index_routing ?? routing,
    search_routing: search_routing ?? routing,
    is_write_index,
    is_hidden,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function checkFilter(alias: string, filter: Json): void {
  const problem = queryProblem(JSON.stringify(filter));
  if (!problem) return;
  throw illegal(`failed to parse filter for alias [${alias}]`, { caused_by: problem });
}

/** A member of an action that is none: the error of each parser around it. */
export function unknownAliasMember(
  text: string,
  at: number,
  action: string,
  member: string,
): Refused {
  const type = "x_content_parse_exception";
  const key = keyAt(text, "actions", at, action, member);
  const value = valueAt(text, "actions", at, action, member);
  const after = `[${value.line}:${value.col}]`;
  return new Refused(400, {
    type,
    reason: `${after} [aliases] failed to parse field [actions]`,
    caused_by: {
      type,
      reason: `${after} [alias_action] failed to parse field [${action}]`,
      caused_by: { type, reason: `[${key.line}:${key.col}] [${action}] unknown field [${member}]` },
    },
  });
}
