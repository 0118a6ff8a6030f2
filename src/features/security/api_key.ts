import { type Configurable, optionsOf } from "../../app/mod.ts";
import type { HttpRequest } from "../../http/mod.ts";
import { checkOptions, finderOf, named, UNSET } from "./_accounts.ts";
import { READERS } from "./_credentials.ts";
import { BadCredentialsError } from "./errors.ts";
import type { ApiKeyOptions, SchemeFactory } from "./types.ts";

/**
 * Authenticates by an API key in a header, a query parameter or a cookie.
 *
 * ```ts ignore
 * apiKey((config) => ({ keys: [{ key: config.string("reports.key", ""), name: "reports" }] }))
 * ```
 *
 * @param given options, or a function that returns them for a configuration
 */
export function apiKey(given: Configurable<ApiKeyOptions>): SchemeFactory {
  return {
    "~scheme": async (config, scheme, isDescribed) => {
      const options = await optionsOf(given, config);
      await named(scheme, async () => await checkOptions(options, OPTIONS));
      const { in: place = "header", name = "X-API-Key", keys, ...others } = options;
      const { find, roles } = await named(scheme, () =>
        finderOf({
          ...others,
          option: "keys",
          list: keys?.map(({ key, ...owner }, index) => {
            if (isDescribed) return [String(index), owner];
            if (!key) throw new TypeError(`'${owner.name}' has no key: ${UNSET}`);
            return [key, owner];
          }),
          secretOf: (key: string) => key,
        }));
      const read = READERS[place];
      return {
        // No registered scheme exists for API keys.
        challenge: `ApiKey in="${place}", name="${name.replace(/["\\]/g, "")}"`,
        openApi: { type: "apiKey", in: place, name },
        ...(roles && { roles }),
        async authenticate(request: HttpRequest) {
          const key = read(request, name);
          if (key === undefined || key === "") return undefined;
          const user = await find(key);
          if (!user) throw new BadCredentialsError("Unknown API key");
          return user;
        },
      };
    },
  };
}

const OPTIONS: readonly (keyof ApiKeyOptions)[] = ["in", "name", "keys", "verify", "knownRoles"];
