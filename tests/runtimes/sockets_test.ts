/** Connections that ask for another protocol, on each runtime as a process of its own. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { within } from "../../src/runtime/mod.ts";
import type { Running } from "../app/process.ts";
import { IS_LONG } from "../long/mod.ts";
import { descriptorsOf, settled } from "./descriptors.ts";
import { node, run } from "./executables.ts";
import { onEachRuntime } from "./processes.ts";
import { get, Talk } from "./talk.ts";

/** The fields of a handshake beside its target and host. */
const HANDSHAKE: readonly string[] = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

/** A ping with the text `hi`, masked with zeros. */
const PING = "\x89\x82\0\0\0\0hi";

/** A text and a close with 1000, masked with zeros. */
const TEXT = "\x81\x82\0\0\0\0hi";
const CLOSE = "\x88\x82\0\0\0\0\x03\xe8";

/** Middleware of `app/upgraded.ts`, and what it adds to the response of an upgrade. */
const ADDED: Readonly<Record<string, readonly string[]>> = {
  cors: ["access-control-allow-origin: *"],
  secure: ["x-frame-options: sameorigin"],
  before: ["x-added: before"],
  after: ["x-added: after"],
  changed: ["x-added: changed"],
  replaced: ["x-added: replaced"],
  cookies: ["set-cookie: a=1", "set-cookie: b=2"],
};

/** Targets and fields. */
const REFUSED: Readonly<Record<string, readonly [string, ...string[]]>> = {
  "no content": ["/none", "Host: localhost"],
  "created": ["/created", "Host: localhost"],
  "a redirect": ["/redirect", "Host: localhost"],
  "not modified": ["/not-modified", "Host: localhost"],
  "a text": ["/text", "Host: localhost"],
  "an error": ["/fails", "Host: localhost"],
  "no path": ["/nowhere", "Host: localhost"],
  "a host with a blank": ["/innocent", "Host: a b"],
  "two hosts": ["/innocent", "Host: localhost", "Host: localhost"],
  "an empty host": ["/innocent", "Host:"],
  "no host": ["/innocent"],
  "a malformed target": ["/a\\b", "Host: localhost"],
  "a target without a slash": ["innocent", "Host: localhost"],
  "a target that is no URL": ["http://host:abc/", "Host: localhost"],
  "an expectation": ["/innocent", "Host: localhost", "Expect: a miracle"],
};

/** Asks the port of its argument for CONNECT, and resets each connection at once. */
const CONNECT_AND_RESET = `
  import { connect } from "node:net";
  const port = Number(process.argv.at(-1));
  const once = () => new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {}).on("close", resolve);
    socket.write("CONNECT h:443 HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n", () => socket.resetAndDestroy());
  });
  for (let round = 0; round < ${IS_LONG ? 150 : 30}; round++) {
    await Promise.all(Array.from({ length: 20 }, once));
  }
`;

/** The size of what `/large` answers. */
const LARGE = 10_000_000;

onEachRuntime("attacked", (test, runtime) => {
  test(
    "stays alive after connections that send CONNECT and are reset",
    async (running, url) => {
      // The runtime of the tests cannot reset connections.
      await run([...await node(24), "--eval", CONNECT_AND_RESET, new URL(url).port], { cwd: "." });
      assertEquals(await (await fetch(`${url}/innocent`)).text(), "innocent");
      await ends(running);
    },
  );

  test("handshakes have the same header fields as other requests", async (running, url) => {
    const fields = ["Authorization: a", "Authorization: b", "Origin:", "X-Twice: 1", "X-Twice: 2"];
    const answers = ["Connection: close", ...HANDSHAKE].map(() => "");
    for (const [index, kind] of [["Connection: close"], HANDSHAKE].entries()) {
      const talk = new Talk(url, request("/fields", ["Host: localhost", ...kind, ...fields]));
      await talk.until('["a, b",""');
      talk.leave();
      answers[index] = bodyOf(talk.answer);
    }
    assertEquals(answers[0], '["a, b","",null,"1, 2"]');
    assertEquals(answers[1], answers[0]);
    for (const hosts of [["Host: localhost", "Host: localhost"], ["Host: a b"]]) {
      const talk = new Talk(url, request("/socket", [...hosts, ...HANDSHAKE]));
      await talk.until("HTTP/1.1 400 ");
      talk.leave();
    }
    await ends(running);
  });

  test("the response of an upgrade has the headers of middleware", async (running, url) => {
    for (const place of ["app", "route"]) {
      for (const [kind, lines] of Object.entries(ADDED)) {
        const fields = ["Host: localhost", ...HANDSHAKE, "Sec-WebSocket-Protocol: v2,v1"];
        const talk = new Talk(url, request(`/${place}/${kind}`, fields));
        await talk.until("welcome by v2");
        const [head = ""] = talk.answer.toLowerCase().split("\r\n\r\n");
        assertMatch(head, /^http\/1\.1 101 /);
        for (const line of [...lines, "sec-websocket-protocol: v2"]) {
          assertEquals(head.split("\r\n").filter((one) => one === line), [line], head);
        }
        talk.leave();
      }
    }
    await ends(running, true);
  }, { UPGRADED: "1" });

  test("middleware that refuses an upgrade leaves nothing opened", async (running, url) => {
    for (const place of ["app", "route"]) {
      for (const [kind, status] of [["refused", 403], ["throws", 500]] as const) {
        const talk = new Talk(url);
        talk.send(request(`/${place}/${kind}`, ["Host: localhost", ...HANDSHAKE]), "latin1");
        // Deno cannot send another response any more: it closes with 1011.
        await talk.until(runtime === "Deno" ? "\x88\x02\x03\xf3" : `HTTP/1.1 ${status} `);
        if (runtime === "Deno") {
          assertEquals(bodyOf(talk.answer), "\x88\x02\x03\xf3");
          talk.send(`${TEXT}${CLOSE}`, "latin1");
          await within(talk.ended(), 10_000, "open");
        }
        talk.leave();
      }
    }
    running.kill("SIGTERM");
    const { lines } = await running.ended();
    assertEquals(lines.filter((line) => /^(?:opened|message|closed) /.test(line)), []);
  }, { UPGRADED: "1" });

  test(
    "a response with 101 by middleware opens the WebSocket or is an error",
    async (running, url) => {
      for (const place of ["app", "route"]) {
        const talk = new Talk(url, request(`/${place}/own`, ["Host: localhost", ...HANDSHAKE]));
        // Node makes no such response.
        if (runtime.startsWith("Node")) await talk.until("HTTP/1.1 500 ");
        else {
          await talk.until("welcome by ");
          assertMatch(talk.answer, /^HTTP\/1\.1 101 /);
        }
        talk.leave();
      }
      await ends(running, true);
    },
    { UPGRADED: "1" },
  );

  test("a subprotocol list is one of distinct tokens", async (running, url) => {
    const head = ["Host: localhost", ...HANDSHAKE];
    for (const list of ["", ",", ",v1", "v1,", "v1,,v2", "v1, v1", "a b", "b@d", "v1;q=1"]) {
      const talk = new Talk(url, request("/socket", [...head, `Sec-WebSocket-Protocol: ${list}`]));
      await talk.until("'Sec-WebSocket-Protocol' to list distinct tokens");
      assertMatch(talk.answer, /^HTTP\/1\.1 400 [^]*problem\+json/i, list);
      talk.leave();
    }
    for (const list of ["v2", " v2 ", "v2,v1", "v2 ,\tv1", "v2,bearer,eyJ.e30.a_-"]) {
      const talk = new Talk(url, request("/socket", [...head, `Sec-WebSocket-Protocol: ${list}`]));
      await talk.until("welcome");
      assertMatch(talk.answer, /\r\nsec-websocket-protocol: v2\s*\r\n/i, list);
      talk.leave();
    }
    await ends(running);
  });

  // Other runtimes keep the connection open.
  if (!runtime.startsWith("Node")) return;

  test(
    "a WebSocket receives data that was sent before its handshake was answered",
    async (running, url) => {
      const talk = new Talk(url);
      talk.send(request("/socket", ["Host: localhost", ...HANDSHAKE]) + PING, "latin1");
      await talk.until("welcome");
      await talk.until("\x8a\x02hi");
      talk.leave();
      await ends(running);
    },
  );

  for (const [name, [path, ...fields]] of Object.entries(REFUSED)) {
    test(`a refused handshake is answered like a GET: ${name}`, async (running, url) => {
      const get = request(path, [...fields, "Connection: close"]);
      // Node has no class of `@hono/node-server` for the first response.
      await within(new Talk(url, get).ended(), 10_000, "open");
      const expected = comparable(await within(new Talk(url, get).ended(), 10_000, "open"));
      assertMatch(expected, /^HTTP\/1\.1 \d+ /);
      const before = await descriptorsOf(running.pid);
      for (let round = 0; round < 3; round++) {
        const talks = Array.from({ length: IS_LONG ? 100 : 20 }, () => {
          return new Talk(url, request(path, [...fields, ...HANDSHAKE]));
        });
        for (const talk of talks) {
          assertEquals(comparable(await within(talk.ended(), 10_000, "open")), expected);
        }
      }
      await settled(running.pid, before);
      await ends(running, name === "an error");
    });
  }

  test(
    "pipelined handshakes and CONNECT are answered in order",
    async (running, url) => {
      const waiting = get("/slow") + get("/slow");
      for (
        const [last, status] of [
          [request("/nowhere", ["Host: localhost", ...HANDSHAKE]), 404],
          [request("/none", ["Host: localhost", ...HANDSHAKE]), 204],
          ["CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", 501],
        ] as const
      ) {
        const talk = new Talk(url, waiting + last);
        const answer = await within(talk.ended(), 10_000, "open");
        assertEquals(answer.match(/HTTP\/1\.1 \d+|slow/g), [
          ...["HTTP/1.1 200", "slow", "HTTP/1.1 200", "slow"],
          `HTTP/1.1 ${status}`,
        ]);
      }
      const large = new Talk(url);
      large.pause();
      large.send(`${get("/large")}CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await running.line(/^large is made$/);
      large.resume();
      const answer = await within(large.ended(), 10_000, "open");
      assertEquals(answer.match(/x{5}/g)?.length, LARGE / 5);
      assertMatch(answer, /\r\n0\r\n\r\nHTTP\/1\.1 501 /);
      const opened = new Talk(url, waiting + request("/socket", ["Host: localhost", ...HANDSHAKE]));
      await opened.until("welcome");
      assertMatch(opened.answer, /slow.*slowHTTP\/1\.1 101 /s);
      opened.leave();
      await ends(running);
    },
  );

  test("waiting requests are aborted when their client leaves", async (running, url) => {
    const left = request("/left", ["Host: localhost"]);
    const behind = request("/none", ["Host: localhost", ...HANDSHAKE]);
    const talks = [
      new Talk(url, left + left + left),
      new Talk(url, left + left + left + behind),
      new Talk(url, request("/left", ["Host: localhost", ...HANDSHAKE])),
    ];
    for (let index = 0; index < 7; index++) await running.line(/^left is reached$/);
    for (const talk of talks) talk.leave();
    for (let index = 0; index < 7; index++) await running.line(/^left is aborted$/);
    await ends(running);
  });

  test(
    "a refused handshake receives a large answer as fast as its client reads",
    async (running, url) => {
      const late = new Talk(url);
      late.pause();
      late.send(request("/large", ["Host: localhost", ...HANDSHAKE]));
      await running.line(/^large is made$/);
      late.resume();
      const answer = await within(late.ended(), 10_000, "open");
      assertEquals(bodyOf(answer).match(/x/g)?.length, LARGE);
      assertStringIncludes(answer, "\r\n0\r\n\r\n");
      await ends(running);
    },
  );
});

function request(target: string, fields: readonly string[]): string {
  return [`GET ${target} HTTP/1.1`, ...fields, "\r\n"].join("\r\n");
}

/** Without fields that differ from answer to answer. */
function comparable(answer: string): string {
  return answer.replace(/^(?:connection|date|keep-alive|x-request-id):.*\r\n/gim, "");
}

function bodyOf(answer: string): string {
  return answer.split("\r\n\r\n")[1] ?? "";
}

async function ends(running: Running, mayLog = false): Promise<void> {
  running.kill("SIGTERM");
  assertEquals((await running.ended()).code, 0);
  if (!mayLog) assertEquals((await running.errors()).replace(/^Deno\.serve: .*\n/, ""), "");
}
