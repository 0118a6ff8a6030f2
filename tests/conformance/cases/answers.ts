import type { Case } from "../types.ts";

const JSON_TYPE = "application/json";
const TEXT_TYPE = "text/plain;charset=UTF-8";
const CSV_TYPE = "text/csv;charset=UTF-8";

const answer = (
  name: string,
  path: string,
  status: number,
  type: string | null,
  text: string,
  headers: Case["responseHeaders"] = {},
): Case => ({
  name,
  path: `/answer${path}`,
  status,
  text,
  responseHeaders: { "content-type": type, ...headers },
});

const failed = (
  name: string,
  path: string,
  status: number,
  json?: unknown,
  headers?: Case["responseHeaders"],
): Case => ({
  name,
  path: `/answer${path}`,
  status,
  json,
  problem: true,
  responseHeaders: headers,
});

/** The response to an unexpected error reveals no detail. */
const unexpected = (name: string, path: string): Case =>
  failed(name, path, 500, {
    type: "about:blank",
    title: "Internal Server Error",
    status: 500,
    instance: `/answer${path}`,
  });

const negotiated = (
  name: string,
  path: string,
  accept: string,
  status: number,
  type: string,
  text?: string,
): Case => ({
  name,
  path: `/answer${path}`,
  headers: { Accept: accept },
  status,
  responseHeaders: { "content-type": type },
  text,
});

const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const PROBLEM = "application/problem+json";

const consumes = (name: string, type: string, status: number, text?: string): Case => ({
  name,
  method: "POST",
  path: "/answer/consumes",
  headers: { "Content-Type": type },
  body: () => "{}",
  status,
  text,
  responseHeaders: status === 415 ? { accept: "application/json, text/*, application/*+xml" } : {},
});

export const answers: readonly Case[] = [
  answer("an object is JSON", "/object", 200, JSON_TYPE, '{"a":1}', {
    "x-content-type-options": "nosniff",
  }),
  answer("an array is JSON", "/array", 200, JSON_TYPE, "[]"),
  answer("a string is sent as it is", "/string", 200, TEXT_TYPE, "<b>é</b>", {
    "x-content-type-options": "nosniff",
  }),
  answer("an empty string", "/empty-string", 200, TEXT_TYPE, ""),
  answer("null is JSON", "/null", 200, JSON_TYPE, "null"),
  answer("0 is JSON", "/zero", 200, JSON_TYPE, "0"),
  answer("false is JSON", "/false", 200, JSON_TYPE, "false"),
  answer("undefined is 204", "/undefined", 204, null, ""),
  answer("undefined with a status", "/undefined-created", 201, null, ""),
  answer("the mapping's status", "/accepted", 202, TEXT_TYPE, "later"),
  answer("204 has no body", "/no-content", 204, null, ""),
  answer("an entity says its own status", "/entity-status", 200, JSON_TYPE, "1"),
  answer("bytes", "/bytes", 200, "application/octet-stream", "bytes"),
  answer("a stream", "/stream", 200, "application/octet-stream", "stream"),
  answer(
    "an async iterable is server-sent events",
    "/events",
    200,
    "text/event-stream",
    'data: {"n":1}\n\ndata: two\n\n',
  ),
  answer("a Response as it is", "/response", 418, "text/own", "as is", {
    "x-own": "1",
    "x-content-type-options": "nosniff",
  }),
  answer("a Response with a text", "/response/text", 200, TEXT_TYPE, "text"),
  answer("a Response with a text and a header", "/response/own", 200, TEXT_TYPE, "text", {
    "x-own": "1",
  }),
  {
    ...answer("HEAD of a Response with a text", "/response/text", 200, TEXT_TYPE, ""),
    method: "HEAD",
  },
  {
    ...answer("HEAD of a Response with a header", "/response/own", 200, TEXT_TYPE, "", {
      "x-own": "1",
    }),
    method: "HEAD",
  },
  answer(
    "a Response with bytes and no type",
    "/response/bytes",
    200,
    "application/octet-stream",
    "bytes",
  ),
  answer("a promise", "/promise", 200, JSON_TYPE, '{"a":1}'),
  answer("a falsy body: 0", "/entity/falsy/zero", 200, JSON_TYPE, "0"),
  answer("a falsy body: text", "/entity/falsy/empty", 200, TEXT_TYPE, ""),
  answer("a falsy body: false", "/entity/falsy/false", 200, JSON_TYPE, "false"),
  answer("a falsy body: list", "/entity/falsy/list", 200, JSON_TYPE, "[]"),
  answer("withHeader appends", "/entity/headers", 200, JSON_TYPE, '"a"', { "x-a": "1, 2" }),
  answer("created sets Location", "/entity/created", 201, JSON_TYPE, '{"id":1}', {
    location: "/answer/1",
  }),
  answer(
    "an object as XML",
    "/entity/xml",
    200,
    "application/xml",
    `${XML_HEAD}<response><user><name>&lt;Ada &amp; Bob&gt;</name>` +
      "<tags>a</tags><tags>b</tags><none/></user></response>",
  ),
  answer(
    "an array as XML",
    "/entity/xml-array",
    200,
    "application/xml",
    `${XML_HEAD}<response><item>1</item><item>2</item></response>`,
  ),
  answer("a text as XML is sent as it is", "/entity/xml-text", 200, "application/xml", "<own/>"),
  answer("204 of an entity has no body", "/entity/no-content", 204, null, ""),
  answer("304 has no body", "/entity/not-modified", 304, null, "", { etag: '"1"' }),
  unexpected("a name that XML cannot hold", "/entity/xml-invalid"),
  {
    ...unexpected("a header with a line break is refused", "/entity/header-injection"),
    responseHeaders: { "x-b": null },
  },
  unexpected("a header with a control character is refused", "/entity/control-character"),
  unexpected("a header of the connection is refused", "/entity/connection"),
  unexpected("a length that was set on the headers of an entity is refused", "/entity/length"),
  answer("a header in Latin-1", "/entity/latin-1", 200, JSON_TYPE, '"a"', { "x-a": "caf\xe9" }),
  failed("withJson() of a problem has its type", "/entity/problem", 410),
  answer("a redirect", "/redirect", 302, null, "", {
    location: "http://localhost/answer/object",
    "x-content-type-options": "nosniff",
  }),
  answer(
    "a context that is seen through a default",
    "/context/default",
    200,
    TEXT_TYPE,
    "prepared",
    {
      "x-prepared": "1",
    },
  ),
  answer("a context that is seen through a rest", "/context/rest", 200, TEXT_TYPE, "prepared", {
    "x-prepared": "1",
  }),
  failed("what a generator throws before its first value", "/events/refused", 409),
  unexpected("a first value that cannot be written", "/events/unwritable"),
  answer("a generator without values", "/events/none", 200, "text/event-stream", ""),
  answer(
    "a generator that is not async",
    "/events/sync",
    200,
    "text/event-stream",
    'data: {"n":1}\n\ndata: two\n\n',
  ),
  answer(
    "events of an entity",
    "/events/entity",
    200,
    "text/event-stream",
    'data: {"n":1}\n\ndata: two\n\n',
    { "x-a": "1", "x-content-type-options": "nosniff" },
  ),
  answer("pieces of another type as they are", "/csv", 200, CSV_TYPE, "a;b\né;2\n", {
    "x-content-type-options": "nosniff",
    "cache-control": null,
  }),
  answer("pieces of a generator that is not async", "/csv/sync", 200, CSV_TYPE, "a;b\n1;2\n"),
  answer("pieces of an entity", "/csv/entity", 200, CSV_TYPE, "a;b\né;2\n"),
  unexpected("a piece that is neither text nor bytes", "/csv/object"),
  unexpected("a Map, which JSON would write as if it were empty", "/map"),
  unexpected("a Set, which JSON would write as if it were empty", "/set"),
  unexpected("an Error that was returned", "/returned-error"),
  unexpected("Hono's exception with the status of a success", "/error/no-error"),
  failed("Hono's exception with a response that was received", "/error/exception-of-a-proxy", 502, {
    type: "about:blank",
    title: "Bad Gateway",
    status: 502,
    instance: "/answer/error/exception-of-a-proxy",
  }, { "x-own": "1", "te": null }),
  unexpected("JSON cannot hold a bigint", "/bigint"),
  unexpected("JSON cannot hold a cycle", "/cycle"),
  unexpected("an unexpected error reveals nothing", "/error/unexpected"),
  unexpected("a rejected handler reveals nothing", "/error/async"),
  unexpected("a thrown text reveals nothing", "/error/text"),
  unexpected("a thrown undefined reveals nothing", "/error/undefined"),
  failed("an HttpError", "/error/http", 409, {
    type: "about:blank",
    title: "Conflict",
    status: 409,
    detail: "Taken",
    instance: "/answer/error/http",
  }, { "retry-after": "5", "x-content-type-options": "nosniff" }),
  failed("an HttpError of the server keeps its message", "/error/http-503", 503, {
    type: "about:blank",
    title: "Service Unavailable",
    status: 503,
    instance: "/answer/error/http-503",
  }),
  failed("Hono's exception with the headers of its response", "/error/exception", 401, {
    type: "about:blank",
    title: "Unauthorized",
    status: 401,
    detail: "Sign in",
    instance: "/answer/error/exception",
  }, { "www-authenticate": 'Basic realm="a"' }),

  consumes("consumes: the first", "application/json; charset=utf-8", 200, "json"),
  consumes("consumes: a wildcard", "text/csv", 200, "text"),
  consumes("consumes: a suffix", "application/atom+xml", 200, "text"),
  consumes("consumes: nothing fits", "image/png", 415),
  {
    name: "consumes: no type",
    method: "POST",
    path: "/answer/consumes",
    status: 415,
    problem: true,
    responseHeaders: { accept: "application/json, text/*, application/*+xml" },
  },
  negotiated("produces: anything", "/produces", "*/*", 200, JSON_TYPE, '{"type":"json"}'),
  negotiated("produces: JSON", "/produces", "application/json", 200, JSON_TYPE),
  negotiated(
    "produces: XML",
    "/produces",
    "application/xml",
    200,
    "application/xml",
    `${XML_HEAD}<response><type>xml</type></response>`,
  ),
  negotiated(
    "produces: the higher quality",
    "/produces",
    "*/*;q=0.1, application/xml;q=0.2",
    200,
    "application/xml",
  ),
  negotiated(
    "produces: a quality of zero",
    "/produces",
    "application/json;q=0, */*",
    200,
    "application/xml",
  ),
  negotiated("produces: a range", "/produces-csv", "text/*", 200, CSV_TYPE, "a,b"),
  negotiated(
    "produces: with a parameter",
    "/produces-csv",
    "text/html",
    200,
    "text/html;charset=UTF-8",
  ),
  negotiated("produces: nothing fits", "/produces", "image/png", 406, PROBLEM),
  negotiated("produces: everything refused", "/produces", "*/*;q=0", 406, PROBLEM),
  negotiated("Accept without produces does not matter", "/object", "image/png", 200, JSON_TYPE),
  {
    name: "a more specific path that does not consume hides nothing",
    method: "POST",
    path: "/answer/narrow/special",
    headers: { "Content-Type": "text/plain" },
    body: () => "a",
    status: 200,
    text: "wide special",
  },
  {
    name: "a more specific path that consumes",
    method: "POST",
    path: "/answer/narrow/special",
    headers: { "Content-Type": "application/json" },
    body: () => "1",
    status: 200,
    text: "special",
  },
];
