/**
 * Whether everything that `wanted` says is so in `live`, which may say more: clusters add defaults to what they are
 * given. Lists have to be of one length. Numbers and booleans equal their text, as clusters write settings.
 */
export function isSubset(wanted: unknown, live: unknown): boolean {
  if (Array.isArray(wanted)) {
    return Array.isArray(live) && wanted.length === live.length &&
      wanted.every((item, index) => isSubset(item, live[index]));
  }
  if (typeof wanted === "object" && wanted !== null) {
    return typeof live === "object" && live !== null && !Array.isArray(live) &&
      Object.entries(wanted).every(([key, value]) =>
        value === null && !Object.hasOwn(live, key) ||
        isSubset(value, (live as Record<string, unknown>)[key])
      );
  }
  return wanted === live ||
    (live !== null && live !== undefined && String(wanted) === String(live));
}
