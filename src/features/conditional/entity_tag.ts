/** The identity of one state of a resource: a revision, a hash, the time of its last change. */
export type Version = string | number | bigint | Date;

/**
 * The entity tag of a version, for the header `ETag` (RFC 9110, 8.8.3): `etag(7)` is `"7"`. A `Date` is written in ISO
 * 8601; characters that a tag cannot contain are percent-encoded. A string that is a tag already stays as it is, such as
 * the weak `W/"7"`, which no `If-Match` accepts.
 *
 * @throws {TypeError} for a number that is not finite, an invalid `Date` and values of other types
 */
export function etag(version: Version): string {
  const text = versionText(version);
  if (new RegExp(`^${TAG}$`).test(text)) return text;
  return `"${text.toWellFormed().replace(/[^!#$&-~]+/g, encodeURIComponent)}"`;
}

function versionText(version: Version): string {
  if (version instanceof Date && !Number.isNaN(version.getTime())) return version.toISOString();
  if (/^(?:string|bigint)$/.test(typeof version) || Number.isFinite(version)) return `${version}`;
  throw new TypeError(
    "Cannot make an entity tag: expected a string, a finite number, a bigint or a valid Date, " +
      `found '${version}'`,
  );
}

/** RFC 9110, 8.8.3. */
const TAG = '(?:W/)?"[!#-~\\x80-\\xff]*"';

/**
 * The tags of `If-Match` or `If-None-Match`, or `*` alone (RFC 9110, 13.1.1 and 13.1.2); `undefined` for a malformed field.
 * Commas belong to a tag where they are between its quotes; empty elements are skipped (5.6.1.2).
 */
export function parseEntityTags(field: string): readonly string[] | undefined {
  if (field.trim() === "*") return ["*"];
  const element = new RegExp(`[ \\t]*(?:(${TAG})[ \\t]*)?(?:,|$)`, "y");
  const tags: string[] = [];
  while (element.lastIndex < field.length) {
    const found = element.exec(field);
    if (found === null) return undefined;
    if (found[1] !== undefined) tags.push(found[1]);
  }
  return tags;
}

/** Whether a tag is one of a list, or `*` is; a weak tag matches in the weak comparison only (RFC 9110, 8.8.3.2). */
export function isListed(
  tag: string,
  list: readonly string[],
  comparison: "strong" | "weak",
): boolean {
  if (list[0] === "*") return true;
  if (comparison === "strong") return !tag.startsWith("W/") && list.includes(tag);
  return list.some((one) => opaque(one) === opaque(tag));
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, "");
}
