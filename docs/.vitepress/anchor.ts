/** The anchor of a heading, as GitHub makes it, since links of the guides work there. */
export function anchorOf(heading: string): string {
  return heading.trim().toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}
