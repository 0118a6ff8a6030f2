/**
 * A name for the placeholder of a secret, such as `USER_ADA_PASSWORD`; a number tells apart those whose names become the
 * same.
 *
 * @param taken by other secrets
 * @param subject what it belongs to, `["USER", "ada"]`
 * @param secret what it is, `PASSWORD`
 */
export function placeholderName(
  taken: { has(name: string): boolean },
  subject: readonly string[],
  secret: string,
): string {
  const stem = capitals(subject.join("_"));
  let name = `${stem}_${capitals(secret)}`;
  for (let next = 2; taken.has(name); next++) name = `${stem}_${next}_${capitals(secret)}`;
  return name;
}

function capitals(text: string): string {
  return text.toUpperCase().replace(/[^A-Z\d]/g, "_");
}
