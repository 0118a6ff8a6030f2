import { bootstrap, type BootstrapOptions } from "@irori/irori";
import { type ApplicationCors, browser, type BrowserOptions } from "@irori/irori/browser";
import { assertRejects } from "@std/assert";

export const SHOP = "https://shop.example";

/** An application with these options, as code gives them. */
export function appWith(browsers: BrowserOptions, options: BootstrapOptions = {}) {
  return bootstrap({ ...options, extensions: [...options.extensions ?? [], browser(browsers)] });
}

interface Requesting {
  request(path: string, init?: RequestInit): Promise<Response>;
}

/** The headers of CORS of an answer, without their common prefix. */
export async function corsOf(
  app: Requesting,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Record<string, string>> {
  const response = await app.request(path, { method, headers });
  await response.body?.cancel();
  return corsFields(response);
}

export function corsFields({ headers }: Response): Record<string, string> {
  const found = [...headers].filter(([name]) => /^(?:access-control-|vary$)/.test(name));
  return Object.fromEntries(
    found.map(([name, value]) => [name.replace("access-control-", ""), value]),
  );
}

/** A preflight. */
export function preflight(
  app: Requesting,
  path: string,
  method: string,
  origin = SHOP,
  headers: Record<string, string> = {},
): Promise<Response> {
  return app.request(path, {
    method: "OPTIONS",
    headers: { Origin: origin, "Access-Control-Request-Method": method, ...headers },
  });
}

/** The CORS fields of a response to this origin. */
export async function allowed(app: Requesting, path: string, origin = SHOP, method = "GET") {
  return (await corsOf(app, path, { Origin: origin }, method))["allow-origin"];
}

/** The error of a start. */
export async function refused(options: BootstrapOptions): Promise<string> {
  return (await assertRejects(() => bootstrap(options), Error)).message;
}

/** The error of a start with options of CORS. */
export function refusedCors(cors: unknown): Promise<string> {
  return refused({ extensions: [browser({ cors: cors as ApplicationCors })] });
}
