/**
 * Sends random raw requests to an application twice, with and without its lane, and prints the differences as JSON:
 * `compared <seed> <number of requests>`.
 */
import {
  bootstrap,
  GetMapping,
  HttpError,
  PathVariable,
  PostMapping,
  RequestBody,
  RequestParam,
  RestController,
} from "irori";
import { Buffer } from "node:buffer";
import { connect } from "node:net";
import process from "node:process";

@RestController()
class Things {
  @GetMapping("/users/me")
  me() {
    return { id: 0 };
  }

  @GetMapping("/users/{id}", PathVariable("id", "int"))
  get(id: number) {
    return { id };
  }

  @GetMapping("/a/{x}/{y}", PathVariable("x"), PathVariable("y"))
  both(x: string, y: string) {
    return { x, y };
  }

  @GetMapping("/search", RequestParam("q", { required: false }))
  async search(q: string | undefined) {
    await Promise.resolve();
    if (q === "late") throw new HttpError(409, "late");
    return { q };
  }

  @PostMapping("/users", RequestBody())
  create(user: unknown) {
    return { user };
  }

  @GetMapping("/text")
  text() {
    return "text";
  }

  @GetMapping("/broken")
  broken() {
    throw new Error("broken");
  }
}

const [seedText, countText] = process.argv.slice(2);
const COUNT = Number(countText);
let seed = Number(seedText);

function below(most: number): number {
  // mulberry32
  seed = (seed + 0x6d2b79f5) | 0;
  let bits = Math.imul(seed ^ (seed >>> 15), seed | 1);
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
  return ((bits ^ (bits >>> 14)) >>> 0) % most;
}

function oneOf<T>(values: readonly T[]): T {
  return values[below(values.length)] as T;
}

const SEGMENTS = [
  ...["users", "a", "search", "text", "broken", "me", "7", "-1", "1e3", "a.b", ".", "..", "%37"],
  ...["%2F", "%2f7", "%", "%zz", "", "~", "*", ":p1", "a;b", "a,b", "+", "\u00e9", "%C3%A9", "\\"],
  ...["a\\b", "@", "7#f", "[1]", "|", "^", "users%00", "Users"],
];
const PLAIN_PATHS = [
  "/users/7",
  "/users/x",
  "/users/me",
  "/a/b/c.d",
  "/search",
  "/text",
  "/broken",
];
const PATHS = [
  ...["/users/7", "/users/me", "/a/b/c", "/search", "/text", "/users/7/", "//users/7", "/users//7"],
  ...["/users/7/.", "/x/../users/7", "http://h/users/7", "http://other/users/7", "/users/7;v=1"],
];
const QUERIES = [
  ...["", "", "?", "?q=1", "?q=a%20b", "?q=a+b", "?q=%", "?q=1&q=2", "?q=late", "?q=<x>"],
  ...["?q=\u00e9", "?q=1#f", "?%71=1", "??q=1", "?q"],
];
const HOSTS = [
  ...["Host: h", "Host: h", "Host: h", "Host: h:80", "Host: h:", "Host: H", "Host: 127.0.0.1"],
  ...["Host: a b", "Host:", "", "Host: h\r\nHost: h"],
];
const BODIES = ['{"a":1}', "{", "", "null", '{"__proto__":1,"a":2}', "\xff", '"\u00e9"', "[1,2]"];
const TYPES = [
  ...["application/json", "application/json", "application/json; charset=utf-8", "text/plain", ""],
  ...["APPLICATION/JSON", "application/json\r\nContent-Type: text/plain", " application/json "],
];

/** Mostly the plain value, so that most requests have one peculiarity at most. */
function mostly<T>(plain: T, others: readonly T[]): T {
  return below(5) > 0 ? plain : oneOf(others);
}

function request(): string {
  let path = Array.from({ length: 1 + below(4) }, () => `/${oneOf(SEGMENTS)}`).join("");
  if (below(5) > 0) path = mostly(oneOf(PLAIN_PATHS), PATHS);
  const method = oneOf(["GET", "GET", "GET", "POST", "POST", "HEAD", "PUT", "OPTIONS", "get"]);
  if (method === "POST" && below(5) > 0) path = "/users";
  const lines = [`${method} ${path}${mostly("", QUERIES)} HTTP/${below(20) === 0 ? "1.0" : "1.1"}`];
  const host = mostly("Host: h", HOSTS);
  if (host !== "") lines.push(host);
  lines.push("Connection: close");
  let body = "";
  if (method === "POST" || method === "PUT" || below(15) === 0) {
    if (method === "POST" && below(3) > 0) body = oneOf(BODIES);
    const type = mostly("application/json", TYPES);
    if (type !== "") lines.push(`Content-Type: ${type}`);
    const length = Buffer.byteLength(body, "latin1");
    const framing = below(8);
    if (framing === 0) {
      lines.push("Transfer-Encoding: chunked");
      body = length > 0 ? `${length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : "0\r\n\r\n";
    } else lines.push(`Content-Length: ${framing === 1 ? "0" : ""}${length}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

function ask(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(Buffer.from(text, "latin1")));
    socket.setTimeout(5000, () => socket.destroy());
    socket.on("data", (data) => answer += data.toString("latin1"));
    socket.on("error", () => {});
    socket.on("close", () => resolve(answer));
  });
}

/** How a body is sent depends on who made it; ids are random. */
const IGNORED = /^(?:date|content-length|transfer-encoding|keep-alive|x-request-id):/i;

function normal(answer: string): string {
  const [head = "", ...rest] = answer.split("\r\n\r\n");
  const [status, ...fields] = head.split("\r\n");
  const body = rest.join("\r\n\r\n");
  const sent = /transfer-encoding: chunked/i.test(head)
    ? body.replace(/^[\da-f]+\r\n|\r\n[\da-f]*\r\n?/gim, "")
    : body;
  const kept = fields.filter((field) => !IGNORED.test(field)).map((field) => field.toLowerCase());
  return [status, ...kept.sort(), sent.trim()].join("\n");
}

console.error = () => {};
console.log = () => {};
const config = { server: { port: 0, address: "127.0.0.1" } };
const [one, other] = [
  await bootstrap({ components: [Things], config }),
  await bootstrap({ components: [Things], config }),
];
// An application that was extended has no lane.
other.hono.get("/never", () => new Response(null));
/** How many requests the Hono app of each has answered. */
const ordinary = [one, other].map(({ hono }) => {
  const counted = { count: 0 };
  const { fetch } = hono;
  hono.fetch = (...parameters) => {
    counted.count++;
    return fetch(...parameters);
  };
  return counted;
});
const [{ port }, { port: otherPort }] = [await one.listen(), await other.listen()];
const different: string[] = [];
for (let asked = 0; asked < COUNT; asked++) {
  const text = request();
  const [found, expected] = await Promise.all([ask(port, text), ask(otherPort, text)]);
  if (normal(found) !== normal(expected)) different.push(`${text}\n${found}\n${expected}`);
}
await Promise.all([one.close(), other.close()]);
process.stdout.write(
  JSON.stringify({ different, ordinary: ordinary.map(({ count }) => count) }) + "\n",
);
process.exit(0);
