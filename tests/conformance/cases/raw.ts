import type { RawCase } from "../types.ts";

/** A request whose connection ends with its answer. */
function request(line: string, headers: readonly string[] = [], body = ""): string {
  return [`${line} HTTP/1.1`, "Host: localhost", "Connection: close", ...headers, "", body].join(
    "\r\n",
  );
}

const JSON_TYPE = "Content-Type: application/json";
const CHUNKED = "Transfer-Encoding: chunked";

/** What `fetch` cannot send, over a socket. */
export const raw: readonly RawCase[] = [
  {
    name: "no Accept header",
    request: request("GET /answer/produces"),
    status: 200,
    includes: '{"type":"json"}',
  },
  {
    name: "headers in any case",
    request: request("GET /binding/header", ["x-COUNT: 3"]),
    status: 200,
    includes: '{"count":3}',
  },
  {
    name: "a repeated header is a list",
    request: request("GET /binding/headers", ["X-Tags: a", "X-Tags: b"]),
    status: 200,
    includes: '{"tags":["a","b"]}',
  },
  {
    name: "an absolute request target",
    request: request("GET http://localhost/answer/object"),
    status: 200,
    includes: '{"a":1}',
  },
  {
    name: "malformed percent-encoding",
    request: request("GET /routing/users/%zz"),
    status: 400,
    includes: "application/problem+json",
  },
  {
    name: "HEAD has no body",
    request: request("HEAD /answer/object"),
    status: 200,
    includes: "application/json",
  },
  {
    name: "HEAD of a problem has no body",
    request: request("HEAD /nowhere"),
    status: 404,
  },
  {
    name: "a chunked body",
    request: request("POST /body/any", [JSON_TYPE, CHUNKED], '3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n'),
    status: 200,
    includes: '{"body":{"a":1}}',
  },
  {
    name: "a chunked body that is too large",
    request: request(
      "POST /body/any",
      [JSON_TYPE, CHUNKED],
      `3e8\r\n${"1".repeat(1000)}\r\n`.repeat(3) + "0\r\n\r\n",
    ),
    status: 413,
    includes: "application/problem+json",
  },
  {
    name: "a declared length that is too large, before the body is sent",
    request: request("POST /body/any", [JSON_TYPE, "Content-Length: 1000000"]),
    status: 413,
    includes: "application/problem+json",
  },
  {
    name: "an empty body with a length",
    request: request("POST /body/any", [JSON_TYPE, "Content-Length: 0"]),
    status: 400,
    includes: "a body is required",
  },
  {
    name: "a body with neither length nor chunks is none",
    request: request("POST /body/any", [JSON_TYPE]),
    status: 400,
    includes: "a body is required",
  },
  {
    name: "two types in one Content-Type",
    request: request(
      "POST /body/any",
      ["Content-Type: application/json, text/plain", "Content-Length: 1"],
      "1",
    ),
    status: 415,
  },
];
