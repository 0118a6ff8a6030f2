/** The formats of RFC 9110, 5.6.7: all three must be accepted, the first is the one that is sent. */
const FORMATS = [
  /^(?<weekday>[A-Z][a-z]{2}), (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>[\d:]{8}) GMT$/,
  /^(?<weekday>[A-Z][a-z]{2})[a-z]{3,6}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>[\d:]{8}) GMT$/,
  /^(?<weekday>[A-Z][a-z]{2}) (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>[\d:]{8}) (?<year>\d{4})$/,
];

/** The time of an HTTP date in milliseconds since 1970; `undefined` for any other text. */
export function parseHttpDate(text: string): number | undefined {
  const found = FORMATS.map((format) => format.exec(text)?.groups).find((groups) => groups);
  if (found === undefined) return undefined;
  const { weekday, day = "", month, year = "", time } = found;
  const date = `${weekday}, ${day.replace(" ", "0")} ${month} ${fullYear(year)} ${time} GMT`;
  const milliseconds = Date.parse(date);
  // Neither a wrong weekday nor the 31st of April is a date.
  return new Date(milliseconds).toUTCString() === date ? milliseconds : undefined;
}

/** Two digits that would be more than 50 years ahead are of the past. */
function fullYear(year: string): string {
  if (year.length > 2) return year;
  const now = new Date().getUTCFullYear();
  const ofCentury = now - now % 100 + Number(year);
  return String(ofCentury > now + 50 ? ofCentury - 100 : ofCentury);
}
