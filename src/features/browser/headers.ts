import type { Context } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { AddedFields } from "../../http/mod.ts";
import { errorOf } from "../../text/mod.ts";
import type { Refuse } from "./cors.ts";
import type { SecurityHeaders } from "./types.ts";

/**
 * The fields that `secureHeaders()` of Hono sets with these options; it runs once, so that they are its own.
 *
 * @throws what `refuse` throws, for what differs by request or response
 */
export async function fixedFields(options: SecurityHeaders, refuse: Refuse): Promise<AddedFields> {
  const { contentSecurityPolicy, contentSecurityPolicyReportOnly } = options;
  const policies = { contentSecurityPolicy, contentSecurityPolicyReportOnly };
  for (const [name, policy] of Object.entries(policies)) {
    if (!Object.values(policy ?? {}).flat().some((value) => typeof value === "function")) continue;
    refuse(name, "expected texts, found a function; for a nonce use secureHeaders() of Hono");
  }
  if ("overwrite" in options && options.overwrite === false) {
    refuse("overwrite", "expected true, found false; use secureHeaders() of Hono");
  }
  const fields: Record<string, string | null> = {};
  const headers = {
    set: (name: string, value: string) => fields[name] = value,
    delete: (name: string) => fields[name] = null,
  };
  await secureHeaders(options)({ res: { headers } } as unknown as Context, async () => {});
  for (const [name, value] of Object.entries(fields)) {
    try {
      new Headers([[name, value ?? ""]]);
    } catch (error) {
      refuse(name, errorOf(error).message);
    }
  }
  return fields;
}
