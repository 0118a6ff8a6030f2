import {
  type Configurable,
  type ExtendedApplication,
  type Extension,
  optionsOf,
} from "../../app/mod.ts";
import type { Config } from "../../config/mod.ts";
import { errorOf, refuseUnknownOptions } from "../../text/mod.ts";
import { MappingError, parsePattern, servedRoute } from "../../web/mod.ts";
import { checkCors, type Refuse } from "./cors.ts";
import { OPTIONS } from "./decorator.ts";
import { fieldSource } from "./field_source.ts";
import { fixedFields } from "./headers.ts";
import { browserSettings, hyphenated } from "./settings.ts";
import type { ApplicationCors, BrowserOptions } from "./types.ts";

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
  return Object.assign(async (application: ExtendedApplication) => {
    const { config } = application;
    const options = await optionsOf(given, config);
    refuseUnknown(options, ["cors", "headers"], refuseInCode("browser()"));
    const read = browserSettings(config);
    for (const name of ["cors", "headers"] as const) {
      if (options[name] === undefined || read[name] === undefined) continue;
      const message = `Expected it here or as '${name}' of browser(), found both: remove one`;
      throw config.error(`server.${name}`, message);
    }
    const refuseIn = (place: "cors" | "headers") =>
      options[place] === undefined ? refuseInConfig(config) : refuseInCode;
    const cors = corsOf(options.cors ?? read.cors, refuseIn("cors"));
    const headers = options.headers ?? read.headers ?? false;
    const base = headers === false
      ? {}
      : await fixedFields(headers === true ? {} : headers, refuseIn("headers")("headers"));
    const source = fieldSource(application, cors, base);
    refuseBeside(application, { cors: source.hasCors, secureHeaders: headers !== false });
    return source.hasCors || headers !== false ? { fields: source } : {};
  }, { serverKeys: ["cors", "headers"] });
}

/** How an option of a place is refused, such as `cors.paths[0]`. */
type RefuseIn = (place: string) => Refuse;

const refuseInCode: RefuseIn = (place) => (option, message) => {
  throw new MappingError(`Cannot use browser(): '${keyOf(place, option)}': ${message}`);
};

function refuseInConfig(config: Config): RefuseIn {
  return (place) => (option, message) => {
    throw config.error(`server.${keyOf(place, hyphenated(option))}`, message);
  };
}

function keyOf(place: string, option: string): string {
  return option === "" ? place : `${place}.${option}`;
}

function refuseUnknown(options: object, known: readonly string[], refuse: Refuse): void {
  refuseUnknownOptions(options, known, (message) => refuse("", message));
}

function corsOf(given: BrowserOptions["cors"], refuseIn: RefuseIn): ApplicationCors | undefined {
  if (!given) return undefined;
  const cors = given === true ? {} : given;
  refuseUnknown(cors, [...OPTIONS, "paths"], refuseIn("cors"));
  checkCors(cors, refuseIn("cors"));
  const { paths = [] } = cors;
  for (const [index, one] of paths.entries()) {
    const refuse = refuseIn(`cors.paths[${index}]`);
    refuseUnknown(one, [...OPTIONS, "path"], refuse);
    checkCors(one, refuse);
    try {
      parsePattern(one.path);
    } catch (error) {
      refuse("path", errorOf(error).message);
    }
    const isTwin = paths.findIndex(({ path }) => path === one.path) < index;
    if (isTwin) refuse("path", `expected each path once, found '${one.path}' twice`);
  }
  return cors;
}

/** Two that set the same fields would differ one day. By their names, which bundlers may shorten. */
function refuseBeside(
  { middleware, routes }: ExtendedApplication,
  own: Readonly<Record<"cors" | "secureHeaders", boolean>>,
): void {
  const used = routes.map(servedRoute).flatMap((route) =>
    route.middleware.map((one) =>
      [one.name, `@Use of '${route.type.name}.${route.handler}'`] as const
    )
  );
  const all = [
    ...middleware.map(({ name }) => [name, "'middleware' of bootstrap()"] as const),
    ...used,
  ];
  for (const [found, place] of all) {
    const [, name] = /^(cors|secureHeaders)\d*$/.exec(found) ?? [];
    if (name === undefined || !own[name as keyof typeof own]) continue;
    const key = name === "cors" ? "cors" : "headers";
    const instead = name === "cors" && place.startsWith("@") ? ", and use @CrossOrigin()" : "";
    throw new MappingError(
      `Cannot use ${name}() of Hono beside 'server.${key}' or browser(): remove ${name}() from ${place}${instead}`,
    );
  }
}
