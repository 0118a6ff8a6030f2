import { conversionOf } from "../../schema/mod.ts";

/** @internal */
export interface DeprecationOptions {
  /** A day (`2026-01-31`, from its first second in UTC) or a moment (RFC 3339), past or future. */
  readonly since: string | Date;
  /** When it may be removed; not before `since`. */
  readonly sunset?: string | Date;
  readonly link?: string;
  readonly sunsetLink?: string;
}

export type Deprecation = readonly (readonly [name: string, value: string])[];

/** Response headers of a deprecation (RFC 9745, 2 and 3; RFC 8594, 3 and 6); `refuse` throws for an invalid option. */
export function deprecation(
  { since, sunset, link, sunsetLink }: DeprecationOptions,
  refuse: (option: string, message: string) => never,
): Deprecation {
  const moment = (option: string, value: string | Date) =>
    momentOf(value) ??
      refuse(option, `expected a date, or a date and time with offset, found '${value}'`);
  const from = moment("since", since);
  const fields: [string, string][] = [["Deprecation", `@${Math.floor(from.getTime() / 1000)}`]];
  if (sunset !== undefined) {
    const end = moment("sunset", sunset);
    if (end < from) refuse("sunset", "expected a time that is not before 'since'");
    fields.push(["Sunset", end.toUTCString()]);
  }
  const links = { link: [link, "deprecation"], sunsetLink: [sunsetLink, "sunset"] } as const;
  for (const [option, [target, relation]] of Object.entries(links)) {
    if (target === undefined) continue;
    if (!URI.test(target)) refuse(option, `expected an encoded URI, found '${target}'`);
    fields.push(["Link", `<${target}>; rel="${relation}"`]);
  }
  return fields;
}

const URI = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/;

function momentOf(value: string | Date): Date | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value;
  const { convert } = conversionOf("date-time");
  return (convert(value) ?? convert(`${value}T00:00:00Z`)) as Date | undefined;
}

/** The deprecation of a rejected request, if all routes that it could mean have the same. */
export function agreedDeprecation(
  routes: readonly { readonly deprecation?: Deprecation }[],
): Deprecation | undefined {
  const [first] = routes;
  const said = JSON.stringify(first?.deprecation);
  const isSaid = routes.every(({ deprecation }) => JSON.stringify(deprecation) === said);
  return isSaid ? first?.deprecation : undefined;
}
