/**
 * Sends random requests to the conformance application over a connection and to `app.fetch`, and prints the differences as
 * JSON: `asked <seed> <number of requests> <setting> [<that of app.fetch, if it is another>]`.
 */
import process from "node:process";
import { cases } from "../../conformance/cases/mod.ts";
import { quietly } from "../../conformance/quietly.ts";
import { type Answer, type Asked, type Fields, inProcess, overSocket } from "../../exchange.ts";
import { Random } from "../attacks.ts";
import { conformanceIn } from "./conformance_in.ts";

/** Header fields about the connection and the framing of the body, and those that differ in each response. */
const IGNORED = ["date", "connection", "keep-alive", "transfer-encoding"];
const ID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

/** Requests that are answered differently over a connection, each with the reason. */
const KNOWN: readonly { readonly is: (asked: Asked) => boolean; readonly why: string }[] = [
  {
    is: ({ path }) =>
      /^\/(?:wire\/(?:failing|too-long|no-length|hop-by-hop)|errors\/events)/.test(path),
    why: "Connections are cut, and have fields of their own",
  },
  { is: ({ path }) => path.startsWith("/socket"), why: "Only a connection becomes a WebSocket" },
  {
    is: ({ path, method, body }) =>
      method === "POST" && body === undefined && /^\/body\/(?:stream|taken)/.test(path),
    why: "A defect: Deno and Node have an empty body where a request has none and no length",
  },
];

const SEGMENTS = [
  ...[
    "a",
    "7",
    "-1",
    "1e3",
    "007",
    "a.b",
    ".",
    "..",
    "%37",
    "%2F",
    "%2f7",
    "%",
    "%zz",
    "",
    "~",
    "*",
  ],
  ...[
    ":p1",
    "a;b",
    "a,b",
    "+",
    "%C3%A9",
    "%00",
    "%5C",
    "@",
    "[1]",
    "|",
    "^",
    "'",
    "Users",
    "%E0%A4",
  ],
  ...[
    "9007199254740993",
    "1234567890123456789012345",
    "__proto__",
    "constructor",
    "%20",
    "%F0%9F%98%80",
  ],
];
const VALUES = [
  "",
  "1",
  "-0",
  "1.5",
  "true",
  "a%20b",
  "a+b",
  "%",
  "%zz",
  "%C3%A9",
  "2026-01-31",
  "null",
  "a,b",
];
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];
const BODIES = [
  ...[
    '{"a":1}',
    "{",
    "",
    "null",
    '{"__proto__":1}',
    "\xff",
    '"\xc3\xa9"',
    "[1,2]",
    "a=1&b=%zz",
    "a=1&a=2",
  ],
  ...[
    '{"name":"Ada","age":36}',
    '{"name":"","age":-1}',
    "name=Ada&age=36",
    "x".repeat(3000),
    "\xef\xbb\xbf{}",
  ],
];
const FIELDS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ["Accept", [
    "*/*",
    "application/json",
    "text/html, */*;q=0.1",
    "application/xml",
    "text/csv",
    "text/event-stream",
    "application/json;q=0",
    "a/b",
    ";;",
    "*",
  ]],
  ["Accept-Encoding", ["gzip", "identity;q=0", "br, gzip"]],
  ["Content-Type", [
    "application/json",
    "application/json; charset=utf-8",
    "APPLICATION/JSON",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/xml",
    "json",
    "a/b, c/d",
  ]],
  ["Origin", ["https://shop.example", "https://get.example", "null", "a b"]],
  ["Access-Control-Request-Method", ["GET", "POST", "x"]],
  ["X-Request-Id", ["r-1", "a b", "x".repeat(300), "<x>"]],
  ["If-None-Match", ['"7"', 'W/"7"', "*", "7", '"1", "7"']],
  ["If-Match", ['"7"', "*", "7", 'W/"7"']],
  ["Range", ["bytes=0-1", "bytes=x", "items=1-2"]],
  ["X-API-Version", ["1", "2", "3", "9", "__proto__", "1, 2"]],
  ["Authorization", ["Basic x", "Bearer good", "Bearer x", `Basic ${btoa("a:b")}`]],
  ["Cookie", ["theme=dark", "theme=%", "a=1; a=2", ";;", "session=1"]],
  ["X-Count", ["3", "x", ""]],
  ["X-Tags", ["a", "a, b"]],
  ["X-Blocked", ["1"]],
  ["X-Forwarded-For", ["10.0.0.1", "x"]],
  ["X-HTTP-Method-Override", ["DELETE"]],
];

const [seed, count, setting = "", other = setting] = process.argv.slice(2);
const random = new Random(Number(seed));
const served = await conformanceIn(setting);
const called = await conformanceIn(other);
const bases = [
  ...served.routeTable.map(({ method, path }): Asked => ({ method, path })),
  ...cases.map((one): Asked => ({
    ...one,
    fields: Object.entries(one.headers ?? {}),
    body: encodeBody(one.body?.()),
  })),
];

/** A request of the suite or of a route, with a few peculiarities. */
function request(): Asked {
  const base = random.of(bases);
  let { method = "GET", body } = base;
  let path = random.below(20) === 0 ? "/x".repeat(1 + random.below(3)) : base.path;
  path = path.replace(/\{\*?\w+\}/g, () => random.of(SEGMENTS));
  if (random.below(6) === 0) path = path.replace(/[^/?]+(?=\?|$)/, () => random.of(SEGMENTS));
  if (random.below(10) === 0) path += random.of(["/", "//", "/.", ";v=1", "%2F"]);
  if (random.below(4) === 0) {
    const query = `${random.of(["v", "q", "name", "page", "%76", "", "size"])}=${
      random.of(VALUES)
    }`;
    path += `${path.includes("?") ? "&" : "?"}${query}`;
  }
  if (random.below(5) === 0) method = random.of(METHODS);
  if (random.below(4) === 0) body = random.of(BODIES);
  if (method === "GET" || method === "HEAD") body = undefined;
  const fields = new Map(
    (base.fields ?? []).map(([name, value]) => [name.toLowerCase(), [name, value] as const]),
  );
  for (let time = random.below(4); time > 0; time--) {
    const [name, values] = random.of(FIELDS);
    fields.set(name.toLowerCase(), [name, random.of(values)]);
  }
  const { pathname, search } = new URL(`http://localhost${path}`);
  return {
    method,
    path: pathname + search,
    fields: [...fields.values()],
    body,
    isChunked: body !== undefined && random.below(4) === 0,
  };
}

function encodeBody(body: BodyInit | undefined): string | undefined {
  return typeof body === "string" ? unescape(encodeURIComponent(body)) : undefined;
}

function written({ status, fields, body }: Answer): string {
  const kept: Fields = fields.filter(([name]) => !IGNORED.includes(name));
  return [status, ...kept.map((field) => field.join(": ")), "", body].join("\n").replace(
    ID,
    "<id>",
  );
}

/** The results of the requests. */
export interface AskedReport {
  /** Those that were answered in two ways. */
  readonly different: readonly {
    readonly asked: Asked;
    /** By `listen()`. */
    readonly found: string;
    /** By `app.fetch`. */
    readonly expected: string;
  }[];
  /** How often `listen()` answered with each status. */
  readonly statuses: Readonly<Record<number, number>>;
}

const different: AskedReport["different"][number][] = [];
const statuses: Record<number, number> = {};
await quietly(async () => {
  const ways = [overSocket((await served.listen()).url), inProcess(called.fetch)];
  for (let time = 0; time < Number(count); time++) {
    const asked = request();
    if (KNOWN.some(({ is }) => is(asked))) continue;
    const answers = ways.map((ask) => ask(asked).then(written, (error) => `rejects: ${error}`));
    const [found = "", expected = ""] = await Promise.all(answers);
    const status = Number(found.split("\n")[0]);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (found !== expected) different.push({ asked, found, expected });
  }
});
const report: AskedReport = { different, statuses };
process.stdout.write(JSON.stringify(report));
process.exit(0);
