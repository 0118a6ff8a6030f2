/** Tests the client with a real server, on every runtime that has `node:http`. */
import assert from "node:assert/strict";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import {
  type CallOptions,
  client,
  type ClientOptions,
  ProblemError,
  type ReceivedEvent,
  TimeoutError,
} from "../../../src/features/client/mod.ts";

type Arguments = Readonly<Record<string, unknown>>;

const METHODS = ["GET", "HEAD", "PUT", "DELETE", "POST", "PATCH"] as const;
const key = { in: "header", name: "Idempotency-Key" } as const;
const body = { in: "raw", as: "body" } as const;
const contract = {
  CallController: {
    ...Object.fromEntries(METHODS.map((method) => [method, {
      method,
      path: "/call",
      parameters: /^[GH]/.test(method) ? [] : [body],
    }])) as Record<typeof METHODS[number], ReturnType<typeof operation>>,
    pay: operation("POST", key, body),
    upload: operation("POST", { in: "multipart", as: "body" }),
    parts: operation("PUT", { in: "part", name: "file" }, { in: "form", name: "title" }),
    events: { ...operation("GET", { in: "header", name: "Last-Event-ID" }), events: true as const },
  },
};

function operation(method: string, ...parameters: { in: string; name?: string; as?: string }[]) {
  return { method, path: "/call", parameters } as {
    readonly method: string;
    readonly path: string;
    readonly parameters: typeof parameters;
    readonly "~types"?: { arguments: Arguments; result: unknown; problem: never };
  };
}

/** Starts a server for one case. */
async function serve(
  answer: (request: IncomingMessage, response: ServerResponse, count: number) => void,
) {
  const requests: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request);
    answer(request, response, requests.length);
  };
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    requests,
    api: (options?: ClientOptions) => client(url, contract, options).call,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, status: number, headers = {}, body = ""): void {
  response.writeHead(status, headers).end(body);
}

/** The error that the work throws. */
async function failure(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  assert.fail("Nothing was thrown");
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return new TextDecoder().decode(await new Blob(chunks as BlobPart[]).arrayBuffer());
}

function stream(...texts: string[]): ReadableStream<Uint8Array> {
  return new Blob(texts).stream();
}

async function collected(events: AsyncIterable<ReceivedEvent>): Promise<string[]> {
  const found: string[] = [];
  for await (const { type, data, lastEventId } of events) {
    found.push(`${type} ${data} ${lastEventId}`);
  }
  return found;
}

/** Name, file name, type and content of a part. */
const PART =
  /^\r\nContent-Disposition: form-data; name="([^"]*)"(?:; filename="([^"]*)")?(?:\r\nContent-Type: ([^\r;]*)[^\r]*)?\r\n\r\n([^]*)\r\n$/i;
const EVENTS = { "Content-Type": "text/event-stream" };
const JSON_TYPE = { "Content-Type": "application/json" };
const fast = { attempts: 3, delay: 1 };

/** By what each shows. */
export const CASES: Readonly<Record<string, () => Promise<void>>> = {
  async "a request is repeated by its method, key, body and status"() {
    const broken = 0;
    const rows: [
      name: typeof METHODS[number] | "pay",
      args: Arguments,
      status: number,
      sent: number,
    ][] = [
      ...(["GET", "HEAD", "PUT", "DELETE"] as const).flatMap((method) =>
        [broken, 408, 429, 502, 503, 504].map((status) => [method, {}, status, 3] as never)
      ),
      ...[400, 404, 409, 500, 501].map((status) => ["GET", {}, status, 1] as never),
      ...[broken, 429, 503].flatMap((status) =>
        [
          ["POST", {}, status, 1],
          ["PATCH", { body: "a" }, status, 1],
          ["pay", { "Idempotency-Key": "a", body: "a" }, status, 3],
          ["pay", { body: new Blob(["a"]) }, status, 3],
          ["PUT", { body: stream("a") }, status, 1],
        ] as never[]
      ),
    ];
    for (const [method, args, status, sent] of rows) {
      await using server = await serve((request, response) => {
        request.resume();
        if (status === broken) response.destroy();
        else send(response, status);
      });
      const error = await failure(() => server.api({ retry: fast })[method](args));
      const name = `${method} ${JSON.stringify(args)} ${status}`;
      assert.equal(server.requests.length, sent, name);
      assert.equal(error instanceof (status === broken ? TypeError : ProblemError), true, name);
    }
  },

  async "a repeated request is the same one, and its answer counts"() {
    const bodies: string[] = [];
    await using server = await serve(async (request, response, count) => {
      bodies.push(`${request.headers["idempotency-key"]} ${await text(request)}`);
      send(response, count < 3 ? 503 : 201, JSON_TYPE, "[1]");
    });
    const form = { "Idempotency-Key": "k", body: new Blob(["a"]) };
    assert.deepEqual(await server.api({ retry: fast }).pay(form), [1]);
    assert.deepEqual(bodies, ["k a", "k a", "k a"]);
  },

  async "a call without a key has a new one, the same in each attempt"() {
    const keys: unknown[] = [];
    await using server = await serve((request, response) => {
      keys.push(request.headers["idempotency-key"]);
      request.resume();
      send(response, 503);
    });
    const api = server.api({ retry: { attempts: 2, delay: 1 } });
    await failure(() => api.pay({ body: "a" }));
    await failure(() => api.pay({ body: "a" }));
    await failure(() => api.pay({ body: "a" }, { headers: { "Idempotency-Key": "k" } }));
    await failure(() => server.api({ headers: { "Idempotency-Key": "c" } }).pay({ body: "a" }));
    const [first, again, second] = keys;
    assert.match(String(first), /^\d+(?:-\d+){3}$/);
    assert.equal(again, first);
    assert.notEqual(second, first);
    assert.deepEqual(keys.slice(4), ["k", "k", "c"]);
  },

  async "nothing is repeated unless it is asked for"() {
    await using server = await serve((_, response) => send(response, 503));
    assert.ok(await failure(() => server.api().GET()) instanceof ProblemError);
    await failure(() => server.api({ retry: fast }).GET({}, { retry: undefined }));
    await failure(() => server.api({ retry: { attempts: NaN } }).GET());
    assert.equal(server.requests.length, 3);
    await failure(() => server.api().GET({}, { retry: fast }));
    assert.equal(server.requests.length, 6);
  },

  async "a body that breaks off is asked for again"() {
    await using server = await serve((_, response, count) => {
      response.writeHead(200, { ...JSON_TYPE, "Content-Length": "3" });
      if (count === 3) response.end("[3]");
      else response.write("[", () => response.destroy());
    });
    assert.deepEqual(await server.api({ retry: fast }).GET(), [3]);
  },

  async "Retry-After is honoured up to a limit"() {
    const hour = 3_600_000;
    const date = (milliseconds: number) => new Date(Date.now() + milliseconds).toUTCString();
    const rows: [header: string, maxDelay: number | undefined, sent: number][] = [
      ["0", undefined, 2],
      [date(-hour), undefined, 2],
      ["2", 1999, 1],
      ["31", undefined, 1],
      [date(hour), undefined, 1],
    ];
    for (const [header, maxDelay, sent] of rows) {
      await using server = await serve((_, response) =>
        send(response, 503, { "Retry-After": header })
      );
      await failure(() => server.api({ retry: { attempts: 2, delay: hour, maxDelay } }).GET());
      assert.equal(server.requests.length, sent, header);
    }
    for (const [headers, sent] of [[{ "Retry-After": "0" }, 3], [{}, 1]] as const) {
      await using server = await serve((_, response) => send(response, 409, headers));
      await failure(() => server.api({ retry: fast }).GET());
      assert.equal(server.requests.length, sent);
    }
    const times: number[] = [];
    await using server = await serve((_, response) => {
      times.push(performance.now());
      send(response, 429, { "Retry-After": "1" });
    });
    await failure(() => server.api({ retry: { attempts: 2, delay: 1 } }).GET());
    assert.ok(times[1]! - times[0]! > 990, `${times}`);
  },

  async "an aborted call is not repeated, and throws the reason"() {
    const reason = new Error("enough");
    for (const options of [fast, { attempts: 3, delay: 60_000 }]) {
      const controller = new AbortController();
      await using server = await serve((_, response) => {
        if (options === fast) return controller.abort(reason);
        send(response, 503);
        setTimeout(() => controller.abort(reason), 50);
      });
      const { GET } = server.api({ retry: options });
      assert.equal(await failure(() => GET({}, { signal: controller.signal })), reason);
      assert.equal(server.requests.length, 1);
      assert.equal(await failure(() => GET({}, { signal: controller.signal })), reason);
      assert.equal(server.requests.length, 1);
    }
  },

  async "a call takes no longer than its timeout"() {
    const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
      never: () => {},
      "without an end": (response) => void response.writeHead(200, JSON_TYPE).write("["),
      "again and again": (response) => send(response, 503),
    };
    for (const [name, answer] of Object.entries(answers)) {
      await using server = await serve((_, response) => answer(response));
      const { GET } = server.api({ timeout: 60_000, retry: { attempts: 1e6, delay: 1 } });
      const error = await failure(() => GET({}, { timeout: 100 }));
      assert.ok(error instanceof TimeoutError, name);
      assert.equal(error.message, "GET /call was not answered within 100 ms");
      const signal = AbortSignal.abort("mine");
      assert.equal(await failure(() => GET({}, { timeout: 100, signal })), "mine");
    }
    await using server = await serve((_, response) => send(response, 204));
    for (const timeout of [0, -1, NaN, Infinity, 2 ** 31]) {
      assert.ok(await failure(() => server.api({ timeout }).GET()) instanceof RangeError);
    }
    assert.equal(await server.api({ timeout: 1 }).GET({}, { timeout: undefined }), undefined);
  },

  async "a body that is read after the call has no timeout, but a signal"() {
    await using server = await serve((_, response) => {
      response.writeHead(200, { "Content-Type": "application/octet-stream" });
      response.write("a");
      setTimeout(() => response.write("b"), 200);
    });
    const controller = new AbortController();
    const options: CallOptions = { timeout: 100, signal: controller.signal };
    const { body } = await server.api().GET({}, options) as Response;
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    assert.equal((await reader.read()).value, "a");
    assert.equal((await reader.read()).value, "b");
    controller.abort("mine");
    assert.equal(await failure(() => reader.read()), "mine");
  },

  async "response() gives status and headers, and throws errors"() {
    await using server = await serve(({ headers }, response) => {
      if (headers["if-none-match"]) return send(response, 304, { ETag: '"1"' });
      if (headers.authorization) {
        return send(response, 201, { ...JSON_TYPE, Location: "/1" }, "[1]");
      }
      send(response, 401, JSON_TYPE, '"No"');
    });
    const { GET } = server.api();
    const headers = { Authorization: "a" };
    const created = await GET.response({}, { headers });
    assert.deepEqual([created.status, created.headers.get("Location")], [201, "/1"]);
    assert.deepEqual(await created.json(), [1]);
    const known = await GET.response({}, { headers: { "If-None-Match": '"1"' } });
    assert.deepEqual([known.status, known.headers.get("ETag")], [304, '"1"']);
    const error = await failure(() => GET.response());
    assert.ok(error instanceof ProblemError && error.body === "No");
  },

  async "headers of a call come before those of the client"() {
    await using server = await serve(({ headers }, response) =>
      send(response, 200, JSON_TYPE, JSON.stringify([headers.a, headers.b, headers.accept]))
    );
    const { GET } = server.api({ headers: { A: "1", B: "1" } });
    const accept = { Accept: "application/xml" };
    assert.deepEqual(await GET({}, { headers: { B: "2", ...accept } }), ["1", "2", accept.Accept]);
  },

  async "a download is read as fast as its reader reads, and ends with it"() {
    let written = 0;
    const closed = Promise.withResolvers<void>();
    await using server = await serve((_, response) => {
      response.writeHead(200, { "Content-Type": "application/octet-stream" });
      response.on("close", () => closed.resolve());
      const chunk = new Uint8Array(2 ** 20);
      const write = (): void => {
        if (response.destroyed || ++written === 1000) return;
        if (response.write(chunk)) setTimeout(write);
        else response.once("drain", write);
      };
      write();
    });
    const { body } = await server.api().GET() as Response;
    const reader = body!.getReader();
    await reader.read();
    for (let before = -1; before !== written;) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(written < 100, `${written} MiB were sent`);
    await reader.cancel();
    await closed.promise;
  },

  async "an upload is read as fast as the server reads it"() {
    const { promise: isRead, resolve: read } = Promise.withResolvers<void>();
    await using server = await serve(async (request, response) => {
      await isRead;
      let size = 0;
      for await (const chunk of request) size += chunk.length;
      send(response, 200, JSON_TYPE, String(size));
    });
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (++pulled > 100) controller.close();
        else controller.enqueue(new Uint8Array(2 ** 20));
      },
    });
    const answer = server.api().PUT({ body });
    for (let before = -1; before !== pulled;) {
      before = pulled;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    assert.ok(pulled < 100, `${pulled} MiB were read`);
    read();
    assert.equal(await answer, 100 * 2 ** 20);
  },

  async "parts are sent from files, streams and texts"() {
    await using server = await serve(async (request, response) => {
      const [, boundary] = /boundary="?([^";]+)/.exec(request.headers["content-type"]!)!;
      const sent = (await text(request)).split(`--${boundary}`);
      assert.deepEqual([sent[0], sent.at(-1)!.slice(0, 2)], ["", "--"]);
      const found = sent.slice(1, -1).map((part) => PART.exec(part)?.slice(1).filter(Boolean));
      send(response, 200, JSON_TYPE, JSON.stringify(found));
    });
    const { upload, parts } = server.api();
    const file = new File(["abc"], "ä.txt", { type: "text/plain" });
    const sent = ["file", "ä.txt", "text/plain", "abc"];
    const form = new FormData();
    form.append("file", file);
    assert.deepEqual(await upload({ body: form }), [sent]);
    const fields = { title: "a\r\nb", size: 1, none: undefined };
    const texts = [["title", "a\r\nb"], ["size", "1"]];
    assert.deepEqual(await upload({ body: { ...fields, file } }), [...texts, sent]);
    const image = { name: 'a"\r\n.png', type: "image/png", stream: () => stream("d", "e") };
    const octets = "application/octet-stream";
    assert.deepEqual(await upload({ body: { ...fields, file: [file, image, stream("f")] } }), [
      ...texts,
      sent,
      ["file", "a%22%0D%0A.png", "image/png", "de"],
      ["file", "blob", octets, "f"],
    ]);
    const titled = await parts({ file: stream("f"), title: "T" });
    assert.deepEqual(titled, [["file", "blob", octets, "f"], ["title", "T"]]);
    const json = ["file", "blob", "application/json", '{"a":"1"}'];
    assert.deepEqual(await parts({ file: { a: 1n } }), [json]);
  },

  async "events are resumed after the last one that has arrived"() {
    const asked: unknown[] = [];
    await using server = await serve(({ headers }, response, count) => {
      asked.push(headers["last-event-id"]);
      if (count === 3) return response.destroy();
      if (count === 4) return send(response, 503, { "Retry-After": "0" });
      if (count === 6) return send(response, 204);
      response.writeHead(200, EVENTS);
      const text =
        `retry: 1\nid: ${count}é✓\ndata: ${count}\n\nevent: end\ndata: [\ndata: ]\n\ndata: lost`;
      if (count === 2) response.write(text, () => setTimeout(() => response.destroy(), 50));
      else response.end(text);
    });
    const found = await collected(server.api().events({ "Last-Event-ID": "0" }));
    const of = (n: number) => [`message ${n} ${n}é✓`, `end [\n] ${n}é✓`];
    assert.deepEqual(found, [1, 2, 5].flatMap(of));
    const bytes = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));
    const ids = [1, 2, 2, 2, 5].map((n) => bytes(`${n}é✓`));
    assert.deepEqual(asked.map((id) => id === "0" ? id : bytes(fromHeader(id))), ["0", ...ids]);
  },

  async "events are resumed after an answer that takes too long"() {
    await using server = await serve((_, response, count) => {
      if (count === 1) send(response, 200, EVENTS, "retry: 1\ndata: 1\n\n");
      if (count === 3) send(response, 204);
    });
    const { events } = server.api({ timeout: 200 });
    assert.deepEqual(await collected(events()), ["message 1 "]);
    assert.equal(server.requests.length, 3);
  },

  async "events without an id and a retry are not resumed"() {
    await using server = await serve((_, response, count) => {
      response.writeHead(200, EVENTS);
      if (count === 1) response.end("data: 1\n\n");
      else response.write("data: 1\n\n", () => setTimeout(() => response.destroy(), 50));
    });
    const { events } = server.api();
    assert.deepEqual(await collected(events()), ["message 1 "]);
    assert.ok(await failure(() => collected(events())) instanceof TypeError);
    assert.equal(server.requests.length, 2);
  },

  async "events end with what cannot be followed"() {
    const text = "id: 1\nretry: 1\ndata: 1\n\n";
    const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
      ProblemError: (response) => send(response, 404),
      TypeError: (response) => send(response, 200, { "Content-Type": "text/html" }, "<p>"),
    };
    for (const [name, answer] of Object.entries(answers)) {
      for (const last of [1, 3]) {
        await using server = await serve((_, response, count) =>
          count < last ? send(response, 200, EVENTS, text) : answer(response)
        );
        const error = await failure(() => collected(server.api().events())) as Error;
        assert.equal(error.name, name, error.message);
        assert.equal(server.requests.length, last);
        if (name !== "TypeError") continue;
        const expected = "Cannot follow GET /call: expected 'text/event-stream', found 'text/html'";
        assert.equal(error.message, expected);
      }
    }
  },

  async "events close their connection when the loop is left"() {
    const closed = Promise.withResolvers<void>();
    await using server = await serve((_, response) => {
      response.on("close", () => closed.resolve());
      response.writeHead(200, EVENTS).write("id: 1\ndata: 1\n\n");
    });
    for await (const { data } of server.api().events({}, { timeout: 1000 })) {
      assert.equal(data, "1");
      break;
    }
    await closed.promise;
    assert.equal(server.requests[0]!.headers.accept, "text/event-stream");
  },

  async "events are aborted by a signal, while they are read and before they are resumed"() {
    for (const isOpen of [true, false]) {
      const controller = new AbortController();
      await using server = await serve((_, response) => {
        response.writeHead(200, EVENTS).write("retry: 60000\ndata: 1\n\n");
        if (!isOpen) response.end();
      });
      const work = async () => {
        for await (const _ of server.api().events({}, { signal: controller.signal })) {
          setTimeout(() => controller.abort("mine"), 50);
        }
      };
      assert.equal(await failure(work), "mine");
      assert.equal(server.requests.length, 1);
    }
  },
};

/** Node and Bun give the bytes of a header as characters, Deno reads them as UTF-8. */
function fromHeader(value: unknown): string {
  const bytes = [...String(value)].map((one) => one.charCodeAt(0));
  return bytes.some((byte) => byte > 255)
    ? String(value)
    : new TextDecoder().decode(Uint8Array.from(bytes));
}
