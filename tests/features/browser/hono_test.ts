/** The same application with what Hono has as middleware: what differs is what the guide lists. */
import { type Application, bootstrap } from "@irori/irori";
import { browser, type CorsOptions, type SecurityHeaders } from "@irori/irori/browser";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { cors } from "hono/cors";
import { secureHeaders } from "hono/secure-headers";
import { REQUESTS, startAnswers } from "./answers.ts";
import { SHOP } from "./helpers.ts";

type Cors = NonNullable<Parameters<typeof cors>[0]>;

const ORIGINS = [
  ...[undefined, "", "null", "*", SHOP, "https://SHOP.example", `${SHOP}/`, `${SHOP}:443`],
  ...["https://a.example", "https://evil.test", `${SHOP}, ${SHOP}`, "x".repeat(300)],
];
const METHODS = [undefined, "GET", "PUT", "POST", "DELETE", "OPTIONS", "ODD", ""];
const ASKED = [undefined, "content-type", "X-A, x-b", "x-a ,x-b,x-c"];

const OPTIONS: readonly (readonly [Cors, SecurityHeaders | undefined])[] = [
  [{ origin: "*" }, undefined],
  [{ origin: SHOP, credentials: true, maxAge: 600 }, {}],
  [{
    origin: ["https://a.example", SHOP],
    allowMethods: ["GET", "PUT"],
    allowHeaders: ["X-A"],
    exposeHeaders: ["ETag", "Location"],
  }, { xFrameOptions: "DENY", contentSecurityPolicy: { defaultSrc: ["'self'"] } }],
  [{
    origin: (origin) => /^https:\/\/[a-z]+\.example$/.test(origin) ? origin : undefined,
    allowMethods: (origin) => origin === SHOP ? ["GET"] : [],
  }, { crossOriginResourcePolicy: false, permissionsPolicy: { camera: [] } }],
];

Deno.test("browser() + differs from the middleware of Hono in what the guide lists", async () => {
  await using own = await startAnswers({ extensions: [browser({ cors: { origin: SHOP } })] });
  await using others = await startAnswers({ middleware: [cors({ origin: SHOP })] });
  const both = async (
    path: string,
    method: string,
    headers: Record<string, string>,
    name: string,
  ) => {
    const values: (string | number | null)[] = [];
    for (const app of [own, others]) {
      const response = await app.request(path, { method, headers: { Origin: SHOP, ...headers } });
      await response.body?.cancel();
      values.push(name === "status" ? response.status : response.headers.get(name));
    }
    return values;
  };
  const asked = { "Access-Control-Request-Method": "GET" };
  // Other requests with OPTIONS.
  assertEquals(await both("/nowhere", "OPTIONS", {}, "status"), [404, 204]);
  assertEquals(await both("/text", "OPTIONS", {}, "Allow"), ["GET, HEAD, OPTIONS", null]);
  // 'Vary' of preflights.
  assertEquals(await both("/text", "OPTIONS", asked, "Vary"), [
    "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
    "Origin",
  ]);
  // 'Vary' has a name once.
  assertEquals(await both("/fields", "GET", {}, "Vary"), [
    "Accept, Origin",
    "Accept, Origin, Origin",
  ]);
  // A name that is no name of a field is reflected, too.
  const reflected = { ...asked, "Access-Control-Request-Headers": "x-a, (b)" };
  assertEquals(await both("/text", "OPTIONS", reflected, "Access-Control-Allow-Headers"), [
    "x-a",
    "x-a,(b)",
  ]);
  // A field that a handler has set itself stays.
  assertEquals(await both("/allowing", "GET", {}, "Access-Control-Allow-Origin"), [
    SHOP,
    "https://own.example",
  ]);
  // The server responds to an invalid host before any middleware.
  const noHost = { Host: "a b" };
  assertEquals(await both("/text", "GET", noHost, "status"), [400, 400]);
  assertEquals(await both("/text", "GET", noHost, "Access-Control-Allow-Origin"), [SHOP, null]);
});

Deno.test("browser() + of an application in the routes of another one has no effect", async () => {
  await using own = await startAnswers({ extensions: [browser({ cors: true })] });
  await using outer = await bootstrap();
  outer.hono.route("/own", own.hono);
  const response = await outer.request("/own/text", { headers: { Origin: SHOP } });
  assertEquals([response.status, response.headers.get("Access-Control-Allow-Origin")], [200, null]);
});

interface Sent {
  readonly request: (typeof REQUESTS)[number];
  readonly isPreflight: boolean;
  readonly origin: string | undefined;
  readonly asked: string | undefined;
  readonly method: string | undefined;
}

for (const [index, [ofCors, headers]] of OPTIONS.entries()) {
  Deno.test(`browser() + answers 500 requests as the middleware of Hono does, options ${index + 1}`, async () => {
    await using own = await startAnswers({
      extensions: [browser({ cors: ofCors as CorsOptions, headers: headers ?? false })],
    });
    await using others = await startAnswers({
      middleware: [...(headers ? [secureHeaders(headers)] : []), cors(ofCors)],
    });
    const [ownUrl, otherUrl] = [(await own.listen()).url, (await others.listen()).url];
    const sent = fc.record({
      request: fc.constantFrom(...REQUESTS),
      isPreflight: fc.boolean(),
      origin: fc.constantFrom(...ORIGINS),
      asked: fc.constantFrom(...ASKED),
      method: fc.constantFrom(...METHODS),
      isSent: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(sent, async ({ isSent, ...sent }) => {
        const expected = await answerOf(others, isSent ? otherUrl : undefined, sent);
        assertEquals(await answerOf(own, isSent ? ownUrl : undefined, sent), expected);
      }),
      { numRuns: 500, seed: 55 + index },
    );
  });
}

async function answerOf(app: Application, url: string | undefined, sent: Sent): Promise<unknown> {
  const { request: [method, path, fields, body], isPreflight, asked } = sent;
  const origin = sent.origin ?? (isPreflight ? SHOP : undefined);
  const headers = new Headers(isPreflight ? {} : fields);
  if (origin !== undefined) headers.set("Origin", origin);
  if (isPreflight) {
    headers.set("Access-Control-Request-Method", sent.method ?? "GET");
    if (asked !== undefined) headers.set("Access-Control-Request-Headers", asked);
  }
  const init = isPreflight ? { method: "OPTIONS", headers } : { method, headers, body };
  const response = url === undefined
    ? await app.request(path, init)
    : await fetch(`${url}${path}`, { ...init, redirect: "manual" });
  const text = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries(
      [...response.headers].flatMap(([name, value]) => shown(name, value, isPreflight)),
    ),
    cookies: response.headers.getSetCookie(),
    body: text.replace(/"instance":"[^"]*"/, ""),
  };
}

/** Without what each answer has of its own and how it is framed, and `Vary` as a set of names; of a preflight it has all that decides. */
function shown(
  name: string,
  value: string,
  isPreflight: boolean,
): readonly (readonly [string, string])[] {
  if (/^(?:date|x-request-id|content-length|transfer-encoding)$/.test(name)) return [];
  if (name !== "vary") return [[name, value]];
  if (isPreflight) return [];
  return [[name, [...new Set(value.split(/\s*,\s*/))].sort().join()]];
}
