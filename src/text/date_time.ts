const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/**
 * The moment that an RFC 3339 `date-time` names, or `undefined` when the text is none. What is finer than a
 * millisecond is cut off; a leap second (`:60`) is refused, because a `Date` cannot hold it.
 */
export function convertDateTime(text: string): Date | undefined {
  const [, day, time, fraction = "", sign, hours = 0, minutes = 0] = DATE_TIME.exec(text) ?? [];
  const local = `${day}T${time}.${fraction.slice(0, 3).padEnd(3, "0")}Z`;
  const date = new Date(local);
  // A day that the month does not have becomes one of the next month, and 24:00 becomes 00:00.
  if (Number.isNaN(date.getTime()) || date.toISOString() !== local) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return new Date(date.getTime() - (sign === "-" ? -offset : offset));
}

/** The RFC 3339 `full-date` itself, or `undefined` when the text is none or the month does not have the day. */
export function convertDate(text: string): string | undefined {
  return convertDateTime(`${text}T00:00:00Z`) === undefined ? undefined : text;
}
