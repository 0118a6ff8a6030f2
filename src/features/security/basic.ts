import type { Configurable } from "../../app/mod.ts";
import { accountScheme, factoryOf, UNSET } from "./_accounts.ts";
import { parseAuthorization } from "./challenges.ts";
import { BadCredentialsError } from "./errors.ts";
import type { BasicOptions, SchemeFactory } from "./types.ts";

/**
 * Name and password, sent with every request (RFC 7617): only over TLS.
 *
 * ```ts ignore
 * basic((config) => ({ users: [{ name: "ops", password: config.string("ops.password", ""), roles: ["ops"] }] }))
 * ```
 *
 * @param given options, or a function that returns them for a configuration
 */
export function basic(given: Configurable<BasicOptions>): SchemeFactory {
  return factoryOf(given, OPTIONS, async ({ users, ...others }, isDescribed) => {
    return await accountScheme({
      ...others,
      challenge: "Basic",
      openApi: { type: "http", scheme: "basic" },
      read(request) {
        const sent = parseAuthorization(request.header("authorization"));
        return sent?.scheme === "basic" ? parse(sent.token) : undefined;
      },
      refusal: "name or password is wrong",
      option: "users",
      list: users?.map(({ password, ...user }) => {
        if (!isDescribed) checkUser(user.name, password);
        return [user.name, `${user.name}:${password}`, user];
      }),
    });
  });
}

const OPTIONS: readonly (keyof BasicOptions)[] = ["users", "verify", "knownRoles"];

/** @throws {BadCredentialsError} */
function parse(token = ""): [name: string, password: string] {
  let text = "";
  try {
    const bytes = Uint8Array.from(atob(token), (character) => character.charCodeAt(0));
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch { /* Refused below. */ }
  const colon = text.indexOf(":");
  // Neither may contain control characters (RFC 7617, 2).
  if (colon < 0 || /\p{Cc}/u.test(text)) {
    throw new BadCredentialsError("expected a name and a password, in Base64");
  }
  return [text.slice(0, colon), text.slice(colon + 1)];
}

/** @throws {TypeError} */
function checkUser(name: string, password: string): void {
  if (name !== "" && !name.includes(":") && password) return;
  if (name && !password) throw new TypeError(`user '${name}' has no password: ${UNSET}`);
  throw new TypeError("expected users with a password and a name without a colon");
}
