/** A text without the lines that are directives of ours: a file of another tool is given them when it comes here. */
export function withoutDirectives(source: string): string {
  return source.replace(/^--[ \t]*irori[ \t]*:.*(?:\r\n|\n|$)/gim, "");
}
