/** Tokens from headers, cookies, queries and subprotocols, over sockets on each runtime. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { HOST, ORIGIN_CASES } from "../features/security/origin_cases.ts";
import type { Running } from "../app/process.ts";
import { onEachRuntime } from "./processes.ts";
import { Talk } from "./talk.ts";

/** Targets with a token in their query, which are answered in as many ways as there are. */
const LEAKING: readonly string[] = [
  ...["/me?access_token=T", "/deep?access_token=T", "/admin?access_token=T"],
  ...["/fails?access_token=T", "/unsendable?access_token=T", "/stream?access_token=T"],
  ...["/bound/1?access_token=T", "/bound/x?access_token=T", "/nowhere?access_token=T"],
  ...["/me?access_token=Tx", "/me?access_token=T&access_token=T", "/me?a=%zz&access_token=T"],
  ...["/mounted/x?access_token=T", "/actuator/metrics?access_token=T", "/socket?access_token=T"],
  ...["/%zz?access_token=T", "/a\\b?access_token=T", "//me?access_token=T"],
  ...["http://[?access_token=T", "http://localhost/me?access_token=T", "me?access_token=T"],
];

onEachRuntime("token_telemetry", (test) => {
  test(
    "a cookie needs an allowed origin for unsafe methods and handshakes",
    async (running, url) => {
      const token = tokenOf(running);
      const wrong: unknown[] = [];
      for (const one of ORIGIN_CASES) {
        const { method, origin, site, status } = one;
        const fields = [
          `Host: ${HOST}`,
          `Cookie: __Host-token=${token}`,
          ...(origin === undefined ? [] : [`Origin: ${origin}`]),
          ...(site === undefined ? [] : [`Sec-Fetch-Site: ${site}`]),
        ];
        const found = await statusOf(url, method, "/me", fields);
        if (found !== status) wrong.push([one, found]);
        // A handshake is checked like an unsafe method.
        if (method !== "POST") continue;
        const opened = await statusOf(url, "GET", "/socket", [...fields, ...HANDSHAKE]);
        if (opened !== (status === 200 ? 101 : 403)) wrong.push(["handshake", one, opened]);
      }
      assertEquals(wrong, []);
    },
    { IS_SILENT: "yes" },
  );

  test("a subprotocol carries the token, and never comes back", async (running, url) => {
    const token = tokenOf(running);
    const opened = async (protocols: readonly string[]) => {
      const socket = new WebSocket(`${url.replace("http", "ws")}/socket`, [...protocols]);
      const closed = new Promise((resolve) => socket.onclose = resolve);
      const found = await new Promise<string>((resolve) => {
        socket.onmessage = ({ data }) => resolve(`${data} by ${socket.protocol}`);
        socket.onerror = () => resolve("refused");
      });
      socket.close();
      await closed;
      return found;
    };
    assertEquals(await opened(["bearer", token]), "welcome ada by bearer");
    assertEquals(await opened(["chat", "bearer", token]), "welcome ada by chat");
    const refused = [["bearer"], [token], ["chat", token], [token, "bearer"], [
      "bearer",
      "x",
      token,
    ]];
    for (const protocols of refused) assertEquals(await opened(protocols), "refused");
    for (const protocols of [`${token}, bearer, ${token}`, `bearer, ${token}`]) {
      const fields = ["Host: localhost", `Sec-WebSocket-Protocol: ${protocols}`];
      const answer = await answerOf(url, "GET", "/socket", [...fields, ...HANDSHAKE]);
      assert(!answer.includes(token), answer);
    }
    // Only a handshake has subprotocols.
    const fields = ["Host: localhost", `Sec-WebSocket-Protocol: bearer, ${token}`];
    assertEquals(await statusOf(url, "GET", "/me", fields), 401);
  });

  test("a token in a query is in no log, trace, problem or header", async (running, url) => {
    const token = tokenOf(running);
    const secret = token.split(".")[2]!;
    const answers: string[] = [];
    for (const target of LEAKING) {
      const path = target.replaceAll("T", token);
      for (
        const fields of [["Host: localhost"], ["Host: a b"], ["Host: localhost", ...HANDSHAKE]]
      ) {
        answers.push(await answerOf(url, "GET", path, fields));
      }
      answers.push(await answerOf(url, "POST", path, ["Host: localhost", "Content-Length: 0"]));
    }
    answers.push(
      await answerOf(url, "GET", "/actuator/metrics/http.server.requests", [
        "Host: localhost",
        `Authorization: Bearer ${token}`,
      ]),
    );
    assertEquals(answers.filter((answer) => answer.includes(secret)), []);
    const [me = ""] = answers;
    assertMatch(me, /^HTTP\/1\.1 200 /);
    assertMatch(me, /\r\nreferrer-policy: no-referrer\r\n/i);
    assertMatch(me, /\r\ncache-control: no-store\r\n/i);
    for (const path of ["/deep", "/mounted/x", "/actuator/metrics"]) {
      const answer = await answerOf(url, "GET", `${path}?access_token=${token}`, ["Host: h"]);
      assertMatch(answer, /^HTTP\/1\.1 200 [^]*\r\nreferrer-policy: no-referrer\r\n/i, path);
      if (path === "/deep") assertStringIncludes(answer, '{"name":"ada"}');
    }
    running.kill("SIGTERM");
    const { lines } = await running.ended();
    const printed = [...lines.filter((line) => !line.startsWith("token ")), await running.errors()];
    assertEquals(printed.filter((line) => line.includes(secret)), []);
    const all = printed.join("\n");
    for (
      const found of ["GET /me 200", "span GET /me", "Cannot answer GET /fails", "Rejected token"]
    ) {
      assertStringIncludes(all, found);
    }
    assertMatch(all, /A defect of the stream/);
  });
});

const HANDSHAKE: readonly string[] = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

function tokenOf({ seen }: Running): string {
  return seen.find((line) => line.startsWith("token "))!.slice("token ".length);
}

async function statusOf(...request: Parameters<typeof answerOf>): Promise<number> {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(await answerOf(...request))?.[1]);
}

/** The answer up to the end of the connection or of the head of an upgrade. */
async function answerOf(
  url: string,
  method: string,
  target: string,
  fields: readonly string[],
): Promise<string> {
  const isUpgrade = fields.includes("Upgrade: websocket");
  const head = [
    `${method} ${target} HTTP/1.1`,
    ...fields,
    ...(isUpgrade ? [] : ["Connection: close"]),
  ];
  const talk = new Talk(url, `${head.join("\r\n")}\r\n\r\n`);
  if (isUpgrade) {
    await talk.until("\r\n\r\n");
    talk.leave();
    return talk.answer;
  }
  return await talk.ended();
}
