import type { Context } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { AddedFields } from "../../web/mod.ts";
import { errorOf } from "../../text/mod.ts";
import type { Refuse, SecurityHeaders } from "./types.ts";

/**
 * The fields that `secureHeaders()` of Hono sets with these options; it runs once, so that they are its own.
 *
 * @throws what `refuse` throws, for what differs by request or response, and what no field can have
 */
export async function fixedFields(options: SecurityHeaders, refuse: Refuse): Promise<AddedFields> {
  const { contentSecurityPolicy = {}, contentSecurityPolicyReportOnly = {} } = options;
  const policies = { contentSecurityPolicy, contentSecurityPolicyReportOnly };
  for (const [name, policy] of Object.entries(policies)) {
    if (!Object.values(policy).flat().some((value) => typeof value === "function")) continue;
    refuse(name, "expected texts, found a function; use secureHeaders() of Hono for a nonce");
  }
  if ("overwrite" in options && options.overwrite === false) {
    refuse("overwrite", "expected true, found false; use secureHeaders() of Hono for it");
  }
  const checked = new Headers();
  const fields: Record<string, string | null> = {};
  const headers = {
    set(name: string, value: string) {
      checked.set(name, value);
      fields[name] = value;
    },
    delete: (name: string) => fields[name] = null,
  };
  const run = secureHeaders(options);
  await Promise.resolve(run({ res: { headers } } as unknown as Context, async () => {}))
    .catch((error) => refuse("", errorOf(error).message));
  return fields;
}
