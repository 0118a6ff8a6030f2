import type { Extension } from "../app/mod.ts";
import { PackageNotFoundError, type Runtime } from "../runtime/mod.ts";
import type { Endpoint, Responder } from "../web/mod.ts";
import { assetResponder, type AssetSource } from "./_asset.ts";
import { PAGE, POLICY, START } from "./_page.ts";
import { isEnabled } from "./_settings.ts";

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

const JAVASCRIPT = "text/javascript; charset=utf-8";
const HEADERS = {
  "Content-Security-Policy": POLICY,
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

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
