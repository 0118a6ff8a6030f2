import { isSecret } from "../../../text/mod.ts";
import { isObject, valueOf } from "../json/json_values.ts";
import type { SearchRequest } from "../types.ts";

/** Where requests give secrets that a cluster keeps: users of either kind, their account, repositories. */
const KEEPS_SECRETS = /\/_security\/|^\/*_snapshot\//;

/** Why a request is refused: the text of a placeholder that nobody has filled would become the secret. */
export function unfilledSecret({ path, body }: SearchRequest): string | undefined {
  if (!KEEPS_SECRETS.test(path)) return undefined;
  for (const [name, text] of textsIn(valueOf(body))) {
    const [placeholder] = isSecret(name) || name === "hash" ? /\$\{[^}]*\}/.exec(text) ?? [] : [];
    if (placeholder === undefined) continue;
    return `'${name}' has the placeholder ${placeholder}, which 'migrations.placeholders' of the ` +
      "connection does not declare";
  }
}

/** All texts with the names of their members; a step of a JSON Patch names one by its path. */
function* textsIn(value: unknown, name = ""): Generator<readonly [name: string, text: string]> {
  if (typeof value === "string") yield [name, value];
  else if (Array.isArray(value)) { for (const item of value) yield* textsIn(item, name); }
  else if (isObject(value)) {
    const target = typeof value.path === "string" ? value.path.replace(/^.*\//s, "") : undefined;
    for (const [member, part] of Object.entries(value)) {
      yield* textsIn(part, member === "value" ? target ?? member : member);
    }
  }
}
