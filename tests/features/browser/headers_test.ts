import { bootstrap, GetMapping, HttpStatus, RestController } from "@irori/irori";
import { browser, type SecurityHeaders } from "@irori/irori/browser";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { Hono } from "hono";
import { NONCE, secureHeaders } from "hono/secure-headers";
import { appWith, refused } from "./helpers.ts";

@RestController()
class PageController {
  @GetMapping("/page")
  page() {
    return new Response("page", {
      headers: { "X-Powered-By": "steam", "X-Frame-Options": "DENY" },
    });
  }
}

const components = [PageController];
const DEFAULTS = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=15552000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "SAMEORIGIN",
  "x-permitted-cross-domain-policies": "none",
  "x-xss-protection": "0",
};

Deno.test("browser({ headers: true }) + sets the defaults of Hono, in place of those of handlers", async () => {
  await using app = await appWith({ headers: true }, { components });
  const { "content-type": _, ...fields } = await fieldsOf(app, "/page");
  assertEquals(fields, DEFAULTS);
});

Deno.test("browser({ headers }) + sets what Hono sets, for each option", async () => {
  const options: readonly SecurityHeaders[] = [
    ...SWITCHES.flatMap((name) => [true, false, "own"].map((value) => ({ [name]: value }))),
    { removePoweredBy: false },
    {
      permissionsPolicy: {
        camera: [],
        fullscreen: true,
        geolocation: ["self", "https://a.example"],
        usb: false,
      },
    },
    { reportingEndpoints: [{ name: "main", url: "https://a.example/reports" }] },
    { reportTo: [{ group: "main", max_age: 1, endpoints: [{ url: "https://a.example" }] }] },
    {
      contentSecurityPolicy: {
        defaultSrc: ["'self'"],
        scriptSrcElem: ["'self'", "https://cdn.example"],
        upgradeInsecureRequests: [],
        reportTo: "main",
      },
      contentSecurityPolicyReportOnly: { imgSrc: ["*"] },
    },
  ];
  const hono = (headers: SecurityHeaders) => {
    const app = new Hono();
    app.use(secureHeaders(headers));
    return app.get("/page", (context) => {
      return context.text("page", 200, { "X-Powered-By": "steam", "X-Frame-Options": "DENY" });
    });
  };
  for (const headers of options) {
    await using app = await appWith({ headers }, { components });
    const { "content-type": _, ...found } = await fieldsOf(app, "/page");
    const { "content-type": __, ...expected } = await fieldsOf(hono(headers), "/page");
    // The library sets it itself.
    assertEquals(
      found,
      { "x-content-type-options": "nosniff", ...expected },
      JSON.stringify(headers),
    );
  }
});

const SWITCHES = [
  ...["crossOriginEmbedderPolicy", "crossOriginResourcePolicy", "crossOriginOpenerPolicy"],
  ...["originAgentCluster", "referrerPolicy", "strictTransportSecurity", "xContentTypeOptions"],
  ...["xDnsPrefetchControl", "xDownloadOptions", "xFrameOptions", "xPermittedCrossDomainPolicies"],
  "xXssProtection",
];

Deno.test("browser({ headers }) + refuses what differs by request, and what no field can have", async () => {
  const of = (headers: SecurityHeaders) => refused({ extensions: [browser({ headers })] });
  const nonce = { scriptSrc: [NONCE] };
  for (const name of ["contentSecurityPolicy", "contentSecurityPolicyReportOnly"]) {
    assertEquals(
      await of({ [name]: nonce }),
      `Cannot use browser(): 'headers.${name}': expected texts, found a function; use secureHeaders() of Hono for a nonce`,
    );
  }
  assertStringIncludes(
    await of({ overwrite: false } as SecurityHeaders),
    "'headers.overwrite': expected true",
  );
  assertStringIncludes(await of({ xFrameOptions: "a\nb" }), "Cannot use browser(): 'headers': ");
});

Deno.test("browser() + adds nothing, and two are refused", async () => {
  await using app = await bootstrap({ components, extensions: [browser()] });
  assertEquals((await fieldsOf(app, "/page"))["x-frame-options"], "DENY");
  const headers = true;
  const message = await refused({ extensions: [browser({ headers }), browser({ headers })] });
  assertEquals(message, "Expected one extension that adds header fields, found two");
});

Deno.test("browser({ headers }) + may be a function of the configuration", async () => {
  await using app = await bootstrap({
    components,
    config: { frames: "DENY" },
    extensions: [browser((config) => ({ headers: { xFrameOptions: config.required("frames") } }))],
  });
  assertEquals((await fieldsOf(app, "/page"))["x-frame-options"], "DENY");
  assertEquals((await app.request("/none")).status, HttpStatus.NOT_FOUND.value);
});

async function fieldsOf(
  app: { request(path: string): Response | Promise<Response> },
  path: string,
): Promise<Record<string, string>> {
  const response = await app.request(path);
  await response.text();
  return Object.fromEntries(response.headers);
}
