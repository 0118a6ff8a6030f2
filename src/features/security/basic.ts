import { type Configurable, optionsOf } from "../../app/mod.ts";
import type { HttpRequest } from "../../http/mod.ts";
import { checkOptions, finderOf, named, UNSET } from "./_accounts.ts";
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
  return {
    "~scheme": async (config, schemeName, isDescribed) => {
      const options = await optionsOf(given, config);
      await named(schemeName, async () => await checkOptions(options, OPTIONS));
      const { users, ...others } = options;
      const { find, roles } = await named(schemeName, () =>
        finderOf({
          ...others,
          option: "users",
          identityOf: ({ name }) => name,
          list: users?.map(({ password, ...user }) => {
            if (!isDescribed) checkUser(user.name, password);
            return [secretOf(user.name, password), user];
          }),
          secretOf,
        }));
      return {
        challenge: "Basic",
        openApi: { type: "http", scheme: "basic" },
        ...(roles && { roles }),
        async authenticate(request: HttpRequest) {
          const sent = parseAuthorization(request.header("authorization"));
          if (sent?.scheme !== "basic") return undefined;
          const [name, password] = parse(sent.token);
          const user = await find(name, password);
          if (!user) throw new BadCredentialsError("name or password is wrong");
          return user;
        },
      };
    },
  };
}

const OPTIONS: readonly (keyof BasicOptions)[] = ["users", "verify", "knownRoles"];

/** @throws {BadCredentialsError} */
function parse(token: string | undefined): readonly [name: string, password: string] {
  const text = decode(token ?? "");
  const colon = text?.indexOf(":") ?? -1;
  // Neither may contain control characters (RFC 7617, 2).
  if (text === undefined || colon < 0 || /\p{Cc}/u.test(text)) {
    throw new BadCredentialsError("expected a name and a password, in Base64");
  }
  return [text.slice(0, colon), text.slice(colon + 1)];
}

function decode(token: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(token), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function secretOf(name: string, password: string): string {
  return `${name}:${password}`;
}

/** @throws {TypeError} */
function checkUser(name: string, password: string): void {
  if (name !== "" && !name.includes(":") && password) return;
  if (name && !password) throw new TypeError(`user '${name}' has no password: ${UNSET}`);
  throw new TypeError("expected users with a password and a name without a colon");
}
