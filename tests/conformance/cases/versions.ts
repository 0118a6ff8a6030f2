import type { Case } from "../types.ts";

const HEADER = "X-API-Version";
const ONE_OF = "expected one of '1', '2', '3'";

const of = (
  name: string,
  version: string | undefined,
  expected: Partial<Case> & { readonly status: number },
): Case => ({
  name,
  path: "/versions",
  ...expected,
  headers: { ...(version !== undefined && { [HEADER]: version }), ...expected.headers },
  responseHeaders: { vary: "x-api-version", ...expected.responseHeaders },
});

const refused = (name: string, version: string, method = "GET"): Case =>
  of(name, version, { method, status: 400, problem: [{ header: HEADER, message: ONE_OF }] });

/** Two versions of an API behind one path. */
export const versions: readonly Case[] = [
  of("one that is deprecated says so", "1", {
    status: 200,
    text: "first",
    responseHeaders: {
      deprecation: "@1769817600",
      sunset: "Thu, 31 Dec 2026 00:00:00 GMT",
      link: '</v1>; rel="deprecation"',
    },
  }),
  of("another one does not", "2", {
    status: 200,
    text: "second",
    responseHeaders: { deprecation: null, sunset: null, link: null },
  }),
  of("none is the default", undefined, { status: 200, text: "second" }),
  of("HEAD is like GET", "1", { method: "HEAD", status: 200, text: "" }),
  refused("one that there is not", "4"),
  refused("two of them", "1, 2"),
  refused("a name of every object", "constructor"),
  refused("one that there is not, with a method that there is not", "4", "DELETE"),
  of("none of the path", "3", { status: 404, problem: true }),
  of("none with the method", "1", {
    method: "POST",
    status: 405,
    problem: true,
    responseHeaders: { allow: "GET, HEAD, OPTIONS" },
  }),
  of("one with the method", "2", { method: "POST", status: 200, text: "created" }),
  of("the types of one version are not those of another", "1", {
    status: 200,
    text: "first",
    headers: { Accept: "image/png" },
  }),
  of("none with the type", "2", { status: 406, problem: true, headers: { Accept: "image/png" } }),
  of("that of the class", "1", { path: "/versions/both", status: 200, text: "both" }),
  of("a less specific path of the version", "3", {
    path: "/versions/both",
    status: 400,
    problem: [{ parameter: "id", message: "expected an integer, found 'both'" }],
  }),
  of("OPTIONS needs none", undefined, {
    method: "OPTIONS",
    status: 204,
    responseHeaders: { allow: "GET, HEAD, POST, OPTIONS" },
  }),
  {
    name: "has no effect on caches where no route depends on it",
    path: "/pages/asked",
    headers: { [HEADER]: "4" },
    status: 200,
    responseHeaders: { vary: null },
  },
];
