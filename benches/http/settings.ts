import { ORIGIN, SECURITY_HEADERS } from "./fields.ts";
import { type Load, LOADS } from "./load.ts";
import { token } from "./token.ts";

/** An option or extension that applications have beside their routes, with the requests that are measured. */
export interface Setting {
  /** The end of the names of its servers' files. */
  readonly suffix: string;
  readonly loads: readonly Load[];
  /** Sent with each request. */
  readonly sent?: () => Promise<Fields>;
  /** In each answer, also in refusals, and no other fields: all contenders do the same work. */
  readonly answered?: Fields;
  /** Whether it needs a token: a request without one gets 401. */
  readonly isClosed?: boolean;
  /** Whether it logs each request: that is written, and not read. */
  readonly isLogging?: boolean;
}

type Fields = Readonly<Record<string, string>>;

const LARGE = LOADS.filter(({ name }) => name === "POST 100 kB");
/** The routes that have goals in each scenario. */
export const SMALL: readonly Load[] = LOADS.filter(({ name }) => name.includes("/users"));

const FOR_BROWSERS = { ...SECURITY_HEADERS, "Access-Control-Allow-Origin": ORIGIN, Vary: "Origin" };

/** All scenarios. */
export const SETTINGS = {
  /** The routes alone. */
  plain: { suffix: "", loads: LOADS.filter((load) => !LARGE.includes(load)) },
  /** CORS and security headers, as an API that browsers call. */
  browser: {
    suffix: "_browser",
    loads: SMALL,
    sent: () => Promise.resolve({ Origin: ORIGIN }),
    answered: FOR_BROWSERS,
  },
  /** Two small middleware of the user: one reads a header before, one sets a header after. */
  middleware: { suffix: "_middleware", loads: SMALL, answered: { "X-Served-By": "bench" } },
  /** CORS, security headers, metrics, an access log and a token that each request must have. */
  equipped: {
    suffix: "_equipped",
    loads: SMALL,
    sent: async () => ({ Origin: ORIGIN, Authorization: `Bearer ${await token()}` }),
    // A response to a token is for its holder alone: Irori says so without being asked.
    answered: { ...FOR_BROWSERS, "Cache-Control": "no-store" },
    isClosed: true,
    isLogging: true,
  },
  /** The routes alone, which take a long body. */
  "100 kB": { suffix: "", loads: LARGE },
} satisfies Readonly<Record<string, Setting>>;

export type Scenario = keyof typeof SETTINGS;
