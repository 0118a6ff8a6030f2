import type { Context } from "hono";
import type { Extension } from "../app/mod.ts";
import { PackageNotFoundError, type Runtime } from "../runtime/mod.ts";
import type { Endpoint, Responder } from "../web/mod.ts";
import { isEnabled } from "./extension.ts";

/** The package from npm that the page is made of, which applications install, and the versions that are known to work. */
export const SWAGGER_UI = { name: "swagger-ui-dist", range: "^5.35.0" } as const;

/**
 * Serves a page at `/docs`, below `server.context-path`, that shows the document of `openApi()` and tries its operations: Swagger UI,
 * from the package `swagger-ui-dist`, which is read when the page is first asked for. The page loads from the application
 * alone. `openapi.enabled: false` in the configuration switches it off.
 *
 * @throws {Error} at startup, on edge isolates: they have no files
 */
export function swaggerUi(): Extension {
  return ({ config, contextPath, runtime }) => {
    if (!isEnabled(config)) return undefined;
    if (runtime === undefined) {
      throw new Error(
        "Cannot serve the documentation page here: on an edge isolate, leave out swaggerUi()",
      );
    }
    const path = `${contextPath}/docs`;
    const folder = packageFolder(runtime);
    const text = (content: string): AssetSource => async () => {
      await folder(); // A page without its scripts would be blank.
      return new TextEncoder().encode(content);
    };
    const file = (name: string): AssetSource => async () =>
      await runtime.files.readFile(`${await folder()}/${name}`);
    const get = (path: string, type: string, load: AssetSource): Endpoint => ({
      method: "GET",
      path,
      respond: explained(assetResponder(load, { ...HEADERS, "Content-Type": type })),
    });
    return {
      endpoints: [
        get(path, "text/html; charset=utf-8", text(PAGE)),
        get(`${path}/start.js`, JAVASCRIPT, text(START)),
        get(`${path}/swagger-ui-bundle.js`, JAVASCRIPT, file("swagger-ui-bundle.js")),
        get(`${path}/swagger-ui.css`, "text/css; charset=utf-8", file("swagger-ui.css")),
        get(`${path}/favicon-32x32.png`, "image/png", file("favicon-32x32.png")),
      ],
    };
  };
}

/** Looks for the package until it is found. */
function packageFolder(runtime: Runtime): () => Promise<string> {
  let folder: string | undefined;
  return async () => folder ??= await runtime.packageFolder(SWAGGER_UI.name, SWAGGER_UI.range);
}

/** Whoever opens the page is told what to install. */
function explained(respond: Responder): Responder {
  return async (context) => {
    try {
      return await respond(context);
    } catch (error) {
      if (!(error instanceof PackageNotFoundError)) throw error;
      return new Response(error.message, {
        status: 503,
        headers: { "Content-Type": "text/plain; charset=utf-8" },
      });
    }
  };
}

/** Gives the bytes of an asset. */
type AssetSource = () => Promise<Uint8Array<ArrayBuffer>>;

/**
 * Answers with what never changes while the application runs. It is read when it is first asked for and kept; a reader
 * that has it already is told so by its entity tag (RFC 9110, 8.8.3 and 13.1.2).
 */
function assetResponder(
  load: AssetSource,
  headers: Readonly<Record<string, string>>,
): Responder {
  let asset: Promise<Asset> | undefined;
  return async ({ req }: Context) => {
    asset ??= tagged(load);
    const { bytes, tag } = await asset.catch((error) => {
      asset = undefined; // May be there the next time.
      throw error;
    });
    const all = { ...headers, "Cache-Control": "no-cache", ETag: tag };
    return matches(req.header("If-None-Match"), tag)
      ? new Response(null, { status: 304, headers: all })
      : new Response(bytes, { headers: all });
  };
}

interface Asset {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Its entity tag, quotes included. */
  readonly tag: string;
}

async function tagged(load: AssetSource): Promise<Asset> {
  const bytes = await load();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const hex = [...digest.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0"));
  return { bytes, tag: `"${hex.join("")}"` };
}

/** Whether `If-None-Match` names the tag, by the weak comparison. */
function matches(header: string | undefined, tag: string): boolean {
  const names = header?.split(",").map((name) => name.trim().replace(/^W\//, "")) ?? [];
  return names.includes(tag) || names[0] === "*";
}

/**
 * The page around Swagger UI. What it refers to is relative, so that it also works behind a proxy that serves the
 * application under another path.
 */
const PAGE = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API documentation</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/**
 * Starts Swagger UI, with the query of the page, which may ask for a version of the API; a file of its own, because the
 * page's policy allows no script inside of it. Examples are made up from schemas: what only says how a format is checked,
 * or what a number can hold, would make odd ones.
 */
const START = `const ui = SwaggerUIBundle({
  url: "openapi.json" + location.search,
  dom_id: "#swagger-ui",
  deepLinking: true,
  displayRequestDuration: true,
  validatorUrl: null,
  responseInterceptor(response) {
    if (new URL(response.url, location.href).pathname.endsWith("/openapi.json")) {
      response.text = JSON.stringify(JSON.parse(response.text, (_, value) => {
        if (typeof value?.format === "string") delete value.pattern;
        if (value?.minimum === Number.MIN_SAFE_INTEGER) delete value.minimum;
        if (value?.maximum === Number.MAX_SAFE_INTEGER) delete value.maximum;
        return value;
      }));
    }
    return response;
  },
  onComplete() {
    document.title = ui.specSelectors.info().get("title");
  },
});
`;

/**
 * What the page may do (Content Security Policy Level 3): load from its own origin and ask it. Images inside of the
 * style sheet are `data:`, images that an operation answers are `blob:`.
 */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; " +
  "img-src 'self' data: blob:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const JAVASCRIPT = "text/javascript; charset=utf-8";
const HEADERS = {
  "Content-Security-Policy": POLICY,
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};
