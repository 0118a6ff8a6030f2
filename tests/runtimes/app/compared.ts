/**
 * Sends random raw requests to an application twice, with and without its lane, and prints the differences as JSON:
 * `compared <seed> <number of requests> <plain or secured>`.
 */
import {
  binder,
  bootstrap,
  type BootstrapOptions,
  Component,
  CookieValue,
  ExceptionHandler,
  GetMapping,
  HttpError,
  type HttpRequest,
  PathVariable,
  PostMapping,
  RequestBody,
  RequestMapping,
  RequestParam,
  RestController,
} from "irori";
import { actuator } from "irori/actuator";
import { currentRequest, requestContext, withContext } from "irori/context";
import { logging } from "irori/logging";
import {
  apiKey,
  Authenticated,
  BadCredentialsError,
  basic,
  CurrentUser,
  PermitAll,
  PreAuthorize,
  type Principal,
  RolesAllowed,
  security,
} from "irori/security";
import { Buffer } from "node:buffer";
import { connect } from "node:net";
import process from "node:process";

@RestController()
class Things {
  readonly #after: string[] = [];

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

  @GetMapping("/s/{id}", PathVariable("id"))
  work(id: string, request: HttpRequest) {
    setTimeout(() => this.#after.push(`${request.path}?q=${request.query("q")}`), 10);
    return { id };
  }

  /** The reads that happened after the responses. */
  @GetMapping("/after")
  after() {
    return this.#after.sort();
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

class Refused extends Error {}

const Agent = binder((request) => [request.header("X-Agent"), request.queryAll("q")]);

@RestController()
@RequestMapping("/secured")
@Authenticated()
class Secured {
  @GetMapping("/open", CurrentUser({ required: false }))
  @PermitAll()
  open(user: Principal | undefined) {
    return { user: user?.name };
  }

  @GetMapping("/me", CurrentUser(), Agent, CookieValue("lang", { required: false }))
  me({ name }: Principal, agent: unknown, lang: string | undefined, request: HttpRequest) {
    return { name, agent, lang, method: request.method, q: request.query("q") };
  }

  @PostMapping("/admin/{id}", PathVariable("id"), RequestBody())
  @RolesAllowed("admin")
  admin(id: string, body: unknown) {
    return { id, body };
  }

  @GetMapping("/own/{name}", PathVariable("name"))
  @PreAuthorize((user: Principal, name: string) => user.name === name)
  async own(name: string) {
    await Promise.resolve();
    withContext({ name });
    if (name === "ada") throw new HttpError(409, "taken");
    return { name, agent: currentRequest().header("X-Agent"), of: current() };
  }

  @GetMapping(
    "/echo/{id}",
    PathVariable("id"),
    RequestParam("q", "int", { required: false }),
    RequestBody(undefined, { required: false }),
  )
  echo(id: string, q: number | undefined, body: unknown) {
    return { id, q, body };
  }

  @PostMapping(
    "/echo/{id}",
    PathVariable("id"),
    RequestParam("q", "int", { required: false }),
    RequestBody(),
  )
  async read(id: string, q: number | undefined, body: unknown, request: HttpRequest) {
    if (id === "7") throw new Refused("seven");
    return { id, q, body, text: await request.text().catch(({ message }) => message) };
  }

  @GetMapping("/odd/{kind}", PathVariable("kind"))
  odd(kind: string): unknown {
    if (kind === "7") throw new Refused("seven");
    if (kind === "proxy") return new Proxy({}, { getPrototypeOf: () => fail() });
    return kind === "then"
      ? {
        get then() {
          return fail();
        },
      }
      : { kind };
  }

  @ExceptionHandler(Refused)
  async refused({ message }: Refused, request: HttpRequest) {
    await Promise.resolve();
    const { id, kind } = request.context.req.param() as Record<string, string>;
    const body = request.method === "POST"
      ? await request.text().catch(({ message }) => message)
      : "";
    return { message, id, kind, own: request.pathVariable("id"), body };
  }

  @GetMapping("/prepared/{kind}", PathVariable("kind"), CurrentUser())
  prepared(kind: string, _user: Principal, request: HttpRequest): unknown {
    request.context.header("Cache-Control", kind);
    return kind === "text" ? "text" : { kind };
  }
}

function fail(): never {
  throw new Error("fails");
}

function current() {
  return currentRequest().pathVariable("name");
}

/** A scheme that prepares a header, and reads what it must not know yet. */
@Component()
class Odd {
  readonly challenge = "Odd";

  async authenticate(request: HttpRequest) {
    const sent = request.header("X-Odd");
    if (sent === undefined) return undefined;
    if (sent === "slow") await new Promise((resolve) => setTimeout(resolve, 30));
    if (sent === "reads") return { name: `odd ${await request.text()}`, roles: ["admin"] };
    if (sent === "touches") return { name: `odd ${request.headers.has("host")}`, roles: ["admin"] };
    if (sent === "wrong") throw new BadCredentialsError("odd");
    if (sent === "prepared") request.context.header("X-Prepared", "1");
    return { name: `odd ${request.pathVariable("name")}`, roles: [sent] };
  }
}

const USERS = [{ name: "ada", password: "a", roles: ["admin"] }, { name: "bob", password: "b" }];
const SECURITY = security({
  default: "permitAll",
  schemes: {
    odd: Odd,
    password: basic({ users: USERS }),
    key: apiKey({ in: "cookie", name: "key", keys: [{ name: "key", key: "k".repeat(16) }] }),
  },
});
const EXTENSIONS = [SECURITY, actuator(), logging(), requestContext()];

const [seedText, countText, kind] = process.argv.slice(2);
const isSecured = kind === "secured";
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
  "/s/7?q=1",
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

const PROOFS = [
  ...[
    "",
    "",
    "X-Odd: admin",
    "X-Odd: wrong",
    "X-Odd: prepared",
    "X-Odd: reads",
    "X-Odd: touches",
    "Cookie: lang=de",
  ],
  ...[`Authorization: Basic ${btoa("ada:a")}`, `Authorization: Basic ${btoa("bob:b")}`],
  ...["Authorization: Basic x", "Authorization: Bearer t", `Cookie: key=${"k".repeat(16)}; lang=%`],
  ...["Cookie: key=x", "Cookie: key=x\r\nCookie: key=y", "X-Odd: admin\r\nX-Odd: other"],
];
const SECURED = [
  "/echo/a",
  "/echo/7",
  "/odd/7",
  "/odd/proxy",
  "/odd/then",
  "/open",
  "/me",
  "/own/ada",
  "/own/bob",
  "/own/x",
  "/prepared/a",
  "/prepared/text",
];

function request(): string {
  let path = Array.from({ length: 1 + below(4) }, () => `/${oneOf(SEGMENTS)}`).join("");
  if (below(5) > 0) path = mostly(oneOf(PLAIN_PATHS), PATHS);
  if (isSecured && below(3) > 0) path = `/secured${mostly(oneOf(SECURED), ["/admin/7", "/none"])}`;
  const method = oneOf(["GET", "GET", "GET", "POST", "POST", "HEAD", "PUT", "OPTIONS", "get"]);
  if (method === "POST" && below(5) > 0) {
    path = isSecured ? oneOf(["/secured/admin/7", "/secured/echo/7", "/secured/echo/a"]) : "/users";
  }
  const lines = [`${method} ${path}${mostly("", QUERIES)} HTTP/${below(20) === 0 ? "1.0" : "1.1"}`];
  const host = mostly("Host: h", HOSTS);
  if (host !== "") lines.push(host);
  lines.push("Connection: close");
  if (isSecured) lines.push("X-Agent: a", oneOf(PROOFS));
  if (lines.at(-1) === "") lines.pop();
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

/** Leaves in the body, while the user is looked up. */
function leave(port: number): Promise<unknown> {
  const head = "POST /secured/admin/7 HTTP/1.1\r\nHost: h\r\nX-Odd: slow\r\n";
  const fields = "Content-Type: application/json\r\nContent-Length: 3\r\n\r\n[";
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(head + fields));
    setTimeout(() => socket.destroy(), 15);
    setTimeout(resolve, 100);
  });
}

async function countsOf(port: number): Promise<string> {
  if (!isSecured) return "";
  const answer = await (await fetch(`http://127.0.0.1:${port}/actuator/prometheus`)).text();
  const lines = answer.split("\n").filter((line) =>
    line.startsWith("http_server_requests_seconds_c")
  );
  if (lines.length < 10) throw new Error(answer);
  return lines.sort().join("\n");
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
const options: BootstrapOptions = {
  components: isSecured ? [Things, Secured, Odd] : [Things],
  config: {
    server: { port: 0, address: "127.0.0.1" },
    management: { endpoints: { web: { exposure: { include: "prometheus" } } } },
  },
  ...(isSecured && { extensions: EXTENSIONS }),
};
const [one, other] = [await bootstrap(options), await bootstrap(options)];
// An application that was extended has no lane.
other.get("/never", () => new Response(null));
/** How many requests the Hono app of each has answered. */
const ordinary = [one, other].map((app) => {
  const counted = { count: 0 };
  const { getPath } = app;
  const value = (...parameters: Parameters<typeof getPath>) => {
    // The lane asks for the path alone, when a handler wants Hono's context.
    if (parameters.length > 1) counted.count++;
    return getPath(...parameters);
  };
  Object.defineProperty(app, "getPath", { value });
  return counted;
});
const [{ port }, { port: otherPort }] = [await one.listen(), await other.listen()];
const different: string[] = [];
for (let asked = 0; asked < COUNT; asked++) {
  const text = request();
  const [found, expected] = await Promise.all([ask(port, text), ask(otherPort, text)]);
  if (normal(found) !== normal(expected)) different.push(`${text}\n${found}\n${expected}`);
}
const [after = "", otherAfter] = await Promise.all([port, otherPort].map(async (port) => {
  await new Promise((resolve) => setTimeout(resolve, 100));
  return await (await fetch(`http://127.0.0.1:${port}/after`)).text();
}));
if (after !== otherAfter || !after.includes("?q=1")) different.push(`${after}\n\n${otherAfter}`);
const [counts, otherCounts] = await Promise.all([countsOf(port), countsOf(otherPort)]);
if (counts !== otherCounts) different.push(`${counts}\n\n${otherCounts}`);
if (isSecured) await Promise.all([leave(port), leave(otherPort)]);
const start = performance.now();
await Promise.all([one.close(), other.close()]);
const seconds = (performance.now() - start) / 1000;
if (seconds > 5) different.push(`closed after ${seconds} s`);
process.stdout.write(
  JSON.stringify({ different, ordinary: ordinary.map(({ count }) => count) }) + "\n",
);
process.exit(0);
