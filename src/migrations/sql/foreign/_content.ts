import { DIRECTIVE } from "../files/directives.ts";

const LINE = new RegExp(`${DIRECTIVE.source}.*(?:\\r\\n|\\n|$)`, "gim");

/** A text without the lines that are directives of ours: a file of another tool is given them when it comes here. */
export function withoutDirectives(source: string): string {
  return source.replace(LINE, "");
}
