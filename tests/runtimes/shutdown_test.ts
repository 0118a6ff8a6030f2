/** Shutdown, slow clients and clients that leave, on each runtime as processes have them. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Running } from "../app/process.ts";
import { node } from "./executables.ts";
import { onEachRuntime } from "./processes.ts";
import { Project } from "./project.ts";
import { get, post, Talk } from "./talk.ts";

const project = onEachRuntime("wire", (test, runtime) => {
  test("ends event streams at once, finishes the rest, then closes beans", async (running, url) => {
    const [events, ticks, slow] = ["/events", "/ticks", "/slow"].map((path) => {
      return new Talk(url, get(path));
    }) as [Talk, Talk, Talk];
    const idle = new Talk(url, get("/nowhere"));
    await Promise.all([events.until("first"), ticks.until("data: 2"), idle.until("404")]);
    await running.line(/^slow is reached$/);
    running.kill("SIGTERM");
    const answers = await Promise.all([events, ticks, slow, idle].map((talk) => talk.ended()));
    assertMatch(answers[0] ?? "", /first.*\r\n0\r\n\r\n$/s);
    assertMatch(answers[1] ?? "", /data: 2.*\r\n0\r\n\r\n$/s);
    assertMatch(answers[2] ?? "", /\r\nconnection: close\r\n.*slow but finished$/is);
    const { code, lines } = await running.ended();
    assertEquals([...lines].slice(-3).sort(), [
      "bean is closed",
      "events have ended",
      "ticks have ended",
    ]);
    assertEquals(lines.at(-1), "bean is closed");
    assertEquals(code, 0);
  });

  test(
    "does not wait for connections without a request, or with a part of one",
    async (running, url) => {
      const began = "GET /nowhere HTTP/1.1\r\nHo";
      const quiet = [new Talk(url), new Talk(url, began), new Talk(url, get("/nowhere"))];
      await quiet[2]!.until("404");
      quiet[2]!.send(began);
      // By then those before it are taken, too.
      const slow = new Talk(url, get("/slow"));
      await running.line(/^slow is reached$/);
      running.kill("SIGTERM");
      assertMatch(await slow.ended(), /slow but finished$/);
      const { code, lines } = await running.ended();
      assertEquals([code, lines.at(-1)], [0, "bean is closed"]);
      assertEquals(await ownErrors(running), "");
      for (const talk of quiet) talk.leave();
    },
  );

  test("answers HEAD for bodies of every kind", async (running, url) => {
    for (const path of ["form-data", "blob", "parameters", "raw", "address", "events"]) {
      for (let time = 0; time < 20; time++) {
        const { ok, headers } = await fetch(`${url}/${path}`, { method: "HEAD" });
        assert(ok, path);
        // RFC 9110, 8.6: the length of GET, or none.
        assert(headers.get("content-length") !== "0", path);
      }
    }
    running.kill("SIGTERM");
    assertEquals((await running.ended()).code, 0);
    assertEquals(await ownErrors(running), "");
  });

  test("outlives clients that leave while a form is sent", async (running, url) => {
    for (let time = 0; time < 20; time++) {
      const talk = new Talk(url, get("/form-data"));
      await talk.until("200 OK");
      talk.leave();
    }
    assertEquals((await fetch(`${url}/raw`)).status, 200);
    running.kill("SIGTERM");
    assertEquals((await running.ended()).code, 0);
  });

  // Deno and Bun have other streams for these.
  if (runtime.startsWith("Node")) {
    test("outlives a client that leaves before an async iterable ends", async (running, url) => {
      const talk = new Talk(url, get("/iterable"));
      await talk.until("first");
      talk.leave();
      await running.line(/^iterable has ended$/);
      assertEquals((await fetch(`${url}/raw`)).status, 200);
      running.kill("SIGTERM");
      assertEquals((await running.ended()).code, 0);
    });
  }

  test("sends all of an answer that its client reads late", async (running, url) => {
    const late = new Talk(url);
    late.pause();
    late.send(get("/large"));
    await running.line(/^large is answered$/);
    running.kill("SIGTERM");
    await refused(url);
    late.resume();
    assertEquals((await late.ended()).split("\r\n\r\n")[1]?.length, 5_000_000);
    assertEquals((await running.ended()).code, 0);
  });

  test("aborts and counts what does not end in time", async (running, url) => {
    const stuck = new Talk(url, get("/stuck"));
    await running.line(/^stuck is reached$/);
    running.kill("SIGTERM");
    assertEquals(await stuck.ended(), "");
    const { code, lines } = await running.ended();
    assertEquals(lines.slice(-2), ["stuck is aborted", "bean is closed"]);
    assertEquals(code, 1);
    assertStringIncludes(
      await running.errors(),
      "Gave up waiting after 1 s for 1 request in flight",
    );
  }, { SHUTDOWN_TIMEOUT: "1" });

  test("does not wait for a generator that sleeps", async (running, url) => {
    const sleeper = new Talk(url, get("/sleeper"));
    await sleeper.until("data: first\n\n");
    running.kill("SIGTERM");
    assertMatch(await sleeper.ended(), /\r\n0\r\n\r\n$/);
    const { code, lines } = await running.ended();
    assertEquals([code, lines.at(-1)], [0, "bean is closed"]);
    assertEquals(await running.errors(), "");
  });

  test("waits for close() where a signal comes meanwhile", async (running, url) => {
    const close = new Talk(url, get("/close"));
    await running.line(/^close is reached$/);
    running.kill("SIGTERM");
    assertMatch(await close.ended(), /closed but finished$/);
    const { code, lines } = await running.ended();
    assertEquals([code, lines.at(-1)], [0, "bean is closed"]);
  });

  test("says 503 to a client whose request is cut by the end", async (running, url) => {
    const left = new Talk(url, get("/left"));
    await running.line(/^left is reached$/);
    const bound = new Talk(url, post("/bound", 10, "application/json") + '"half');
    const uploads = [10, 900_000].map((length) => new Talk(url, post("/upload", length) + "half"));
    for (const _ of uploads) await running.line(/^upload is reached$/);
    running.kill("SIGTERM");
    for (const talk of [left, bound, ...uploads]) await talk.until("HTTP/1.1 503 ");
    assertEquals((await running.ended()).code, 1);
  }, { SHUTDOWN_TIMEOUT: "1" });

  test("knows the address of a client without 'Host'", async (_, url) => {
    const old = new Talk(url, "GET /address HTTP/1.0\r\n\r\n");
    await old.until("127.0.0.1");
    old.leave();
  });

  test(
    "answers WebSocket handshakes without a handler like other requests",
    async (running, url) => {
      for (
        const [path, status, body] of [
          ["/raw", 200, "raw body"],
          ["/client", 200, "127.0.0.1"],
          ["/nowhere", 404, "application/problem+json"],
          ["/nowhere", 404, "No resource at '/nowhere'"],
        ] as const
      ) {
        const talk = new Talk(url, handshake(undefined, [], path));
        await talk.until(body);
        assertStringIncludes(talk.answer, `HTTP/1.1 ${status} `);
        assertMatch(talk.answer, /\r\nx-content-type-options: nosniff\r\n/i);
        talk.leave();
      }
      const events = new Talk(url, handshake(undefined, [], "/events"));
      await events.until("data: first\n\n");
      const left = new Talk(url, handshake(undefined, [], "/events"));
      await left.until("data: first\n\n");
      left.leave();
      await running.line(/^events have ended$/);
      running.kill("SIGTERM");
      assertMatch(await events.ended(), /\r\n0\r\n\r\n$/);
      assertEquals((await running.ended()).code, 0);
    },
  );

  test("refuses handshakes that are none", async (running, url) => {
    const good = handshake();
    for (
      const [text, status, said] of [
        [good.replace(/Sec-WebSocket-Version.*\r\n/, ""), 426, "ec-websocket-version: 13"],
        [good.replace("Version: 13", "Version: 8"), 426, "ec-websocket-version: 13"],
        [good.replace(/Sec-WebSocket-Key.*\r\n/, ""), 400, "Sec-WebSocket-Key"],
        [good.replace("dGhlIHNhbXBsZSBub25jZQ==", "short"), 400, "Sec-WebSocket-Key"],
        [good.replace("Connection: Upgrade", "Connection: keep-alive"), 0, ""],
      ] as const
    ) {
      const talk = new Talk(url, text);
      if (status === 0) {
        // Node takes it for no upgrade, others for a malformed one.
        await talk.until("HTTP/1.1 4");
      } else {
        await talk.until("application/problem+json");
        await talk.until(`HTTP/1.1 ${status} `);
        assertStringIncludes(talk.answer.toLowerCase(), said.toLowerCase());
      }
      await talk.until("nosniff");
      talk.leave();
    }
    running.kill("SIGTERM");
    assertEquals((await running.ended()).code, 0);
    assertEquals(await ownErrors(running), "");
  });

  test("keeps a silent event stream alive until its client leaves", async (running, url) => {
    const events = new Talk(url, get("/events"));
    await events.until("data: first\n\n");
    await events.until(":\n\n");
    events.leave();
    await running.line(/^events have ended$/);
    running.kill("SIGTERM");
    assertEquals((await running.ended()).code, 0);
  }, { HEARTBEAT: "0.05" });

  test("lets an upload finish that has begun", async (running, url) => {
    const upload = new Talk(url, post("/upload", 200_000) + "1".repeat(100_000));
    await running.line(/^upload is reached$/);
    running.kill("SIGTERM");
    await running.line(/^told to end$/);
    // Refused, or answered without being begun.
    const late = new Talk(url, get("/nowhere"));
    await late.until("}").catch(() => {});
    assert(late.answer === "" || late.answer.startsWith("HTTP/1.1 503 "), late.answer);
    late.leave();
    upload.send("1".repeat(100_000));
    await upload.until('{"length":200000}');
    assertMatch(upload.answer, /^HTTP\/1.1 200 .*\r\nconnection: close\r\n/is);
    assertEquals((await running.ended()).code, 0);
  });

  test("waits for a slow body as long as it is configured", async (running, url) => {
    const slow = [
      post("/upload", 10),
      post("/upload", 900_000),
      post("/endpoint", 10, "application/json"),
    ].map((head) => new Talk(url, `${head}half`));
    await Promise.all(slow.map((talk) => talk.until("HTTP/1.1 408 ")));
    for (const talk of slow) talk.leave();
    const other = new Talk(url, post("/upload", 4) + "full");
    await other.until('{"length":4}');
    other.leave();
    running.kill("SIGTERM");
    assertEquals((await running.ended()).code, 0);
    assertEquals(await running.errors(), "");
  }, { REQUEST_TIMEOUT: "1" });

  test("sends what there is of a stream that fails, and says so once", async (running, url) => {
    const events = new Talk(url, get("/broken"));
    assertMatch(await events.ended(), /^HTTP\/1.1 200 .*data: first\n\n\r\n$/s);
    running.kill("SIGTERM");
    assertEquals((await running.ended()).code, 0);
    const errors = await running.errors();
    assertMatch(errors, /^Cannot send all of the answer to GET \/broken .*Error: a defect/is);
    assertEquals(errors.match(/Error: |Cannot/gi)?.length, 2, errors);
  });

  test("takes clients that leave for no failure", async (running, url) => {
    const uploads = [post("/upload", 10), post("/upload", 900_000)].map((head) => {
      return new Talk(url, `${head}half`);
    });
    for (const _ of uploads) await running.line(/^upload is reached$/);
    const left = ["/left", "/left-defect"].map((path) => new Talk(url, get(path)));
    for (const _ of left) await running.line(/^left is reached$/);
    const events = new Talk(url, get("/events"));
    await events.until("first");
    for (const talk of [...uploads, ...left, events]) talk.leave();
    const heard =
      /^left is aborted$|^events have ended$|^The client disconnected before the response to GET \/left(?:-defect)?$/;
    const seen: string[] = [];
    while (seen.length < 5) seen.push((await running.line(heard))[0]);
    assertEquals(seen.sort(), [
      "The client disconnected before the response to GET /left",
      "The client disconnected before the response to GET /left-defect",
      "events have ended",
      "left is aborted",
      "left is aborted",
    ]);
    running.kill("SIGTERM");
    assertEquals((await running.ended()).code, 0);
    assertEquals(await ownErrors(running), "");
  });

  test("aborts the signal of an upload that broke off", async (running, url) => {
    for (const path of ["/upload-late", "/upload-early"]) {
      const upload = new Talk(url, post(path, 10) + "half");
      await running.line(/^upload is reached$/);
      upload.leave();
      await running.line(/^(?:late|early) signal is aborted$/);
    }
  });

  test("logs no error for an upload that breaks off in 'request.raw'", async (running, url) => {
    for (const path of ["/upload-raw", "/upload-chunks"]) {
      const upload = new Talk(url, post(path, 10) + "half");
      await running.line(/^upload is reached$/);
      upload.leave();
      await running.line(/^The client disconnected before the response to POST \/upload-/);
    }
    running.kill("SIGTERM");
    assertEquals((await running.ended()).code, 0);
    assertEquals(await ownErrors(running), "");
  });

  test("aborts the signal of a WebSocket when it closes, not before", async (running, url) => {
    await using socket = await Socket.opened(url, "/socket-signal");
    assertEquals(await socket.message(), "aborted: false");
    socket.close(1000);
    await running.line(/^signal is aborted$/);
  });

  test(
    "gives what Hono's helpers want, and believes trusted proxies alone",
    async (running, url) => {
      for (const [header, address] of [["", "127.0.0.1"], ["6.6.6.6, 1.2.3.4", "1.2.3.4"]]) {
        const response = await fetch(`${url}/client`, {
          headers: header ? { "X-Forwarded-For": header } : {},
        });
        assertEquals(await response.json(), ["127.0.0.1", address]);
      }
      const socket = new WebSocket(url.replace("http", "ws") + "/echo");
      await new Promise((resolve, reject) => {
        socket.onopen = resolve;
        socket.onerror = reject;
      });
      const answer = new Promise<MessageEvent>((resolve) => socket.onmessage = resolve);
      socket.send("once");
      assertEquals((await answer).data, "once once");
      const closed = new Promise((resolve) => socket.onclose = resolve);
      socket.close();
      await closed;
      await running.line(/^socket is closed$/);
    },
    { TRUSTED_PROXIES: "127.0.0.0/8" },
  );

  test("believes what a proxy says in the field that it writes", async (_, url) => {
    const headers = { "X-Forwarded-For": "6.6.6.6", "Forwarded": "for=1.2.3.4;proto=https" };
    const response = await fetch(`${url}/address`, { headers });
    assertEquals(await response.text(), "1.2.3.4");
  }, { TRUSTED_PROXIES: "127.0.0.0/8", FORWARDED_HEADER: "Forwarded" });

  test("opens WebSockets, and closes them when either side is over", async (running, url) => {
    await using socket = await Socket.opened(url);
    assertEquals(await socket.message(), "welcome");
    socket.send("once");
    assertEquals(await socket.message(), "once");
    socket.send(new Uint8Array([0, 255]));
    assertEquals(await socket.message(), new Uint8Array([0, 255]));
    socket.send("signal");
    assertEquals(await socket.message(), "aborted: false");
    socket.send("end");
    assertEquals(await socket.closed, [4000, "as you like"]);
    await running.line(/^signal is aborted$/);
    await running.line(/^closed with 4000 as you like, open: false$/);
    await using other = await Socket.opened(url);
    other.close(4001);
    await running.line(/^closed with 4001 , open: false$/);
    await using broken = await Socket.opened(url);
    broken.send("fail");
    assertEquals(await broken.closed, [1011, ""]);
    await running.line(/^closed with 1011 /);
    running.kill("SIGTERM");
    assertEquals((await running.ended()).code, 0);
    assertMatch(await running.errors(), /WebSocket of GET \/socket.*a defect/s);
  });

  test(
    "closes WebSockets with 1001, and does not wait for those that say nothing",
    async (running, url) => {
      await using socket = await Socket.opened(url);
      const silent = new Talk(url, handshake());
      await silent.until("welcome");
      running.kill("SIGTERM");
      assertEquals(await socket.closed, [1001, "Server shutting down"]);
      const { code, lines } = await running.ended();
      assertEquals(code, 0);
      assertEquals(lines.at(-1), "bean is closed");
      assertEquals(lines.filter((line) => /^closed with/.test(line)).sort(), [
        "closed with 1001 Server shutting down, open: false",
        "closed with 1001 Server shutting down, open: false",
      ]);
    },
  );

  test("lets middleware read the head after a WebSocket is opened", async (running, url) => {
    await using socket = await Socket.opened(url, "/socket-read");
    assertEquals(await socket.message(), "welcome");
    await running.line(/^asked afterwards: undefined websocket$/i);
  });

  test("does not hold a client whose WebSocket fails in middleware", async (running, url) => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/socket-fails`);
    const over = Promise.withResolvers<void>();
    socket.onerror = () => {};
    socket.onclose = () => over.resolve();
    if (runtime !== "Deno") socket.onopen = () => over.resolve();
    await over.promise;
    socket.close();
    running.kill("SIGTERM");
    assertEquals((await running.ended()).code, 0);
    assertStringIncludes(await running.errors(), "a defect afterwards");
  });

  test("opens WebSockets for pages of its own origin alone", async (running, url) => {
    const { host } = new URL(url);
    for (
      const [headers, status] of [
        [[`Origin: http://${host}`], 101],
        [[`Origin: https://${host}`], 101],
        [["Origin: http://evil.example"], 403],
        [["Origin: null"], 403],
      ] as const
    ) {
      const talk = new Talk(url, handshake(host, headers));
      await talk.until(`HTTP/1.1 ${status} `);
      if (status === 403) await talk.until("The origin may not open this WebSocket");
      talk.leave();
    }
    const plain = new Talk(url, get("/socket"));
    await plain.until("HTTP/1.1 426 ");
    assertMatch(plain.answer, /\r\nupgrade: websocket\r\n/i);
    plain.leave();
    running.kill("SIGTERM");
    assertEquals((await running.ended()).code, 0);
  });
});

Deno.test({
  name: "Node + says which package WebSockets want",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using bare = await Project.equipped();
    await bare.remove("node_modules/ws");
    await Deno.copyFile((await project).file("wire.mjs"), bare.file("wire.mjs"));
    await using running = new Running([...await node(24), bare.file("wire.mjs")]);
    const [, url = ""] = await running.line(/^url (\S+)/);
    const talk = new Talk(url, handshake());
    await talk.until("HTTP/1.1 500 ");
    talk.leave();
    running.kill("SIGTERM");
    await running.ended();
    assertStringIncludes(await running.errors(), "npm install ws@");
  },
});

/** Waits until connections are refused. */
async function refused(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  while (true) {
    try {
      (await Deno.connect({ hostname, port: Number(port) })).close();
    } catch {
      return;
    }
  }
}

/** The stderr of a process without Deno's warning of the signals of requests. */
async function ownErrors(running: Running): Promise<string> {
  return (await running.errors()).replace(/^Deno\.serve: .*\n/, "");
}

/** The request that opens a WebSocket. */
function handshake(
  host = "localhost",
  headers: readonly string[] = [],
  path = "/socket",
): string {
  return [
    `GET ${path} HTTP/1.1`,
    `Host: ${host}`,
    "Connection: Upgrade",
    "Upgrade: WebSocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
    "\r\n",
  ].join("\r\n");
}

/** The client's end of a WebSocket. */
class Socket {
  readonly #socket: WebSocket;
  readonly #messages: unknown[] = [];
  #heard?: () => void;
  /** Code and reason, when it is closed. */
  readonly closed: Promise<[number, string]>;

  private constructor(url: string, path: string) {
    this.#socket = new WebSocket(url.replace("http", "ws") + path);
    this.#socket.binaryType = "arraybuffer";
    this.closed = new Promise((resolve) => {
      this.#socket.onclose = ({ code, reason }) => resolve([code, reason]);
    });
    this.#socket.onmessage = ({ data }) => {
      this.#messages.push(data instanceof ArrayBuffer ? new Uint8Array(data) : data);
      this.#heard?.();
    };
  }

  static async opened(url: string, path = "/socket"): Promise<Socket> {
    const socket = new Socket(url, path);
    await new Promise((resolve, reject) => {
      socket.#socket.onopen = resolve;
      socket.#socket.onerror = reject;
    });
    socket.#socket.onerror = () => {};
    return socket;
  }

  async message(): Promise<unknown> {
    while (this.#messages.length === 0) {
      await new Promise<void>((resolve) => this.#heard = resolve);
    }
    return this.#messages.shift();
  }

  send(data: string | Uint8Array<ArrayBuffer>): void {
    this.#socket.send(data);
  }

  close(code: number): void {
    this.#socket.close(code);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    await this.closed;
  }
}
