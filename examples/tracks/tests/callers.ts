import { loadConfig } from "irori/migrations";
import { issueToken } from "irori/security";
import { jwtSettings, tracks } from "../tracks.ts";

const settings = jwtSettings(await loadConfig({ root: tracks.root, profiles: ["dev"] }));
const issue = (sub: string, ...roles: string[]) =>
  issueToken(settings, { sub, roles }, { expiresIn: 3600 });

const tokens = {
  /** Ada, without a role. */
  guest: await issue("ada"),
  /** Ada, who has written issue 1. */
  user: await issue("ada", "user"),
  admin: await issue("grace", "admin"),
  expired: await issuedTwoHoursAgo(),
};

async function issuedTwoHoursAgo(): Promise<string> {
  const { now } = Date;
  Date.now = () => now() - 7_200_000;
  try {
    return await issue("ada", "user");
  } finally {
    Date.now = now;
  }
}

/** Those who ask, in the order of the columns of `access.ts`. */
export const CALLERS = ["anonymous", "guest", "user", "admin", "expired"] as const;
export type Caller = typeof CALLERS[number];

/** The credentials of a caller. */
export function headersOf(caller: Caller): Record<string, string> {
  return caller === "anonymous" ? {} : { Authorization: `Bearer ${tokens[caller]}` };
}
