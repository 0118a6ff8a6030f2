/** The boundary that a `Content-Type` names; an empty text where it names none. */
export function boundaryOf(contentType: string): string {
  const [, quoted, token = ""] = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType) ?? [];
  return quoted ?? token;
}

/** File names are the client's: without folders, which would lead elsewhere, and without control characters. */
export function plainFileName(given: string): string {
  // deno-lint-ignore no-control-regex -- control characters are what it is about
  const last = given.replace(/[\0-\x1f\x7f]/g, "").replace(/^.*[\\/]/s, "");
  return last === "." || last === ".." ? "" : last;
}
