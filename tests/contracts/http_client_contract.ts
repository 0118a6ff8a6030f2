import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { createServer } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { httpClient } from "../../src/runtime/client.ts";
import {
  ConnectError,
  type HttpClientOptions,
  type PemKind,
  pemProblem,
  type Runtime,
} from "../../src/runtime/mod.ts";
import { Certificates } from "../servers/certificates.ts";
import { startFullListener } from "../servers/full_listener.ts";
import { startProxy } from "../servers/proxy.ts";
import { startTlsServer } from "../servers/tls_server.ts";
import type { RuntimeCase } from "./runtime_contract.ts";

/** The contract of `httpClient`. Needs the `openssl` command. */
export const HTTP_CLIENT_CASES: readonly RuntimeCase[] = [
  {
    name: "fetches without settings, and does not trust an unknown authority",
    async run(runtime, folder) {
      await using plain = await startPlainServer();
      assertEquals(await get(runtime, plain.url), "GET /");
      const { server } = await certificates(folder);
      await using secure = await startTlsServer(server);
      await assertRejects(() => get(runtime, secure.url));
    },
  },
  {
    name: "trusts the authority that it is given, and no other",
    async run(runtime, folder) {
      const { authority, other, server } = await certificates(folder);
      await using secure = await startTlsServer(server);
      assertMatch(await get(runtime, secure.url, { caCert: authority.cert }), /s_server/);
      await assertRejects(() => get(runtime, secure.url, { caCert: other.cert }));
    },
  },
  {
    name: "trusts each of several authorities in one text",
    async run(runtime, folder) {
      const { authority, other, server } = await certificates(folder);
      await using secure = await startTlsServer(server);
      const caCert = `${other.cert}\n${authority.cert}`;
      assertMatch(await get(runtime, secure.url, { caCert }), /s_server/);
    },
  },
  {
    name: "checks the name in the certificate",
    async run(runtime, folder) {
      const { authority } = await certificates(folder);
      const made = new Certificates(folder);
      const other = await made.server("elsewhere", authority, "DNS:elsewhere.invalid");
      await using secure = await startTlsServer(other);
      const wrong = () => get(runtime, secure.url, { caCert: authority.cert });
      const { message } = await assertRejects(wrong, Error);
      assertEquals(message.includes("For more information"), false, message);
      if (runtime.name === "bun") {
        assertEquals(message, "the certificate of the server is not for '127.0.0.1'");
      }
    },
  },
  {
    name: "tells certificates and keys that can be read from those that cannot",
    async run(_runtime, folder) {
      const { authority, other, client } = await certificates(folder);
      const spoilt = (pem: string) => pem.replace(/(-----\n)[^-]*(\n-----END)/, "$1xxxx$2");
      const table: [text: string, kind: PemKind, found: string | undefined][] = [
        [`Some text\n${authority.cert}\n${other.cert}`, "certificate", undefined],
        [client.cert.replaceAll("\n", "\r\n"), "certificate", undefined],
        [`${client.cert}${client.key}`, "certificate", undefined],
        [client.key, "key", undefined],
        [`${client.cert}${client.key}`, "key", undefined],
        [spoilt(client.cert), "certificate", "found one that cannot be read"],
        [authority.cert + spoilt(client.cert), "certificate", "found one that cannot be read"],
        [spoilt(client.key), "key", "found one that cannot be read"],
        [
          spoilt(client.key).replaceAll("PRIVATE", "ENCRYPTED PRIVATE"),
          "key",
          "found one with a passphrase",
        ],
        [client.key, "certificate", "found none"],
        [client.cert, "key", "found none"],
        ["-----BEGIN CERTIFICATE-----", "certificate", "found none"],
        ["", "certificate", "found none"],
      ];
      for (const [text, kind, found] of table) {
        const expected = kind === "key" ? "a private key" : "a certificate";
        const problem = found && `Expected ${expected} in PEM, ${found}`;
        assertEquals(pemProblem(text, kind), problem, text);
      }
    },
  },
  {
    name: "accepts any certificate when verification is off",
    async run(runtime, folder) {
      const { client } = await certificates(folder);
      await using secure = await startTlsServer(client);
      assertMatch(await get(runtime, secure.url, { verifyTls: false }), /s_server/);
      // One client's settings are not another's.
      await assertRejects(() => get(runtime, secure.url));
    },
  },
  {
    name: "shows its certificate where one is demanded",
    async run(runtime, folder) {
      const { authority, server, client } = await certificates(folder);
      await using secure = await startTlsServer(server, authority);
      const trust = { caCert: authority.cert };
      const own = { clientCert: client.cert, clientKey: client.key };
      assertMatch(await get(runtime, secure.url, { ...trust, ...own }), /s_server/);
      await assertRejects(() => get(runtime, secure.url, trust));
      assertMatch(await get(runtime, secure.url, { verifyTls: false, ...own }), /s_server/);
    },
  },
  {
    name: "tunnels https through a proxy, with its credentials, and checks the certificate",
    async run(runtime, folder) {
      const { authority, server } = await certificates(folder);
      await using secure = await startTlsServer(server);
      await using proxy = await startProxy();
      const withUser = proxy.url.replace("//", "//user:p%40ss@");
      const settings = { proxy: withUser, caCert: authority.cert };
      assertMatch(await get(runtime, secure.url, settings), /s_server/);
      assertEquals(proxy.seen, [`CONNECT ${hostOf(secure.url)} Basic ${btoa("user:p@ss")}`]);
      assertMatch(
        await get(runtime, secure.url, { proxy: proxy.url, verifyTls: false }),
        /s_server/,
      );
      // Last, because the server takes one connection at a time and Bun leaves this one open.
      await assertRejects(() => get(runtime, secure.url, { proxy: proxy.url }));
    },
  },
  {
    name: "asks a proxy for http",
    async run(runtime) {
      await using proxy = await startProxy();
      // A name that cannot be resolved (RFC 6761): the proxy is the one to do it.
      assertEquals(
        await get(runtime, "http://no.invalid/a?b", { proxy: proxy.url }),
        "by the proxy",
      );
      assertEquals(proxy.seen, ["GET http://no.invalid/a?b"]);
    },
  },
  {
    name: "does not follow redirects when told so, sends bodies, and can be aborted",
    async run(runtime) {
      await using plain = await startPlainServer();
      for (const options of [{}, { proxy: false as const }]) {
        const client = httpClient(runtime, options);
        const redirect = await client.fetch(`${plain.url}redirect`, { redirect: "manual" });
        assertEquals(redirect.status, 302);
        await redirect.body?.cancel();
        const answer = await client.fetch(plain.url, { method: "PUT", body: '{"a":"ü"}' });
        assertEquals(await answer.text(), 'PUT /{"a":"ü"}');
        const error = await assertRejects(
          () => client.fetch(`${plain.url}never`, { signal: AbortSignal.timeout(50) }),
          Error,
        );
        assertEquals(error.name, "TimeoutError");
        await client.close();
      }
    },
  },
  {
    name: "closes with an unread body, twice, and unused",
    async run(runtime) {
      await using plain = await startPlainServer();
      const client = httpClient(runtime, { proxy: false });
      const { body } = await client.fetch(`${plain.url}endless`);
      await client.close();
      await client.close();
      await body?.cancel().catch(() => {});
      await httpClient(runtime, { verifyTls: false }).close();
    },
  },
  {
    name: "probes a host, or the proxy in front of it",
    async run(runtime) {
      await using plain = await startPlainServer();
      const unused = await unusedPort();
      await httpClient(runtime).probe(plain.url, 1000);
      const refused = await assertRejects(
        () => httpClient(runtime, { proxy: false }).probe(`http://127.0.0.1:${unused}`, 1000),
        ConnectError,
      );
      assertStringIncludes(refused.message, "connection refused");
      const unknown = await assertRejects(
        () => httpClient(runtime, { proxy: false }).probe("http://no.invalid", 10_000),
        ConnectError,
      );
      assertEquals(unknown.message, "unknown host");
      const client = httpClient(runtime, { proxy: plain.url });
      await client.probe("https://no.invalid", 1000);
      const behind = httpClient(runtime, { proxy: `http://127.0.0.1:${unused}` });
      const error = await assertRejects(() => behind.probe(plain.url, 1000), ConnectError);
      assertEquals(error.message, `proxy 127.0.0.1:${unused}: connection refused`);
    },
  },
  {
    name: "sends once what is to be sent once, when a kept connection closes after the work",
    async run(runtime) {
      // Under Deno the adapter of Node has Deno's own fetch, which sends again.
      if (runtime.name === "node" && "Deno" in globalThis) return;
      await using server = await startPlainServer();
      const client = httpClient(runtime);
      try {
        for (const method of ["POST", "PUT", "DELETE", "POST"]) {
          for (const once of [false, true, true]) {
            await (await client.fetch(server.url, {}, { once })).text();
          }
          const sent = server.worked.length;
          const url = `${server.url}work`;
          const body = method === "DELETE" ? null : "{}";
          await assertRejects(() => client.fetch(url, { method, body }, { once: true }));
          assertEquals(server.worked.slice(sent), [method]);
        }
      } finally {
        await client.close();
      }
    },
  },
  {
    name: "sends by a connection of its own what is to be sent once",
    async run(runtime) {
      // Under Deno the adapter of Node has Deno's own fetch.
      if (runtime.name === "node" && "Deno" in globalThis) return;
      await using server = await startPlainServer();
      const client = httpClient(runtime);
      try {
        for (const once of [false, true, true, true]) {
          const init = { method: "POST", body: "{}" };
          const answer = await client.fetch(`${server.url}last`, init, { once });
          assertEquals(await answer.text(), "POST /last{}");
        }
      } finally {
        await client.close();
      }
    },
  },
  {
    name: "gives up a probe after its time",
    async run(runtime) {
      await using full = await startFullListener();
      const started = performance.now();
      const error = await assertRejects(
        () => httpClient(runtime).probe(full.url, 200),
        ConnectError,
      );
      assertEquals(error.message, "connecting took longer than 0.2 s");
      assert(performance.now() - started < 3000);
    },
  },
];

async function get(
  runtime: Runtime,
  url: string,
  options?: HttpClientOptions,
): Promise<string> {
  const client = httpClient(runtime, options);
  try {
    const signal = AbortSignal.timeout(10_000);
    return await (await client.fetch(url, { signal })).text();
  } finally {
    await client.close();
  }
}

async function certificates(folder: string) {
  const make = new Certificates(folder);
  const [authority, other] = await Promise.all([make.authority("one"), make.authority("other")]);
  const [server, client] = await Promise.all([
    make.server("server", authority),
    make.client("client", authority),
  ]);
  return { authority, other, server, client };
}

function hostOf(url: string): string {
  return new URL(url).host;
}

/** A server on loopback. */
interface PlainServer extends AsyncDisposable {
  readonly url: string;
  /** Methods of the requests for `/work`. */
  readonly worked: readonly string[];
}

/**
 * Answers with method, path and body; `/redirect`, `/never` and `/endless` are what they say, `/work` closes the connection
 * when it has the whole request, and what comes after `/last` by the same connection ends that.
 */
async function startPlainServer(): Promise<PlainServer> {
  const worked: string[] = [];
  const over = new WeakSet<object>();
  const server = createServer(async (request, response) => {
    if (over.has(request.socket)) return request.socket.destroy();
    if (request.url === "/last") over.add(request.socket);
    if (request.url === "/work") {
      for await (const _ of request);
      worked.push(`${request.method}`);
      request.socket.destroy();
    } else if (request.url === "/redirect") {
      response.writeHead(302, { Location: "/" }).end();
    } else if (request.url === "/endless") {
      response.write("first");
    } else if (request.url !== "/never") {
      let body = "";
      for await (const chunk of request.setEncoding("utf8")) body += chunk;
      response.end(`${request.method} ${request.url}${body}`);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  return {
    url: `http://127.0.0.1:${port}/`,
    worked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function unusedPort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
