/** Tests the rows of "Differences between runtimes". */
import { assertMatch, assertNotEquals, assertStringIncludes } from "@std/assert";
import { onEachRuntime } from "./processes.ts";
import { get, Talk } from "./talk.ts";

const GUIDE = await Deno.readTextFile("docs/runtime-differences.md");
const BOUNDARY = "----boundary0123456789abcdefghij";

type RuntimeName = "Deno" | "Bun" | "Node 22" | "Node 24";
type Expected = Readonly<Partial<Record<RuntimeName, RegExp>>> & { readonly Node?: RegExp };

/** A row of the guide's table: what is sent, and the answer of each runtime, up to the end of its connection. */
interface Row {
  readonly name: string;
  /** Its bytes, each as a character. */
  readonly request: string;
  readonly expected: Expected;
}

const closing = (line: string, fields: readonly string[] = [], body = "") =>
  [`${line} HTTP/1.1`, "Host: localhost", "Connection: close", ...fields, "", body].join("\r\n");
const chunked = (size: string, rest = "\r\n", path = "/read") =>
  closing(`POST ${path}`, ["Transfer-Encoding: chunked"], `${size}\r\nab\r\n0\r\n${rest}`);
const field = (name: string, expected: Expected, parameters: string, data = "v"): Row => {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data${parameters}`;
  const body = `${head}\r\n\r\n${data}\r\n--${BOUNDARY}--\r\n`;
  return {
    name: `multipart: ${name}`,
    request: closing("POST /form", [
      `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
      `Content-Length: ${body.length}`,
    ], body),
    expected,
  };
};
/** The fields of a form as they are sent. */
const fields = (...pairs: readonly (readonly [name: string, value: string])[]) =>
  new RegExp(escaped(`{"fields":${JSON.stringify(pairs)}}`));
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const NONE = /\{"fields":"none"\}/;
const OK = /^HTTP\/1\.1 200 /;
const BAD = /^HTTP\/1\.1 400 /;
const BAD_10 = /^HTTP\/1\.[01] 400 /;
const LARGE = /^HTTP\/1\.1 431 /;
const NOTHING = /^$/;
/** A request with so many fields, `Host` and `Connection` among them. */
const manyFields = (count: number) =>
  closing("GET /url/a", Array.from({ length: count - 2 }, (_, index) => `X-${index}: 1`));

const ROWS: readonly Row[] = [
  {
    name: "UTF-8 in the path",
    request: closing("GET /url/caf\xc3\xa9"),
    expected: { Deno: /url\/caf%C3%A9"/, Bun: /url\/caf%C3%A9"/, Node: BAD },
  },
  {
    name: "a byte in the path that is not UTF-8",
    request: closing("GET /url/caf\xe9"),
    expected: { Deno: BAD, Bun: /caf%EF%BF%BD"/, Node: BAD },
  },
  {
    name: "a blank in the target",
    request: closing("GET /url/a b"),
    expected: { Deno: BAD, Bun: /^HTTP\/1\.1 505 /, Node: BAD },
  },
  {
    name: "an absolute target with another host than `Host`",
    request: closing("GET http://other:81/url/a"),
    expected: {
      Deno: /"http:\/\/other:81\/url\/a"/,
      Bun: /"http:\/\/localhost\/url\/a"/,
      Node: /"http:\/\/other:81\/url\/a"/,
    },
  },
  {
    name: "credentials in an absolute target",
    request: closing("GET http://user:word@localhost/url/a"),
    expected: {
      Deno: /"http:\/\/user:word@localhost\/url\/a"/,
      Bun: /"http:\/\/localhost\/url\/a"/,
      Node: /"http:\/\/localhost\/url\/a"/,
    },
  },
  {
    name: "`CONNECT` with a path as the target",
    request: closing("CONNECT /url/a"),
    expected: { Deno: BAD, Bun: /^HTTP\/1\.1 501 /, Node: /^HTTP\/1\.1 501 / },
  },
  {
    name: "`Expect: 100-Continue`, with a capital letter",
    request: closing("POST /read", ["Content-Length: 2", "Expect: 100-Continue"], "ab"),
    expected: { Deno: /^HTTP\/1\.1 100 /, Bun: OK, Node: /^HTTP\/1\.1 100 / },
  },
  {
    name: "trailers in one piece with a chunked body",
    request: chunked("2", "X-Trailer: 1\r\n\r\n"),
    expected: {
      Deno: /\{"read":"ab"\}$/,
      Bun: /\{"read":"ab"\}HTTP\/1\.1 400 /,
      Node: /\{"read":"ab"\}$/,
    },
  },
  {
    name: "a malformed chunk size",
    request: chunked("zz"),
    expected: { Deno: NOTHING, Bun: BAD, Node: BAD },
  },
  {
    name: "a malformed chunk size, and a handler that reads no body",
    request: chunked("zz", "\r\n", "/unread"),
    expected: { Deno: NOTHING, Bun: /^HTTP\/1\.1 200 .*HTTP\/1\.1 400 /s, Node: BAD },
  },
  {
    name: "blanks around a chunk size",
    request: chunked(" 2 "),
    expected: { Deno: OK, Bun: BAD, Node: BAD },
  },
  {
    name: "`Transfer-Encoding` in HTTP/1.0",
    request: chunked("2").replace("HTTP/1.1", "HTTP/1.0"),
    expected: { Deno: BAD_10, Bun: BAD, Node: OK },
  },
  {
    name: "CRLF before the request line",
    request: `\r\n${closing("GET /url/a")}`,
    expected: { Deno: OK, Bun: BAD, Node: OK },
  },
  {
    name: "`HTTP/1.2`",
    request: closing("GET /url/a").replace("HTTP/1.1", "HTTP/1.2"),
    expected: { Deno: BAD, Bun: /^HTTP\/1\.1 505 /, Node: BAD },
  },
  {
    name: "129 header fields",
    request: manyFields(129),
    expected: { Deno: BAD, Bun: OK, Node: OK },
  },
  {
    name: "199 header fields",
    request: manyFields(199),
    expected: { Deno: BAD, Bun: LARGE, Node: OK },
  },
  {
    name: "1,001 header fields",
    request: manyFields(1001),
    expected: { Deno: BAD, Bun: LARGE, Node: LARGE },
  },
  {
    name: "a header field of 17 kB",
    request: closing("GET /url/a", [`X-A: ${"a".repeat(17_000)}`]),
    expected: { Deno: OK, Bun: LARGE, Node: LARGE },
  },
  {
    name: "a target of 17 kB",
    request: closing(`GET /url/${"a".repeat(17_000)}`),
    expected: { Deno: OK, Bun: LARGE, Node: LARGE },
  },
  field("a name without quotes", {
    Deno: fields(["a", "v"]),
    Bun: fields(["a", "v"]),
    "Node 22": NONE,
    "Node 24": fields(["a", "v"]),
  }, "; name=a"),
  field("a file name without quotes", {
    Deno: fields(["f", "file a.txt"]),
    Bun: fields(["f; filename=a.txt", "v"]),
    "Node 22": NONE,
    "Node 24": fields(["f", "file a.txt"]),
  }, "; name=f; filename=a.txt"),
  field('`name="a\\"b"`', {
    Deno: fields(['"a\\"b"', "v"]),
    Bun: fields(['a\\"b', "v"]),
    Node: NONE,
  }, '; name="a\\"b"'),
  field('`name="a;b"`', {
    Deno: fields(['"a', "v"]),
    Bun: fields(["a;b", "v"]),
    Node: fields(["a;b", "v"]),
  }, '; name="a;b"'),
  field('`name="a%22b"`, as browsers write `a"b`', {
    Deno: fields(["a%22b", "v"]),
    Bun: fields(["a%22b", "v"]),
    Node: fields(['a"b', "v"]),
  }, '; name="a%22b"'),
  field("NUL in a name", {
    Deno: NONE,
    Bun: fields(["a", "v"]),
    Node: /\["a\\u0000b","v"\]/,
  }, '; name="a\0b"'),
  field("a part without a name", {
    Deno: fields(),
    Bun: fields(),
    Node: NONE,
  }, ""),
  field("an empty name", { Deno: fields(), Bun: fields(), Node: fields(["", "v"]) }, '; name=""'),
  field(
    "the boundary inside data",
    {
      Deno: fields(["a", `x--${BOUNDARY}y`]),
      Bun: fields(["a", `x--${BOUNDARY}y`]),
      Node: NONE,
    },
    '; name="a"',
    `x--${BOUNDARY}y`,
  ),
  {
    name: "`request.headers.set()`",
    request: closing("GET /changed-headers"),
    expected: {
      Deno: /\{"error":"TypeError"\}/,
      Bun: /\{"header":"set"\}/,
      Node: /\{"header":"set"\}/,
    },
  },
  {
    name: "an answer nested 20,000 levels deep",
    request: closing("GET /deep"),
    expected: { Deno: OK, Bun: OK, Node: /^HTTP\/1\.1 500 / },
  },
  {
    name: "`Content-Length` of a stream",
    request: closing("GET /stream"),
    expected: {
      Deno: /\r\ncontent-length: 100000\r\n/i,
      Bun: /\r\ntransfer-encoding: chunked\r\n/i,
      Node: /\r\ncontent-length: 100000\r\n/i,
    },
  },
];

onEachRuntime("differences", (test, runtime) => {
  const expectedOf = (expected: Expected) =>
    expected[runtime as RuntimeName] ?? expected[runtime.replace(/ \d+$/, "") as "Node"]!;

  test("answers as the guide's table says", async (_, url) => {
    await Promise.all(ROWS.map(async ({ name, request, expected }) => {
      const talk = new Talk(url);
      talk.send(request, "latin1");
      assertMatch(await talk.ended(), expectedOf(expected), name);
      assertStringIncludes(GUIDE, `\n| ${name} `);
    }));
  });

  test("answers no client that closes its side while it waits", async (running, url) => {
    const slow = new Talk(url, get("/slow"));
    await running.line(/^slow is reached$/);
    slow.finish();
    assertMatch(await slow.ended(), NOTHING);
  });

  test("ends the process at an unhandled rejection", async (running, url) => {
    await fetch(`${url}/floating`).then((response) => response.text(), () => {});
    assertNotEquals((await running.ended()).code, 0);
    assertStringIncludes(await running.errors(), "Not awaited");
  });

  test("says 100 Continue before it knows the answer", async (_, url) => {
    const head = (path: string) =>
      closing(`POST ${path}`, ["Content-Length: 5", "Expect: 100-continue"]);
    for (const [path, status] of [["/small", 413], ["/nowhere", 404]] as const) {
      const talk = new Talk(url, head(path));
      await talk.until(`HTTP/1.1 ${status} `);
      assertMatch(talk.answer, /^HTTP\/1\.1 100 Continue\r\n/);
      talk.leave();
    }
  });

  test(
    "answers a request behind an unread body that arrives late, or closes",
    async (_, url) => {
      const talk = new Talk(
        url,
        "POST /unread HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n",
      );
      await talk.until("unread");
      talk.send(`hello${closing("GET /url/a")}`);
      assertMatch(
        (await talk.ended()).slice(12),
        expectedOf({ Deno: /^[^]*unread$/, Bun: /HTTP\/1\.1 200 /, Node: /HTTP\/1\.1 200 / }),
      );
      assertStringIncludes(
        GUIDE,
        "\n| a request behind a body that arrives late and unread ",
      );
    },
  );

  test("takes WebSocket messages in fragments up to its limit", async (_, url) => {
    const key = "dGhlIHNhbXBsZSBub25jZQ==";
    const upgrade = [
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      `Sec-WebSocket-Key: ${key}`,
    ];
    const talk = new Talk(
      url,
      closing("GET /socket", upgrade).replace("Connection: close", "Connection: Upgrade"),
    );
    await talk.until("101 ");
    for (let index = 0; index < 17; index++) {
      talk.send(fragment(index === 0 ? 2 : 0, index === 16, 2 ** 20));
    }
    await talk.until(runtime === "Bun" ? "\x03\xf1" : `took ${17 * 2 ** 20}`);
    talk.leave();
  });
});

/** A frame of a client (RFC 6455, 5.2), masked by zeros. */
function fragment(opcode: number, isLast: boolean, size: number): Uint8Array {
  const frame = new Uint8Array(14 + size);
  frame[0] = (isLast ? 0x80 : 0) | opcode;
  frame[1] = 0x80 | 127;
  new DataView(frame.buffer).setBigUint64(2, BigInt(size));
  return frame;
}
