import type { Extension } from "../../app/mod.ts";
import { PackageNotFoundError } from "../../runtime/mod.ts";
import type { Endpoint } from "../../web/mod.ts";
import { assetResponder, type AssetSource } from "./asset.ts";

/** The npm package of the page, which applications install, and its supported versions. */
export const SWAGGER_UI = { name: "swagger-ui-dist", range: "^5.35.0" } as const;

/**
 * Serves Swagger UI at `/docs`, below `server.context-path`, for the document of `openApi()`. The package
 * `swagger-ui-dist` is read at the first request, and the page loads only from the application. `openapi.enabled: false`
 * in the configuration disables it.
 *
 * @throws {Error} at startup on edge isolates, which have no files
 */
export function swaggerUi(): Extension {
  return ({ config, contextPath, runtime }) => {
    const path = `${contextPath}/docs`;
    if (!config.boolean("openapi.enabled", true)) return { disabled: [`${path}/*`] };
    if (runtime === undefined) {
      throw new Error(
        "Cannot serve the documentation page here: on an edge isolate, leave out swaggerUi()",
      );
    }
    let known: string | undefined;
    const folder = async () =>
      known ??= await runtime.packageFolder(SWAGGER_UI.name, SWAGGER_UI.range);
    const text = (content: string): AssetSource => async () => {
      await folder(); // A page without its scripts would be blank.
      return new TextEncoder().encode(content);
    };
    const file = (name: string): AssetSource => async () =>
      await runtime.files.readFile(`${await folder()}/${name}`);
    const get = (path: string, type: string, load: AssetSource): Endpoint => {
      const respond = assetResponder(load, { ...HEADERS, "Content-Type": type });
      return { method: "GET", path, respond: (context) => respond(context).catch(unavailable) };
    };
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

function unavailable(error: unknown): Response {
  if (!(error instanceof PackageNotFoundError)) throw error;
  const plain = { "Content-Type": "text/plain; charset=utf-8" };
  return new Response(error.message, { status: 503, headers: plain });
}

/** The page around Swagger UI, with relative links, so that it works behind a proxy with another path. */
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
 * A separate file, because the policy forbids inline scripts. Patterns of formats and limits of integers are removed, as
 * they make examples hard to read.
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

/** Images of the style sheet are `data:`, images in responses are `blob:`. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; " +
  "img-src 'self' data: blob:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const JAVASCRIPT = "text/javascript; charset=utf-8";
const HEADERS = {
  "Content-Security-Policy": POLICY,
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};
