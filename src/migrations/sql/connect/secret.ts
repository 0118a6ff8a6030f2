import { masker, secretPlaceholders, withoutUserinfo } from "../../../text/mod.ts";

/** A text that does not appear by itself: not in messages, not in JSON, not when an object is printed. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return "***";
  }

  toJSON(): string {
    return "***";
  }
}

interface Secrets {
  readonly username?: string;
  readonly password?: Secret;
  readonly migrations: { readonly placeholders: Readonly<Record<string, string>> };
}

/**
 * Makes a function that takes the datasource's secrets out of a text: its password, where that is not the same as its
 * user's name, the values of placeholders that are named like secrets, and what URLs say of users.
 */
export function redactor({ username, password, migrations }: Secrets): (text: string) => string {
  const secret = password?.reveal() ?? "";
  const mask = masker([
    ...secretPlaceholders(migrations.placeholders),
    [secret === username ? "" : secret, "***"],
  ]);
  return (text) => withoutUserinfo(mask(text));
}
