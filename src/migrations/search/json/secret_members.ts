import { isSecret } from "../../../text/mod.ts";

/** Whether the value of a member must not be shown. */
export function isSecretMember(name: string): boolean {
  return isSecret(name) && !PLAIN.test(name);
}

/** Words of analysis, and keys that open nothing: of sorting and of routing. */
const PLAIN =
  /^(?:tokeni[sz]ers?|(?:max_)?token_(?:chars|count|filters?|length|limit|separator)|(?!.*(?:api|client|access|sign|encrypt|secret|private|pass)).*key)$/i;
/**
 * A line of a file as it may be shown: only up to the first name of a secret, nothing of a line that goes on with the value
 * of one. The file need not be JSON, so what follows the name may be the value.
 *
 * @param before the text before the line
 */
export function withoutSecretValues(line: string, before: string): string {
  const [last = ""] = /[^\s":]*"?\s*:?\s*$/.exec(before.slice(-200)) ?? [];
  if (firstSecret(last) !== undefined && /:\s*$/.test(last)) return "…";
  const end = firstSecret(line);
  return end === undefined || !/[^\s"'{}[\],:]/.test(line.slice(end))
    ? line
    : `${line.slice(0, end)}…`;
}

/** Where the first word ends that names a secret. */
function firstSecret(text: string): number | undefined {
  for (const word of text.matchAll(/(?:[\w.-]|\\u[0-9a-f]{4})+/gi)) {
    const name = word[0].replace(/\\u([0-9a-f]{4})/gi, (_, code) => {
      return String.fromCharCode(parseInt(code, 16));
    });
    if (name.toLowerCase() === "hash" || isSecretMember(name)) return word.index + word[0].length;
  }
}
