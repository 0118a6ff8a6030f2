import { token } from "./token.ts";

/** Whose requests a browser sends to the servers of the scenario "browser". */
export const ORIGIN = "https://shop.example";

/** What `secureHeaders()` of Hono sends without options. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Origin-Agent-Cluster": "?1",
  "Referrer-Policy": "no-referrer",
  "Strict-Transport-Security": "max-age=15552000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
  "X-DNS-Prefetch-Control": "off",
  "X-Download-Options": "noopen",
  "X-Frame-Options": "SAMEORIGIN",
  "X-Permitted-Cross-Domain-Policies": "none",
  "X-XSS-Protection": "0",
};

/** What applications have beside their routes. */
export interface Setting {
  /** Sent with each request. */
  readonly sent?: () => Promise<Fields>;
  /** In each answer: all contenders do the same work. */
  readonly answered?: Fields;
  /** Whether a request without what is sent gets 401. */
  readonly isClosed?: boolean;
  /** Whether it logs each request: that is written, and not read. */
  readonly isLogging?: boolean;
}

type Fields = Readonly<Record<string, string>>;

export const SETTINGS = {
  /** CORS and security headers, as an API that browsers call. */
  browser: {
    sent: () => Promise.resolve({ Origin: ORIGIN }),
    answered: { ...SECURITY_HEADERS, "Access-Control-Allow-Origin": ORIGIN, Vary: "Origin" },
  },
  /** Two small middleware of the user: one reads a header before, one sets a header after. */
  middleware: { answered: { "X-Served-By": "bench" } },
  /** Metrics, an access log and a token that each request must have. */
  equipped: {
    sent: async () => ({ Authorization: `Bearer ${await token()}` }),
    isClosed: true,
    isLogging: true,
  },
} satisfies Readonly<Record<string, Setting>>;
