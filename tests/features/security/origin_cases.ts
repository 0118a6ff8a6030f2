/** A request with a token in a cookie, to `app.example`, and the status of its response. */
export interface OriginCase {
  readonly method: "GET" | "HEAD" | "POST" | "DELETE";
  readonly origin?: string;
  readonly site?: string;
  readonly status: number;
}

/** The host that all cases ask, and the only other origin that is allowed. */
export const HOST = "app.example:8443";
export const ALLOWED = "https://partner.example";

const OWN = `https://${HOST}`;

/** The values of `Origin` and `Sec-Fetch-Site`, and whether unsafe methods pass with them. */
const SENDERS: readonly (readonly [origin?: string, site?: string, isAllowed?: true])[] = [
  [undefined, undefined],
  [OWN, undefined, true],
  [`http://${HOST}`, undefined, true], // Behind a proxy that ends TLS the scheme is not known.
  [`https://${HOST.toUpperCase()}`, undefined, true],
  ["https://app.example", undefined],
  ["https://app.example:8444", undefined],
  ["https://evil.example", undefined],
  [`https://${HOST}.evil.example`, undefined],
  [`https://evil.example/?${OWN}`, undefined],
  [`https://${HOST}@evil.example`, undefined],
  [`${OWN}, https://evil.example`, undefined],
  ["null", undefined],
  ["", undefined],
  ["https://", undefined],
  [HOST, undefined],
  [ALLOWED, undefined, true],
  [`${ALLOWED}.evil.example`, undefined],
  [`${ALLOWED}/`, undefined],
  ["http://partner.example", undefined],
  [undefined, "same-origin", true],
  [undefined, "none", true],
  [undefined, "same-site"],
  [undefined, "cross-site"],
  [undefined, "same-origin, cross-site"],
  [undefined, "Same-Origin"],
  [undefined, ""],
  [OWN, "same-origin", true],
  ["null", "same-origin", true], // A page with Referrer-Policy: no-referrer.
  ["https://internal.example", "same-origin", true], // Behind a proxy that changes Host.
  [OWN, "cross-site"], // A page without TLS on the same host.
  [OWN, "same-site"],
  ["https://evil.example", "cross-site"],
  ["null", "cross-site"],
  [ALLOWED, "cross-site", true],
];

export const ORIGIN_CASES: readonly OriginCase[] = SENDERS.flatMap(([origin, site, isAllowed]) =>
  (["GET", "HEAD", "POST", "DELETE"] as const).map((method) => {
    const isSafe = method === "GET" || method === "HEAD";
    return {
      method,
      ...(origin !== undefined && { origin }),
      ...(site !== undefined && { site }),
      status: isSafe || isAllowed ? 200 : 403,
    };
  })
);
