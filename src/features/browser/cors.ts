import type { AddedFields } from "../../http/mod.ts";
import { elementsOf, errorOf, printable, TOKEN } from "../../text/mod.ts";
import type { Asked } from "../../web/mod.ts";
import type { CorsOptions } from "./types.ts";

/** The fields of answers, and the answers to preflights, by the options of an application, a path, a class or a method. */
export interface CorsPolicy {
  fields(request: Asked): AddedFields;
  preflight(request: Asked): Response;
}

export const ORIGIN = "Access-Control-Allow-Origin";
const METHODS: CorsOptions["allowMethods"] = "GET HEAD PUT POST DELETE PATCH QUERY".split(" ");

/** What decides whether a request is a preflight, and what its answer has. */
const PREFLIGHT = {
  Vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
};

/** @param base what all answers have, whatever their origin */
export function corsPolicy(options: CorsOptions, base: AddedFields): CorsPolicy {
  const { origin = "*", allowMethods = METHODS!, allowHeaders = [], exposeHeaders = [] } = options;
  const { maxAge, credentials = false } = options;
  const denied: AddedFields = {
    ...base,
    ...(credentials && { "Access-Control-Allow-Credentials": "true" }),
    ...(exposeHeaders.length > 0 && { "Access-Control-Expose-Headers": exposeHeaders.join(",") }),
    ...(origin !== "*" && { Vary: "Origin" }),
  };
  return {
    fields: fieldsBy(origin, denied),
    preflight(request) {
      const headers = new Headers(PREFLIGHT);
      const set = (name: string, values: readonly (string | number)[]) => {
        if (values.length > 0) headers.set(`Access-Control-${name}`, values.join(","));
      };
      set("Max-Age", maxAge === undefined ? [] : [maxAge]);
      const methods = typeof allowMethods === "function"
        ? decided(() => allowMethods(request.header("origin") ?? "", request), request) ?? []
        : allowMethods;
      set("Allow-Methods", [methods].flat().filter((method) => TOKEN.test(method)));
      const asked = elementsOf(request.header("access-control-request-headers"));
      set("Allow-Headers", allowHeaders.length > 0 ? allowHeaders : asked.filter(isToken));
      return new Response(null, { status: 204, headers });
    },
  };
}

/** Objects are made at the start, so that no origin of a client adds one. A function has room for its last one. */
function fieldsBy(
  origin: NonNullable<CorsOptions["origin"]>,
  denied: AddedFields,
): CorsPolicy["fields"] {
  const allowing = (value: string): AddedFields => ({ ...denied, [ORIGIN]: value });
  if (origin === "*") {
    const all = allowing(origin);
    return () => all;
  }
  if (typeof origin !== "function") {
    const known = new Map([origin].flat().map((one) => [one, allowing(one)]));
    return (request) => known.get(request.header("origin") ?? "") ?? denied;
  }
  let last = denied;
  return (request) => {
    const value = decided(() => origin(request.header("origin") ?? "", request), request);
    if (typeof value !== "string" || !/^[!-~]+$/.test(value)) return denied;
    return last[ORIGIN] === value ? last : last = allowing(value);
  };
}

function isToken(name: string): boolean {
  return TOKEN.test(name);
}

/** What a function of the application gives; nothing is allowed where it fails. */
function decided<T>(decide: () => T, request: Asked): T | undefined {
  try {
    const value = decide();
    if (!(value instanceof Promise)) return value;
    value.catch(() => {});
    throw new TypeError("Expected a function that answers at once, found a promise");
  } catch (error) {
    const origin = printable(request.header("origin") ?? "");
    console.error(`Cannot decide about the origin '${origin}': ${errorOf(error).message}`, error);
    return undefined;
  }
}

/** Of options and keys, which are written with hyphens. */
export type Refuse = (option: string, message: string) => never;

/** @throws what `refuse` throws, for options that no browser could use, or that would allow too much */
export function checkCors(options: CorsOptions, refuse: Refuse): void {
  const { origin = "*", allowMethods, credentials, maxAge } = options;
  if (typeof origin !== "function") {
    for (const one of [origin].flat()) checkOrigin(one, origin === "*", refuse);
  }
  if (credentials && origin === "*") {
    refuse("credentials", "expected the names of origins beside 'credentials', found origin '*'");
  }
  const lists = { allowHeaders: options.allowHeaders, exposeHeaders: options.exposeHeaders };
  const methods = typeof allowMethods === "function" ? undefined : allowMethods;
  for (const [name, list] of Object.entries({ ...lists, allowMethods: methods })) {
    if (list === undefined || Array.isArray(list) && list.every(isToken)) continue;
    refuse(name, `expected a list of names, found '${list}'`);
  }
  if (maxAge !== undefined && !(Number.isInteger(maxAge) && maxAge >= -1)) {
    refuse("maxAge", `expected a whole number of seconds, or -1, found '${maxAge}'`);
  }
}

function checkOrigin(origin: string, isAll: boolean, refuse: Refuse): void {
  if (isAll || origin === "null") return;
  const url = typeof origin === "string" ? URL.parse(origin) : null;
  const sent = url?.origin === "null" ? `${url.protocol}//${url.host}` : url?.origin;
  if (sent === origin) return;
  const expected = origin === "*" ? "'*' alone" : `'${sent ?? "https://shop.example"}'`;
  refuse(
    "origin",
    `expected an origin as browsers send it, such as ${expected}, found '${origin}'`,
  );
}
