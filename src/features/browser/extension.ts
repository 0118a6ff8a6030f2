import {
  type Configurable,
  configured,
  type ExtendedApplication,
  type Extension,
} from "../../app/mod.ts";
import { errorOf, refuseUnknownOptions } from "../../text/mod.ts";
import { compareSpecificity, MappingError, parsePattern, servedRoute } from "../../web/mod.ts";
import { checkCors, refusing } from "./cors.ts";
import { fieldSource } from "./field_source.ts";
import { fixedFields } from "./headers.ts";
import { browserSettings, hyphenated } from "./settings.ts";
import type { ApplicationCors, BrowserOptions, Refuse } from "./types.ts";

/**
 * CORS and security headers for all answers of an application, those of errors, middleware and mounted applications
 * included: the options of `cors()` and `secureHeaders()` of Hono. Preflights are answered before routes, middleware and
 * authentication. `bootstrap()` adds it itself where `server.cors` or `server.headers` is configured; on edge isolates it
 * has to stand among the extensions for these keys.
 *
 * ```ts ignore
 * const app = await bootstrap({
 *   root: import.meta.dirname,
 *   extensions: [browser({ cors: { origin: ["https://shop.example"] }, headers: true })],
 * });
 * ```
 *
 * @param given options, or a function that returns them for a configuration
 * @throws {MappingError} at startup, for options that are not allowed, and beside `cors()` or `secureHeaders()` of Hono
 * @throws {ConfigError} at startup, for such keys, and for keys of which the options say the same
 */
export function browser(given: Configurable<BrowserOptions> = {}): Extension {
  const extension: Extension = async (application) => {
    const { config } = application;
    const options = await configured(given, config);
    refuseUnknownOptions(options, PARTS, (message) => refuse("", message));
    const read = browserSettings(config);
    const refuseIn = (part: "cors" | "headers"): Refuse => {
      if (options[part] === undefined) {
        return (option, message) => {
          throw config.error(`server.${hyphenated(below(part, option))}`, message);
        };
      }
      if (read[part] === undefined) {
        return (option, message) => refuse(below(part, option), message);
      }
      const message = `Expected it here or as '${part}' of browser(), found both: remove one`;
      throw config.error(`server.${part}`, message);
    };
    const cors = corsOf(options.cors ?? read.cors, refuseIn("cors"));
    const headers = options.headers ?? read.headers;
    const base = headers
      ? await fixedFields(headers === true ? {} : headers, refuseIn("headers"))
      : {};
    const fields = fieldSource(application, cors, base);
    refuseBeside(application, { cors: fields.hasCors, secureHeaders: Boolean(headers) });
    return fields.hasCors || headers ? { fields } : {};
  };
  return Object.assign(extension, { keys: PARTS });
}

const PARTS = ["cors", "headers"];
const refuse = refusing("use browser()");

function below(place: string, option: string): string {
  return option === "" ? place : `${place}.${option}`;
}

function corsOf(given: BrowserOptions["cors"], refuse: Refuse): ApplicationCors | undefined {
  if (!given) return undefined;
  const cors = given === true ? {} : given;
  if (Array.isArray(cors)) refuse("", "expected true or a map of options, found a list");
  checkCors(cors, refuse, "paths");
  const seen: ReturnType<typeof parsePattern>[] = [];
  for (const [index, one] of (cors.paths ?? []).entries()) {
    const refuseHere: Refuse = (option, message) =>
      refuse(below(`paths[${index}]`, option), message);
    checkCors(one, refuseHere, "path");
    let pattern;
    try {
      pattern = parsePattern(one.path);
    } catch (error) {
      refuseHere("path", errorOf(error).message);
    }
    if (seen.some((other) => compareSpecificity(other, pattern) === 0)) {
      refuseHere("path", `expected it once, found '${one.path}' twice`);
    }
    seen.push(pattern);
  }
  return cors;
}

/** Which of two counts would be a matter of chance. By their names, which bundlers may shorten. */
function refuseBeside(
  { middleware, routes }: ExtendedApplication,
  own: Readonly<Record<string, boolean>>,
): void {
  const used = routes.map(servedRoute).flatMap(({ type, handler, middleware }) =>
    middleware.map(({ name }) => ({ name, place: `@Use of '${type.name}.${handler}'` }))
  );
  const all = middleware.map(({ name }) => ({ name, place: "'middleware' of bootstrap()" }));
  for (const { name, place } of [...all, ...used]) {
    const [, found = ""] = /^(cors|secureHeaders)\d*$/.exec(name) ?? [];
    if (!own[found]) continue;
    throw new MappingError(
      `Cannot use ${found}() of Hono beside that of browser(): remove it from ${place}`,
    );
  }
}
