import { isSecret, replaceParts } from "../../../text/mod.ts";
import { isObject, valueOf } from "../json/json_values.ts";
import type { Placeholders, SearchRequest } from "../types.ts";
import { usedIn } from "./values.ts";

/** Where requests give secrets that a cluster keeps: users of either kind, their account, repositories. */
const KEEPS_SECRETS = /\/_security\/|^\/*_snapshot\//;

/**
 * Why a file is rejected: the text of an unfilled placeholder would become the secret. Decided by the file as it
 * stands: what comes in the place of one that is declared may look like another.
 *
 * @param source the file, without its values
 */
export function unfilledSecret(
  { path }: SearchRequest,
  source: string,
  placeholders: Placeholders,
): string | undefined {
  if (!KEEPS_SECRETS.test(path)) return undefined;
  for (const [name, text] of textsIn(valueOf(source))) {
    if (!isSecret(name) && name !== "hash") continue;
    const [left] = /\$\{[^}]*\}/.exec(withoutDeclared(text, placeholders)) ?? [];
    if (left === undefined) continue;
    // Within a longer text it may be a part of the secret itself.
    const what = left === text ? `the placeholder ${left}` : "a placeholder";
    return `'${name}' has ${what}, which 'migrations.placeholders' of the ` +
      "connection does not declare";
  }
}

function withoutDeclared(text: string, placeholders: Placeholders): string {
  const gone = usedIn(text, placeholders).map(({ start, end }) => ({ start, end, text: " " }));
  return replaceParts(text, gone).text;
}

/** All texts with the names of their members; a step of a JSON Patch names one by its path. */
function* textsIn(value: unknown, name = ""): Generator<readonly [name: string, text: string]> {
  if (typeof value === "string") {
    yield [name, value];
    // A request may have its body as a text.
    if (name === "body") yield* textsIn(valueOf(value));
  } else if (Array.isArray(value)) { for (const item of value) yield* textsIn(item, name); }
  else if (isObject(value)) {
    const target = typeof value.path === "string" ? value.path.replace(/^.*\//s, "") : undefined;
    for (const [member, part] of Object.entries(value)) {
      yield* textsIn(part, member === "value" ? target ?? member : member);
    }
  }
}
