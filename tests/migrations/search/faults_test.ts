import { assert, assertEquals, assertInstanceOf, assertMatch } from "@std/assert";
import { ConnectionError, MigrationFailedError } from "../../../src/migrations/runner/mod.ts";
import { startClusterDouble } from "../../servers/cluster_double.ts";
import { apply, connectionTo } from "./runner.ts";

const PUT = '{"method":"PUT","path":"/_index_template/a","body":{"index_patterns":["a"]}}';
const POST =
  '{"method":"POST","path":"/_aliases","body":{"actions":[{"add":{"index":"framework_migrations","alias":"records"}}]}}';

const error = (status: number, type: string, reason: string) => () =>
  Response.json({ error: { root_cause: [], type, reason }, status }, { status });
const blocked = (status: number, why: string) =>
  error(status, "cluster_block_exception", `index [a] blocked by: [${why}];`);
const status = (code: number, headers: Record<string, string> = {}) => () =>
  new Response(code === 204 ? null : "<html>busy</html>", { status: code, headers });

interface Fault {
  readonly fault: string;
  /** The answer of the cluster, for the first `times` requests; then it answers as usual. */
  readonly answer: () => Response;
  readonly times?: number;
  /** How often a file that repeats and a raw POST are sent, and how the run ends. */
  readonly put: readonly [sent: number, end: End, message?: RegExp];
  readonly post: readonly [sent: number, end: End, message?: RegExp];
}

type End = "done" | "refused" | "no connection";

const now = { "Retry-After": "0" };
const aMomentAgo = { "Retry-After": "Sat, 01 Jan 2000 00:00:00 GMT" };
const later = { "Retry-After": "3600" };
const disk = "TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has " +
  "read-only-allow-delete block";

const FAULTS: readonly Fault[] = [
  { fault: "429 once", answer: status(429, now), times: 1, put: [2, "done"], post: [2, "done"] },
  {
    fault: "503 once, by a proxy whose connection broke",
    answer: status(503, now),
    times: 1,
    put: [2, "done"],
    post: [1, "no connection", /HTTP 503: <html>busy.*may have been received/],
  },
  {
    fault: "503 once, by a cluster without the primary shard",
    answer: error(503, "unavailable_shards_exception", "primary shard is not active"),
    times: 1,
    put: [2, "done"],
    post: [2, "done"],
  },
  {
    fault: "503 once, by a cluster whose queue is full",
    answer: error(503, "process_cluster_event_timeout_exception", "failed to process"),
    times: 1,
    put: [2, "done"],
    post: [1, "no connection", /may have been received/],
  },
  {
    fault: "Retry-After as a date",
    answer: status(429, aMomentAgo),
    times: 1,
    put: [2, "done"],
    post: [2, "done"],
  },
  {
    fault: "429 for good",
    answer: status(429, now),
    put: [5, "refused", /429/],
    post: [5, "refused"],
  },
  {
    fault: "503 for longer than the run waits",
    answer: status(503, later),
    put: [1, "refused", /HTTP 503 \(it asks to wait 3600 s\)/],
    post: [1, "no connection", /may have been received/],
  },
  {
    fault: "502 once",
    answer: status(502, now),
    times: 1,
    put: [2, "done"],
    post: [1, "no connection", /may have been received/],
  },
  {
    fault: "504 once",
    answer: status(504, now),
    times: 1,
    put: [2, "done"],
    post: [1, "no connection", /HTTP 504: <html>busy/],
  },
  {
    fault: "500",
    answer: status(500),
    put: [1, "refused", /HTTP 500: <html>busy/],
    post: [1, "refused"],
  },
  {
    fault: "400",
    answer: error(400, "parse_exception", "no"),
    put: [1, "refused", /HTTP 400: parse_exception: no/],
    post: [1, "refused"],
  },
  {
    fault: "401",
    answer: status(401),
    put: [1, "no connection", /does not accept the credentials: HTTP 401/],
    post: [1, "no connection"],
  },
  {
    fault: "403",
    answer: error(403, "security_exception", "no permissions for [x]"),
    put: [
      1,
      "no connection",
      /does not allow this: HTTP 403: security_exception: no permissions for \[x\]/,
    ],
    post: [1, "no connection"],
  },
  {
    fault: "a read-only index",
    answer: blocked(403, "FORBIDDEN/5/index read-only (api)"),
    put: [1, "refused", /FORBIDDEN\/5\/index read-only/],
    post: [1, "refused"],
  },
  {
    fault: "a full disk",
    answer: blocked(429, disk),
    put: [1, "refused", /the disk of a node is full: free space on it first/],
    post: [1, "refused"],
  },
  {
    fault: "a redirect to another host",
    answer: status(307, { Location: "http://127.0.0.1:1/" }),
    put: [1, "refused", /HTTP 307: redirects are not followed/],
    post: [1, "refused"],
  },
  {
    fault: "a success that is no JSON",
    answer: () => new Response("ok"),
    put: [1, "refused", /HTTP 200 with no JSON, as from a proxy or a login page: ok/],
    post: [1, "refused"],
  },
  {
    fault: "a success that is the page of a proxy",
    answer: () => new Response("<!doctype html><title>Log in</title>"),
    put: [1, "refused", /HTTP 200 with HTML or XML.*Log in/],
    post: [1, "refused"],
  },
  {
    fault: "a success cut off within its JSON",
    answer: () => new Response('{"acknowledged":tr'),
    put: [1, "refused", /HTTP 200 with invalid or truncated JSON/],
    post: [1, "refused"],
  },
  {
    fault: "a success that confirms nothing",
    answer: () => Response.json({}),
    put: [1, "refused", /expected 'acknowledged: true', found \{\}/],
    post: [1, "refused"],
  },
  {
    fault: "an error that is only a text",
    answer: () => Response.json({ error: "no handler" }, { status: 404 }),
    put: [1, "refused", /HTTP 404: no handler/],
    post: [1, "refused"],
  },
];

for (const { fault, answer, times = Infinity, ...expected } of FAULTS) {
  for (
    const [file, line, [sent, end, message]] of [
      [PUT, "PUT /_index_template/a", expected.put],
      [POST, "POST /_aliases", expected.post],
    ] as const
  ) {
    Deno.test(`${fault} on ${line}: sent ${sent} times, ${end}`, async () => {
      let count = 0;
      await using double = startClusterDouble({
        intercept: (request) => request === line && ++count <= times ? answer() : undefined,
      });
      const report = await apply(double.url, { "1.json": file });
      assertEquals(count, sent);
      if (end === "done") assertEquals(report.error, undefined);
      else {
        assertInstanceOf(
          report.error,
          end === "refused" ? MigrationFailedError : ConnectionError,
        );
        assertMatch(report.error.message, message ?? /./);
        assert(report.error.message.includes(double.url), report.error.message);
      }
    });
  }
}

Deno.test("a host that hangs is left after the time-out, and the next one is remembered", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  await using hanging = startClusterDouble({ intercept: () => promise });
  await using good = startClusterDouble();
  const connection = { ...connectionTo(hanging.url, good.url), timeoutMs: 100 };
  const report = await apply(connection, { "1.json": PUT });
  resolve(new Response());
  assertEquals(report.error, undefined);
  assertEquals(hanging.requests.length, 1);
});

Deno.test("a host that accepts no connection costs its limit once", async () => {
  // A listener that never accepts: its backlog takes connections, so the answer is what is waited for.
  const silent = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  try {
    await using good = startClusterDouble();
    const hosts = [`http://127.0.0.1:${silent.addr.port}`, good.url];
    const report = await apply({ ...connectionTo(...hosts), timeoutMs: 100 }, { "1.json": PUT });
    assertEquals(report.error, undefined);
    const lost = await apply({ ...connectionTo(hosts[0]!), timeoutMs: 100 }, { "1.json": PUT });
    assertMatch(
      lost.error!.message,
      new RegExp(`No host answers POST /_mget: ${hosts[0]} \\(no answer within 0\\.1 s\\)`),
    );
  } finally {
    silent.close();
  }
});

Deno.test("a message about a lost connection has no advice about functions of the runtime", async () => {
  // As Bun 1.4.5 says it, which the binary is made of.
  const table = [
    [
      "ECONNRESET: The socket connection was closed unexpectedly. For more information, pass `verbose: true` " +
      "in the second argument to fetch()",
      "ECONNRESET: The socket connection was closed unexpectedly.",
    ],
    [
      "ECONNREFUSED: Unable to connect. Is the computer able to access the url?",
      "ECONNREFUSED: Unable to connect.",
    ],
  ] as const;
  for (const [message, shown] of table) {
    const client = {
      fetch: () => Promise.reject(new Error(message)),
      probe: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    const { error } = await apply(connectionTo("http://h"), { "1.json": PUT }, {
      openClient: () => Promise.resolve(client),
    });
    assertEquals(error?.message.endsWith(`http://h (${shown})`), true, error?.message);
  }
});

Deno.test("a message about TLS says what to change", async () => {
  const authority = "; 'ca_cert' names an authority to trust";
  // As Node and Deno say it.
  const table = {
    "unable to verify the first certificate": authority,
    "self-signed certificate in certificate chain": authority,
    "invalid peer certificate: UnknownIssuer": authority,
    "certificate has expired": "",
    "wrong version number": "; the server may speak http, not https",
  };
  for (const [message, hint] of Object.entries(table)) {
    const client = {
      fetch: () => Promise.reject(new Error(message)),
      probe: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    const { error } = await apply(connectionTo("https://h"), { "1.json": PUT }, {
      openClient: () => Promise.resolve(client),
    });
    assertMatch(error!.message, /^No host answers POST \/_mget: /);
    assertEquals(error!.message.split(`https://h (${message})`)[1], hint);
  }
});

Deno.test("a body arrives byte for byte", async () => {
  await using double = startClusterDouble();
  const body =
    '{ "index_patterns" : ["a"],\n "_meta": {"n": 12345678901234567890, "x": 1.0, "ü": "\\u00fc€😀", "e": {} } }\r\n';
  await apply(double.url, { "a-template.json": `\uFEFF${body}` });
  const sent = double.requests.find(({ line }) => line === "PUT /_index_template/a")!;
  assertEquals(sent.body, body);
});
