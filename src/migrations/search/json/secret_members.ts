import { isSecret } from "../../../text/mod.ts";

export function isSecretMember(name: string): boolean {
  return isSecret(name) && !PLAIN.test(name);
}

const PLAIN =
  /^(?:tokeni[sz]ers?|(?:max_)?token_(?:chars|count|filters?|length|limit|separator)|(?!.*(?:api|client|access|sign|encrypt|secret|private|pass)).*key)$/i;
/**
 * A line of a file as it may be shown: up to the first name of a secret, and nothing where the line continues the value of
 * one. The file need not be JSON, so the text after the name may be the value.
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

function firstSecret(text: string): number | undefined {
  for (const word of text.matchAll(/(?:[\w.-]|\\u[0-9a-f]{4})+/gi)) {
    const name = word[0].replace(/\\u([0-9a-f]{4})/gi, (_, code) => {
      return String.fromCharCode(parseInt(code, 16));
    });
    if (name.toLowerCase() === "hash" || isSecretMember(name)) return word.index + word[0].length;
  }
}
