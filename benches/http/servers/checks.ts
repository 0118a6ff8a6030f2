/** The most bytes of a body. */
export const LIMIT = 1_048_576;

/** The number that a text is, if it is an integer that a number can hold. */
export function integerOf(text: string): number | undefined {
  const value = Number(text);
  return /^-?\d+$/.test(text) && Number.isSafeInteger(value) ? value : undefined;
}

/** Whether a `Content-Type` is JSON's. */
export function isJson(type: string | null | undefined): boolean {
  return type === "application/json" || /^application\/(?:.+\+)?json(?:;|$)/.test(type ?? "");
}
