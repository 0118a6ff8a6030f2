import type { Configurable } from "../../app/mod.ts";
import { accountScheme, factoryOf, UNSET } from "./_accounts.ts";
import { READERS } from "./_credentials.ts";
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
  return factoryOf(given, OPTIONS, async (options, isDescribed) => {
    const { in: place = "header", name = "X-API-Key", keys, ...others } = options;
    return await accountScheme({
      ...others,
      // No registered scheme exists for API keys.
      challenge: `ApiKey in="${place}", name="${name.replace(/["\\]/g, "")}"`,
      openApi: { type: "apiKey", in: place, name },
      read(request): [key: string] | undefined {
        const key = READERS[place](request, name);
        return key ? [key] : undefined;
      },
      refusal: "Unknown API key",
      option: "keys",
      list: keys?.map(({ key, ...owner }, index) => {
        if (isDescribed) return [`${index}`, "", owner];
        if (!key) throw new TypeError(`'${owner.name}' has no key: ${UNSET}`);
        return [key, key, owner];
      }),
    });
  });
}

const OPTIONS: readonly (keyof ApiKeyOptions)[] = ["in", "name", "keys", "verify", "knownRoles"];
