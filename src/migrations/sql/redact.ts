import type { Datasource } from "./datasource.ts";

/** Names of placeholders whose values are taken for secrets. */
const SECRET_NAME = /pass|secret|token|key|credential/i;

/**
 * Makes a function that takes the datasource's secrets out of a text: its password, wherever that is not the same
 * as its user's name, and the values of placeholders that are named like secrets.
 */
export function redactor(
  { username, password, migrations }: Pick<Datasource, "username" | "password" | "migrations">,
): (text: string) => string {
  const secret = password?.reveal() ?? "";
  const hidden = new Map<string, string>();
  if (secret !== "" && secret !== username) hidden.set(secret, "***");
  for (const [name, value] of Object.entries(migrations.placeholders)) {
    if (SECRET_NAME.test(name) && value !== "") hidden.set(value, `\${${name}}`);
  }
  return (text) =>
    [...hidden].reduce((result, [value, name]) => result.replaceAll(value, () => name), text);
}
