import {
  elementsOf,
  errorOf,
  isThenable,
  printable,
  refuseUnknownOptions,
  TOKEN,
} from "../../text/mod.ts";
import { type AddedFields, type Asked, MappingError } from "../../web/mod.ts";
import { CORS_OPTIONS } from "./settings.ts";
import type { CorsOptions, Refuse } from "./types.ts";

/** The fields of answers, and the answers to preflights, by the options of an application, a path, a class or a method. */
export interface CorsPolicy {
  fields(request: Asked): AddedFields;
  preflight(request: Asked): Response;
}

const METHODS = ["GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "QUERY"];
const ALLOWED = "Access-Control-Allow-Origin";
/** The headers that make a request a preflight and choose its answer. */
const VARY = "Origin, Access-Control-Request-Method, Access-Control-Request-Headers";

/** @param base what all answers have, whatever their origin */
export function corsPolicy(options: CorsOptions, base: AddedFields): CorsPolicy {
  const { origin = "*", allowMethods = METHODS, allowHeaders = [], exposeHeaders = [] } = options;
  const { maxAge, credentials } = options;
  const denied: AddedFields = {
    ...base,
    [ALLOWED]: null,
    ...(credentials && { "Access-Control-Allow-Credentials": "true" }),
    ...(exposeHeaders.length > 0 && { "Access-Control-Expose-Headers": exposeHeaders.join(",") }),
    ...(origin !== "*" && { Vary: "Origin" }),
  };
  return {
    fields: fieldsBy(origin, denied),
    preflight(request) {
      const asked = elementsOf(request.header("access-control-request-headers"));
      const isFunction = typeof allowMethods === "function";
      const methods = [isFunction ? decided(allowMethods, request) ?? [] : allowMethods].flat();
      const lists = {
        "Access-Control-Max-Age": maxAge === undefined ? [] : [maxAge],
        "Access-Control-Allow-Methods": methods.filter(isToken),
        "Access-Control-Allow-Headers": (allowHeaders.length > 0 ? allowHeaders : asked)
          .filter(isToken),
      };
      const given = Object.entries(lists).filter(([, { length }]) => length > 0);
      const headers = Object.fromEntries(given.map(([name, list]) => [name, list.join(",")]));
      return new Response(null, { status: 204, headers: { ...headers, Vary: VARY } });
    },
  };
}

/** Objects are made at the start, so that no origin of a client adds one. A function has room for its last one. */
function fieldsBy(
  origin: NonNullable<CorsOptions["origin"]>,
  denied: AddedFields,
): CorsPolicy["fields"] {
  const allowing = (value: string): AddedFields => ({ ...denied, [ALLOWED]: value });
  if (typeof origin !== "function") {
    const known = new Map([origin].flat().map((one) => [one, allowing(one)]));
    const all = known.get("*");
    return (request) => all ?? known.get(request.header("origin") ?? "") ?? denied;
  }
  let last = denied;
  return (request) => {
    const value: unknown = decided(origin, request);
    if (typeof value !== "string" || !/^[!-~]+$/.test(value)) return denied;
    return last[ALLOWED] === value ? last : last = allowing(value);
  };
}

function isToken(name: unknown): boolean {
  return typeof name === "string" && TOKEN.test(name);
}

/** The decision of a function of the application; nothing is allowed where it fails. */
function decided<T>(
  decide: (origin: string, request: Asked) => T,
  request: Asked,
): T | undefined {
  const origin = request.header("origin") ?? "";
  try {
    const { method, path } = request;
    // It may take the request apart.
    const value = decide(origin, { method, path, header: (name) => request.header(name) });
    if (!isThenable(value)) return value;
    value.then(undefined, () => {});
    throw new TypeError("Expected a function that answers at once, found one that gives a promise");
  } catch (error) {
    const name = printable(origin);
    console.error(`Cannot decide about the origin '${name}': ${errorOf(error).message}`, error);
    return undefined;
  }
}

export function refusing(action: string): Refuse {
  return (option, message) => {
    throw new MappingError(`Cannot ${action}: ${option && `'${option}': `}${message}`);
  };
}

/** @throws what `refuse` throws, for options that no browser could use, or that would allow too much */
export function checkCors(options: CorsOptions, refuse: Refuse, more?: "path" | "paths"): void {
  const known = [...CORS_OPTIONS, ...(more ? [more] : [])];
  refuseUnknownOptions(options, known, (message) => refuse("", message));
  const { origin = "*", credentials, maxAge } = options;
  if (typeof origin !== "function" && origin !== "*") {
    [origin].flat().forEach((one) => checkOrigin(one, refuse));
  }
  if (![undefined, true, false].includes(credentials)) {
    refuse("credentials", `expected true or false, found '${credentials}'`);
  }
  if (credentials && origin === "*") {
    refuse("credentials", "expected the origins by their names beside it, found '*'");
  }
  for (const name of ["allowMethods", "allowHeaders", "exposeHeaders"] as const) {
    const list = options[name] ?? [];
    const isFunction = name === "allowMethods" && typeof list === "function";
    if (isFunction || Array.isArray(list) && list.every(isToken)) continue;
    refuse(name, `expected a list of names, found '${list}'`);
  }
  if (maxAge !== undefined && !Number.isInteger(maxAge)) {
    refuse("maxAge", `expected a whole number of seconds, found '${maxAge}'`);
  }
}

function checkOrigin(origin: string, refuse: Refuse): void {
  const url = URL.parse(origin);
  const sent = url?.origin === "null" ? `${url.protocol}//${url.host}` : url?.origin;
  const isPattern = `${origin}`.includes("*");
  if (origin === "null" || sent === origin && !isPattern) return;
  const example = `an origin such as '${sent ?? "https://a.example"}'`;
  const expected = isPattern ? "'*' alone, or a function for a pattern" : example;
  refuse("origin", `expected ${expected}, found '${origin}'`);
}
