import { loadConfig } from "irori/migrations";
import { tokenOf } from "../tokens.ts";
import { tracks } from "../tracks.ts";

const config = await loadConfig({ root: tracks.root, profiles: ["dev"] });

const tokens = {
  /** Ada, without a role. */
  guest: await tokenOf(config, "ada", []),
  /** Ada, who has written issue 1. */
  user: await tokenOf(config, "ada", ["user"]),
  admin: await tokenOf(config, "grace", ["admin"]),
  expired: await tokenOf(config, "ada", ["user"], "1h ago"),
};

/** Those who ask, in the order of the columns of `access.ts`. */
export const CALLERS = ["anonymous", "guest", "user", "admin", "expired"] as const;
export type Caller = typeof CALLERS[number];

/** The credentials of a caller. */
export function headersOf(caller: Caller): Record<string, string> {
  return caller === "anonymous" ? {} : { Authorization: `Bearer ${tokens[caller]}` };
}
