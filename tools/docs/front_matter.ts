/** The metadata of a page before its title: `---` and lines of YAML. */
const FRONT_MATTER = /^---\n([^]*?)^---\n\s*/m;

/** A page without its front matter. */
export function withoutFrontMatter(markdown: string): string {
  return markdown.startsWith("---\n") ? markdown.replace(FRONT_MATTER, "") : markdown;
}

/** A page that has one more line of front matter. */
export function withFrontMatter(markdown: string, line: string): string {
  return markdown.startsWith("---\n")
    ? `---\n${line}\n${markdown.slice("---\n".length)}`
    : `---\n${line}\n---\n\n${markdown}`;
}
