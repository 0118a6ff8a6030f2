/** A line of CSV (RFC 4180). */
export function csvLine(...values: readonly (string | number)[]): string {
  return `${values.map(cell).join(",")}\r\n`;
}

function cell(value: string | number): string {
  // A spreadsheet would evaluate the text as a formula.
  const text = typeof value === "string" ? value.replace(/^[=+\-@\t\r]/, "'$&") : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
