/** The functions of the guide: on events of AWS Lambda, by the signatures of Vercel, and in Next.js. */
import { assertEquals, assertLess, assertMatch, assertStringIncludes } from "@std/assert";
import { toFileUrl } from "@std/path";
import { buildTools, node, run } from "./executables.ts";
import { fragmentOf, ofNpm, takeGuide } from "./guide.ts";
import { EVENTS } from "./lambda_events.ts";
import { Project, testsOn } from "./project.ts";
import { serving } from "./serving.ts";

/** In place of the application of the guide, for the same functions. */
const PROBE = `import {
  bootstrap, CookieValue, GetMapping, HttpRequest, PostMapping, RequestBody, RequestHeader, RequestParam, RestController,
} from "irori";
import { webSocket } from "irori/websocket";
import { getConnInfo } from "hono/aws-lambda";

@RestController()
class ProbeController {
  @PostMapping("/echo", RequestParam("tag", { list: true }), RequestHeader("x-two"), CookieValue("b"), RequestBody("text"))
  echo(tags: string[], two: string, cookie: string, text: string, request: HttpRequest) {
    const { remote } = getConnInfo(request.context);
    return { tags, two, cookie, text, path: request.path, address: request.clientAddress, remote: remote.address };
  }
  @GetMapping("/socket")
  socket(request: HttpRequest) {
    return webSocket(request, { message: () => {} });
  }
  @PostMapping("/bytes", RequestBody("bytes"))
  bytes(bytes: Uint8Array<ArrayBuffer>) {
    return new Response(bytes, { headers: { "Content-Type": "application/octet-stream" } });
  }
  @GetMapping("/cookies")
  cookies() {
    const response = new Response("two");
    for (const name of ["a", "b"]) response.headers.append("Set-Cookie", name + "=1; HttpOnly");
    return response;
  }
  @GetMapping("/events")
  async *events() {
    for (const text of ["first", "second"]) {
      yield text;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }
}

export const app = await bootstrap({
  components: [ProbeController],
  config: { server: { "context-path": "/api", "trusted-proxies": ["192.0.2.7"] } },
});
`;

const STATUS = `import { GetMapping, RestController } from "irori";

@RestController()
export class StatusController {
  @GetMapping("/status")
  status() {
    return { up: true };
  }
}
`;

const project = Project.equipped().then(async (made) => {
  await takeGuide("serverless.md", made);
  await made.write("src/status_controller.ts", STATUS);
  // The same functions with more routes.
  for (const name of ["lambda.ts", "lambda_stream.ts"]) {
    const text = await Deno.readTextFile(made.file(name));
    await made.write(`probe/${name}`, text);
  }
  await made.write("probe/src/application.ts", PROBE);
  for (const name of ["lambda", "probe/lambda", "probe/lambda_stream", "api/index", "api/edge"]) {
    const target = name === "api/edge" ? [] : ["--target", "node"];
    const folder = `dist/${name.replace(/\/?[^/]+$/, "")}`;
    const line = [...await node(24), made.file("node_modules/irori/bin.js"), "build", `${name}.ts`];
    await run([...line, ...target, "--out", folder], { cwd: made.path });
  }
  return made;
});
const test = testsOn("serverless", project);

interface Result {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
  readonly cookies?: readonly string[];
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** The results of a handler for events, one after another. */
async function invoked(
  made: Project,
  file: string,
  events: readonly unknown[],
  major: 22 | 24 = 22,
) {
  const name = `${crypto.randomUUID()}.mjs`;
  await made.write(
    name,
    `const { handler } = await import(${JSON.stringify(toFileUrl(made.file(file)).href)});
const results = [];
for (const event of ${
      JSON.stringify(events)
    }) results.push(await handler(event, { functionName: "notes" }));
console.log(JSON.stringify(results));
`,
  );
  return JSON.parse(await run([...await node(major), name], { cwd: made.path })) as Result[];
}

test("the handler of the guide answers, and with problem details what it does not know", async (made) => {
  const event = EVENTS["a function URL"]!;
  const [found, none] = await invoked(made, "dist/lambda.js", [
    event({ method: "GET", path: "/api/notes/7" }),
    event({ method: "GET", path: "/api/none" }),
  ]);
  assertEquals([found?.statusCode, JSON.parse(found?.body ?? "")], [200, {
    id: 7,
    text: "Buy milk",
  }]);
  assertEquals([none?.statusCode, JSON.parse(none?.body ?? "").status], [404, 404]);
});

const HANDSHAKE = [
  ...[["connection", "upgrade"], ["upgrade", "websocket"]] as const,
  ...[["sec-websocket-version", "13"], ["sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="]] as const,
];
const BYTES = btoa("\0\x80\xff"); // No UTF-8.
for (const [name, event] of Object.entries(EVENTS)) {
  test(`Lambda by ${name} + values, cookies and binary bodies arrive and come back`, async (made) => {
    const [echo, bytes, cookies, tooLong, socket] = await invoked(made, "dist/probe/lambda.js", [
      event({
        method: "POST",
        path: "/api/echo",
        query: [["tag", "a b"], ["tag", "ü&"]],
        headers: [["content-type", "text/plain"], ["x-two", "1"], ["x-two", "2"]],
        cookies: ["a=1", "b=2"],
        body: "grüßen",
      }),
      event({
        method: "POST",
        path: "/api/bytes",
        headers: [["content-type", "application/octet-stream"]],
        body: BYTES,
        isBase64Encoded: true,
      }),
      event({ method: "GET", path: "/api/cookies" }),
      event({ method: "POST", path: "/api/bytes", body: "x".repeat(1024 * 1024 + 1) }),
      event({ method: "GET", path: "/api/socket", headers: HANDSHAKE }),
    ], 24);
    const isSingle = name === "a load balancer";
    const isBalancer = name.startsWith("a load balancer");
    const { two, ...rest } = JSON.parse(echo?.body ?? "");
    assertEquals([echo?.statusCode, rest], [200, {
      tags: isSingle ? ["ü&"] : ["a b", "ü&"],
      cookie: "2",
      text: "grüßen",
      path: "/api/echo",
      ...(isBalancer
        ? { remote: "198.51.100.1" }
        : { address: "198.51.100.1", remote: "192.0.2.7" }),
    }]);
    assertMatch(two, isSingle ? /^2$/ : /^1[,;] ?2$/);
    assertEquals([bytes?.body, bytes?.isBase64Encoded], [BYTES, true]);
    const set = cookies?.cookies ?? cookies?.multiValueHeaders?.["set-cookie"] ??
      [cookies?.headers?.["set-cookie"]];
    assertEquals(set, isSingle ? ["a=1; HttpOnly"] : ["a=1; HttpOnly", "b=1; HttpOnly"]);
    assertEquals([tooLong?.statusCode, socket?.statusCode], [413, 500]);
  });
}

test("Lambda by a function URL + streamHandle() sends events while they are created", async (made) => {
  const event = EVENTS["a function URL"]!({ method: "GET", path: "/api/events" });
  await made.write(
    "stream.mjs",
    `import { Writable } from "node:stream";
let metadata;
globalThis.awslambda = {
  streamifyResponse: (handler) => handler,
  HttpResponseStream: { from: (stream, given) => (metadata = given, stream) },
};
const { handler } = await import("./dist/probe/lambda_stream.js");
const chunks = [];
const stream = new Writable({
  write(chunk, _, done) {
    chunks.push([performance.now(), chunk.toString()]);
    done();
  },
});
await handler(${JSON.stringify(event)}, stream, {});
console.log(JSON.stringify({ metadata, chunks }));
`,
  );
  const { metadata, chunks } = JSON.parse(
    await run([...await node(22), "stream.mjs"], { cwd: made.path }),
  ) as { metadata: Result; chunks: [number, string][] };
  assertEquals([metadata.statusCode, metadata.headers?.["content-type"]], [
    200,
    "text/event-stream",
  ]);
  const at = (text: string) => chunks.find(([, chunk]) => chunk.includes(text))?.[0] ?? NaN;
  assertLess(200, at("second") - at("first"));
});

test("Vercel + the functions of both runtimes answer requests", async (made) => {
  await made.write(
    "vercel.mjs",
    `const { GET, POST } = await import("./dist/api/index.js");
const { default: edge, config } = await import("./dist/api/edge.js");
const ask = async (handler, path, init) => {
  const response = await handler(new Request("https://notes.vercel.app" + path, init));
  return [response.status, await response.json()];
};
console.log(JSON.stringify([
  await ask(GET, "/api/notes/7"),
  (await ask(POST, "/api/notes/7", { method: "POST", body: "" }))[0],
  await ask(edge, "/status"),
  config,
]));
`,
  );
  assertEquals(JSON.parse(await run([...await node(22), "vercel.mjs"], { cwd: made.path })), [
    [200, { id: 7, text: "Buy milk" }],
    405,
    [200, { up: true }],
    { runtime: "edge" },
  ]);
});

test("TypeScript + accepts the functions of the guide, as strict as it can be", async (made) => {
  const options = [
    "--noEmit",
    "--strict",
    "--noUncheckedIndexedAccess",
    "--exactOptionalPropertyTypes",
  ];
  const modules = ["--module", "esnext", "--moduleResolution", "bundler", "--target", "es2022"];
  const lib = [
    "--lib",
    "esnext,dom,dom.iterable,dom.asynciterable",
    "--allowImportingTsExtensions",
  ];
  const tsc = [...await node(24), `${await buildTools()}/node_modules/typescript/bin/tsc`];
  const files = [
    "lambda.ts",
    "lambda_stream.ts",
    "api/index.ts",
    "api/edge.ts",
    "lib/application.ts",
  ];
  const given = [...options, ...modules, ...lib, "--skipLibCheck", "--ignoreConfig"];
  assertEquals(await run([...tsc, ...given, ...files], { cwd: made.path }), "");
});

Deno.test({
  name: "Next.js + builds and serves the route of the guide",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using next = await Project.fromTarball(
      ...[
        "hono@4",
        "next@16",
        "react@19",
        "react-dom@19",
        "typescript@5",
        "@types/node@24",
        "@types/react@19",
      ],
    );
    const files = {
      "app/layout.tsx":
        "export default function Layout({ children }: { children: React.ReactNode }) { return <html><body>{children}</body></html>; }\n",
      "app/page.tsx": "export default function Page() { return <p>Notes</p>; }\n",
      "lib/application.ts": ofNpm(fragmentOf("serverless.md", "decorate(\n")),
      "app/api/[[...route]]/route.ts": fragmentOf("serverless.md", "force-dynamic"),
    };
    for (const [name, text] of Object.entries(files)) await next.write(name, text);
    const line = [...await node(24), next.file("node_modules/next/dist/bin/next")];
    const env = { NEXT_TELEMETRY_DISABLED: "1" };
    await run(["timeout", "300", ...line, "build"], { cwd: next.path, env });
    const start = [
      "env",
      "NEXT_TELEMETRY_DISABLED=1",
      ...line,
      "start",
      "-H",
      "127.0.0.1",
      "-p",
      "0",
    ];
    await using served = await serving(start, next.path, 1);
    const [url = ""] = served.urls;
    const ask = async (path: string, init?: RequestInit) => {
      const response = await fetch(url + path, init);
      return [response.status, await response.text()] as const;
    };
    assertEquals(await ask("/api/notes/7"), [200, '{"id":7,"text":"Buy milk"}']);
    assertEquals((await ask("/api/notes/x"))[0], 400);
    assertEquals((await ask("/api/notes/7", { method: "DELETE" }))[0], 405);
    assertStringIncludes((await ask("/api/none"))[1], "No resource at '/api/none'");
    assertStringIncludes((await ask("/"))[1], "Notes");
  },
});
