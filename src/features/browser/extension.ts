import {
  type Configurable,
  type ExtendedApplication,
  type Extension,
  optionsOf,
} from "../../app/mod.ts";
import { errorOf, refuseUnknownOptions } from "../../text/mod.ts";
import { MappingError, parsePattern, servedRoute } from "../../web/mod.ts";
import { checkCors } from "./cors.ts";
import { fieldSource } from "./field_source.ts";
import { fixedFields } from "./headers.ts";
import { browserSettings, CORS_OPTIONS, hyphenated } from "./settings.ts";
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
    const options = await optionsOf(given, config);
    refuseUnknown(options, PARTS, refuseInCode);
    const read = browserSettings(config);
    const refuseIn = (part: "cors" | "headers"): Refuse => {
      if (options[part] === undefined) {
        return (option, message) => {
          throw config.error(`server.${hyphenated(keyOf(part, option))}`, message);
        };
      }
      if (read[part] === undefined) {
        return (option, message) => refuseInCode(keyOf(part, option), message);
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
  return Object.assign(extension, { keys: PARTS.map((part) => `server.${part}`) });
}

const PARTS = ["cors", "headers"];

const refuseInCode: Refuse = (option, message) => {
  throw new MappingError(`Cannot use browser(): ${option === "" ? "" : `'${option}': `}${message}`);
};

function keyOf(place: string, option: string): string {
  return option === "" ? place : `${place}.${option}`;
}

function refuseUnknown(options: object, known: readonly string[], refuse: Refuse): void {
  refuseUnknownOptions(options, known, (message) => refuse("", message));
}

function corsOf(given: BrowserOptions["cors"], refuse: Refuse): ApplicationCors | undefined {
  if (!given) return undefined;
  const cors = given === true ? {} : given;
  refuseUnknown(cors, [...CORS_OPTIONS, "paths"], refuse);
  checkCors(cors, refuse);
  const seen = new Set<string>();
  for (const [index, one] of (cors.paths ?? []).entries()) {
    const refuseHere: Refuse = (option, message) =>
      refuse(keyOf(`paths[${index}]`, option), message);
    refuseUnknown(one, [...CORS_OPTIONS, "path"], refuseHere);
    checkCors(one, refuseHere);
    try {
      const { text } = parsePattern(one.path);
      if (seen.has(text)) refuseHere("path", `expected each path once, found '${text}' twice`);
      seen.add(text);
    } catch (error) {
      refuseHere("path", errorOf(error).message);
    }
  }
  return cors;
}

/** Which of two counts would be a matter of chance. By their names, which bundlers may shorten. */
function refuseBeside(
  { middleware, routes }: ExtendedApplication,
  own: Readonly<Record<string, boolean>>,
): void {
  const used = routes.map(servedRoute).flatMap((route) => {
    const place = `@Use of '${route.type.name}.${route.handler}'`;
    return route.middleware.map(({ name }) => ({ name, place }));
  });
  const all = [
    ...middleware.map(({ name }) => ({ name, place: "'middleware' of bootstrap()" })),
    ...used,
  ];
  for (const { name, place } of all) {
    const [, found = ""] = /^(cors|secureHeaders)\d*$/.exec(name) ?? [];
    if (own[found] !== true) continue;
    const message =
      `Cannot use ${found}() of Hono beside that of browser(): remove it from ${place}`;
    throw new MappingError(message);
  }
}
