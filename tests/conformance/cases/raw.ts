import type { RawCase } from "../types.ts";

/** A request whose connection ends with its answer. */
function request(line: string, headers: readonly string[] = [], body = ""): string {
  return [`${line} HTTP/1.1`, "Host: localhost", "Connection: close", ...headers, "", body].join(
    "\r\n",
  );
}

const JSON_TYPE = "Content-Type: application/json";
const CHUNKED = "Transfer-Encoding: chunked";

/** Requests over a socket, because `fetch` cannot send them. */
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
    isServers: true,
    request: request("GET http://localhost/answer/object"),
    status: 200,
    includes: '{"a":1}',
  },
  {
    name: "an absolute request target that is no URL",
    isServers: true,
    request: request("GET http://localhost:abc/answer/object"),
    status: 400,
  },
  {
    name: "the URL of a request is normalized",
    isServers: true,
    request:
      "GET /wire/url/./a/%2e/../b HTTP/1.1\r\nHost: LOCALHOST:80\r\nConnection: close\r\n\r\n",
    status: 200,
    includes: '{"url":"http://localhost/wire/url/b"}',
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
    name: "a body of no bytes is none",
    request: request("POST /body/stream", ["Content-Length: 0"]),
    status: 400,
    includes: "a body is required",
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
  {
    name: "a control character in a header of a response is the application's failure",
    request: request("GET /wire/control-character"),
    status: 500,
    includes: "application/problem+json",
    excludes: /secret/,
  },
  {
    name: "a control character in a prepared header is too",
    request: request("GET /wire/prepared-control-character"),
    status: 500,
    excludes: /secret/,
  },
  {
    name: "fields about one connection are not passed on, lengths are",
    request: request("GET /wire/hop-by-hop"),
    status: 200,
    includes: "five!",
    excludes: /x-listed|timeout=1|gzip|trailer|h2c|\bte:|proxy-authenticate/i,
  },
  {
    name: "a body does not go beyond its declared length",
    isServers: true,
    mayBeNothing: true,
    request: request("GET /wire/too-long"),
    status: 200,
    excludes: /\r\ncontent-length: 4\r\n(?:.*\r\n)*\r\n.{5}/i,
  },
  {
    name: "a length that was prepared for another body is not sent",
    request: request("GET /wire/too-long/prepared"),
    status: 200,
    includes: "longer",
    excludes: /content-length: 4/i,
  },
  {
    name: "a signal that is asked for again is the same",
    request: request("GET /wire/signal"),
    status: 200,
    includes: '{"isSame":true,"isAborted":false}',
  },
  {
    name: "a length that is none is the application's failure",
    request: request("GET /wire/no-length"),
    status: 500,
  },
  {
    name: "a response of an error is the application's failure",
    request: request("GET /wire/error-response"),
    status: 500,
  },
  {
    name: "a response that was read already is the application's failure",
    request: request("GET /wire/used"),
    status: 500,
  },
  {
    name: "a body that fails cuts the connection without its message",
    request: request("GET /wire/failing-stream"),
    status: 200,
    excludes: /secret|Error/,
    isCut: true,
    isServers: true,
  },
  {
    name: "a body that fails at once cuts the connection without its message",
    request: request("GET /wire/failing-at-once"),
    status: 200,
    excludes: /secret|Error/,
    isCut: true,
    isServers: true,
  },
  {
    name: "events that fail cut the connection without their message",
    request: request("GET /wire/failing-events"),
    status: 200,
    excludes: /secret|Error/,
    isCut: true,
    isServers: true,
  },
  ...["/wire/x/../path/a", "/wire/%2e%2E/wire/./path/%2e/a", "/wire/.%2e/wire/path/b/%2E%2e/a"].map(
    (
      path,
    ) => ({
      name: `dot segments are resolved in ${path}`,
      request: request(`GET ${path}`),
      status: 200,
      includes: '{"path":"/wire/path/a","rest":"/a"}',
    }),
  ),
  {
    name: "dot segments do not lead above the root",
    request: request("GET /../../wire/path/a"),
    status: 200,
    includes: '{"path":"/wire/path/a","rest":"/a"}',
  },
  {
    name: "an encoded slash and an encoded percent sign stay apart in the rest of a path",
    request: request("GET /wire/path/a%2Fb/a%252Fb"),
    status: 200,
    includes: '"rest":"/a%2Fb/a%252Fb"',
  },
  ...["h/x", "u@h", "h?", "h#", "a b", "a, b", "h:x", "h:99999", "[::1", "%41", "1.2.3.4.5", ""]
    .map((host) => ({
      name: `'Host: ${host}' is not a host with an optional port`,
      isServers: true,
      request: `GET /answer/object HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      status: 400,
    })),
  {
    name: "two fields 'Host'",
    isServers: true,
    request: request("GET /answer/object", ["Host: other"]),
    status: 400,
  },
  ...["localhost:80", "localhost:", "[::1]:8080", "LOCALHOST", "a_b.example"].map((host) => ({
    name: `'Host: ${host}' is a host`,
    request: `GET /answer/object HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    status: 200,
    includes: '{"a":1}',
  })),
  {
    name: "HTTP/1.1 without 'Host'",
    isServers: true,
    request: "GET /answer/object HTTP/1.1\r\nConnection: close\r\n\r\n",
    status: 400,
  },
  {
    name: "HTTP/1.0 without 'Host'",
    isServers: true,
    request: "GET /wire/path/a HTTP/1.0\r\n\r\n",
    status: 200,
    includes: '{"path":"/wire/path/a","rest":"/a"}',
  },
  {
    name: "an absolute request target of another host is taken by its path",
    isServers: true,
    request: request("GET http://other.example/answer/object"),
    status: 200,
    includes: '{"a":1}',
  },
  {
    name: "an absolute request target with credentials is taken by its path",
    isServers: true,
    request: request("GET http://user:secret@other.example/answer/object"),
    status: 200,
    includes: '{"a":1}',
  },
  {
    name:
      "an absolute request target with a scheme in upper case and credentials is taken by its path",
    isServers: true,
    request: request("GET HTTP://user:secret@other.example/answer/object"),
    status: 200,
    includes: '{"a":1}',
  },
  {
    name: "an absolute request target with a scheme in upper case is taken by its path",
    isServers: true,
    request: request("GET HTTP://other.example/answer/object"),
    status: 200,
    includes: '{"a":1}',
  },
  {
    name: "an '@' in the path of an absolute request target belongs to the path",
    isServers: true,
    request: request("GET http://other.example/wire/path/a@b"),
    status: 200,
    includes: '"path":"/wire/path/a@b"',
  },
  {
    name: "an upgrade without a handler is answered like any request",
    isServers: true,
    request: request("GET /answer/object", ["Upgrade: h2c", "Connection: Upgrade"]),
    status: 200,
    includes: '{"a":1}',
  },
  {
    name: "a WebSocket handshake by another method than GET is that method",
    isServers: true,
    request: request("DELETE /answer/object", [
      "Upgrade: websocket",
      "Connection: Upgrade",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]),
    status: 405,
    includes: "application/problem+json",
  },
  {
    name: "OPTIONS of the server",
    isServers: true,
    request: request("OPTIONS *"),
    status: 204,
    includes: "nosniff",
  },
  {
    name: "CONNECT is not for a server of its own resources",
    isServers: true,
    request: request("CONNECT localhost:80"),
    status: 501,
  },
  {
    name: "CONNECT to an address is none either",
    isServers: true,
    request: request("CONNECT 127.0.0.1:80"),
    status: 501,
  },
  {
    name: "a request target without a slash",
    isServers: true,
    request: request("GET answer/object"),
    status: 400,
  },
];
