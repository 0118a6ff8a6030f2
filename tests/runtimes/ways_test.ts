/** On Node a request that needs no `Request` is answered without one: the answers are the same. */
import { assert, assertEquals } from "@std/assert";
import { within } from "../../src/runtime/mod.ts";
import { Running } from "../app/process.ts";
import { cases } from "../conformance/cases/mod.ts";
import { raw } from "../conformance/cases/raw.ts";
import { conformance } from "../conformance/runner.ts";
import { rawConformance } from "../conformance/raw_runner.ts";
import { EXCEPTED } from "./excepted.ts";
import { node } from "./executables.ts";
import { APP, Project } from "./project.ts";
import { get, post, Talk } from "./talk.ts";

const project = Project.equipped()
  .then(async (made) => {
    await made.addBundle(`${APP}/ways.ts`, "ways.mjs");
    return made;
  });

Deno.test.afterAll(async () => {
  await (await project)[Symbol.asyncDispose]();
});

for (const major of [22, 24] as const) {
  test("with middleware keeps the contract too", major, async (_, fetched) => {
    const { hostname, port } = new URL(fetched);
    const outcomes = [
      ...await conformance(fetched),
      ...await rawConformance(hostname, Number(port)),
    ];
    const failed = outcomes.filter(({ name, failures }) => {
      return failures.length > 0 && !EXCEPTED["Node"]?.includes(name);
    });
    assertEquals(failed, []);
  });

  test("answers every case alike", major, async (one, another) => {
    const urls = [one, another];
    for (const { name, method = "GET", path, headers, body } of cases) {
      // Node writes a head together with a text as UTF-8, and one before bytes as it is.
      if (name === "answers: a header in Latin-1") continue;
      const [direct, fetched] = await Promise.all(urls.map(async (url) => {
        const request = { method, headers, body: body?.(), redirect: "manual" } as const;
        const response = await fetch(url + path, { ...request, ...{ duplex: "half" } });
        const fields = [...response.headers].map((pair) => pair.join(": "));
        return `${[response.status, ...fields].join("\r\n")}\r\n\r\n${await response.text()}`;
      }));
      assertEquals(comparable(direct), comparable(fetched), name);
    }
    for (const { name, request } of raw) {
      // Requests without the end of their head are left out: each way may notice the cut at another place.
      if (!request.endsWith("\r\n\r\n")) continue;
      const [direct, fetched] = await Promise.all(urls.map(async (url) => {
        const talk = new Talk(url, request.replace("\r\n", "\r\nConnection: close\r\n"));
        return await talk.ended();
      }));
      assertEquals(comparable(direct), comparable(fetched), name);
    }
  });

  test("answers plain requests without the adapter", major, async (direct, fetched) => {
    const written = async () => Number(await (await fetch(`${fetched}/written`)).text());
    const before = await written();
    for (const path of PLAIN) assert((await fetch(direct + path)).ok, path);
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ name: "Ada", age: 36 });
    const posted = await fetch(`${direct}/body/any`, { method: "POST", headers, body });
    assertEquals([posted.status, await posted.json()], [200, { body: JSON.parse(body) }]);
    assertEquals(await written(), before);
  });

  test("writes itself what middleware adds fields to", major, async (_, fetched, [, behind]) => {
    const written = async () => Number(await (await fetch(`${fetched}/written`)).text());
    const before = await written();
    for (const path of PLAIN) assert((await fetch(fetched + path)).ok, path);
    const { headers } = await fetch(`${behind}/headers`);
    assertEquals([headers.get("x-behind"), headers.get("content-length")], ["\xe4", "15"]);
    assertEquals((await fetch(`${behind}/text`)).headers.get("x-behind"), "\xe4");
    assertEquals(await written(), before);
  });

  test("shows its `Request` as it is", major, async (_, __, urls) => {
    for (const url of urls) {
      const ask = async (path: string, body?: string) => {
        const response = await fetch(
          url + path,
          body === undefined ? {} : { method: "POST", body },
        );
        return await response.json();
      };
      assertEquals(await ask("/headers"), ["1", null, true]);
      assertEquals(await ask("/used", "text"), [
        ...["text", true],
        ...Array.from({ length: 3 }, () => "rejected"),
      ]);
      assertEquals(await ask("/forwarded", "text"), ["POST", "b", "text", true]);
      assertEquals(await ask("/copied", "text"), ["POST", "b", "text", true, true]);
      assertEquals(await ask("/stream", ""), true);
      assertEquals(await ask("/headers?q=O'B"), ["1", null, true]);
    }
  });

  test(
    "sends a response of the application as a text, and changes no header fields of others",
    major,
    async (_, __, urls) => {
      for (const url of [...urls, ...urls]) {
        const { headers } = await fetch(`${url}/text`);
        const found = ["x-own", "content-length", "content-type", "x-behind"].map((name) =>
          headers.get(name)
        );
        const isBehind = url === urls[1];
        assertEquals(found, ["1", "6", "text/plain;charset=UTF-8", isBehind ? "\xe4" : null]);
      }
    },
  );

  test(
    "makes requests of its own after another adapter was there",
    major,
    async (_, __, [, url]) => {
      for (const [path, text] of [["/again", "GET"], ["/replace", "true"], ["/again", "GET"]]) {
        assertEquals(await (await fetch(url + path!)).text(), text);
      }
      const consumed = await fetch(`${url}/consumed`, { method: "POST", body: "unread" });
      assertEquals([consumed.status, consumed.headers.get("content-type")], [
        500,
        "application/problem+json",
      ]);
      await consumed.body?.cancel();
    },
  );

  test("gives the text of a mounted route its type", major, async (_, __, urls) => {
    for (const url of urls) {
      const { headers } = await fetch(`${url}/mounted`);
      assertEquals(headers.get("content-type"), "text/plain;charset=UTF-8");
    }
  });

  test("ends the connection of what is no request", major, async (url) => {
    const talk = new Talk(
      url,
      "POST / HTTP/1.1\r\nHost: localhost:@x\r\nContent-Length: 9\r\n\r\n",
    );
    // Kept open it would be for a minute.
    const answer = await within(talk.ended(), 20_000, "nothing");
    assert(answer.startsWith("HTTP/1.1 400 "), answer);
  });

  test("gives up a slow body once, however often it is read again", major, async (_, __, urls) => {
    for (const url of urls) {
      const talk = new Talk(url, post("/slow", 10) + "{");
      await talk.until("]");
      assert(talk.answer.endsWith("[408,408,408]"), talk.answer);
    }
  });

  test("outlives a body that breaks off and that is not read", major, async (_, __, urls) => {
    for (const url of urls) {
      const talk = new Talk(url, post("/forgets", 10) + "{");
      await talk.until("answered");
      talk.leave();
      for (let time = 0; time < 3; time++) {
        assertEquals((await fetch(`${url}/headers`)).status, 200);
      }
    }
  });

  test(
    "reads a body however it comes, and leaves the next request alone",
    major,
    async (url) => {
      const body = JSON.stringify({ name: "Ada", age: 36 });
      const request = post("/body/any", body.length, "application/json") + body;
      const statuses = async (talk: Talk) => {
        await talk.until("404");
        talk.leave();
        return talk.answer.split("HTTP/1.1 ").slice(1).map((part) => part.slice(0, 3));
      };
      await Promise.all(Array.from({ length: request.length + 1 }, async (_, index) => {
        const talk = new Talk(url);
        talk.send(request.slice(0, index));
        await new Promise((resolve) => setTimeout(resolve, 20));
        talk.send(request.slice(index) + get("/nowhere"));
        assertEquals(await statuses(talk), ["200", "404"], request.slice(0, index));
        assert(talk.answer.includes(`{"body":${body}}`), talk.answer);
      }));
      const several = new Talk(url, request + request.replace("Ada", "Bob") + get("/nowhere"));
      assertEquals(await statuses(several), ["200", "200", "404"]);
      assertEquals(several.answer.match(/Ada|Bob/g), ["Ada", "Bob"]);
    },
  );
}

/**
 * Without what two answers may differ in: dates, random numbers, the order and case of fields, whether a body that is
 * read from a `Response` is short enough for `@hono/node-server` to tell its length, and the limit of a body in pieces,
 * which is the largest of all routes as long as no route is known.
 */
function comparable(answer = ""): string {
  const [head = "", ...rest] = answer.split("\r\n\r\n");
  const fields = head.split("\r\n").map((line) =>
    line.replace(/^[\w-]+(?=:)/, (name) => name.toLowerCase())
  )
    .filter((line) => !/^(?:date|content-length|transfer-encoding):/.test(line)).sort();
  return [...fields, ...rest].join("\n")
    .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, "<id>")
    .replace(/\bdate,.*/g, "").replace(/larger than \d+/g, "too large").replace(
      /127\.0\.0\.1:\d+/g,
      "<host>",
    );
}

const PLAIN: readonly string[] = [
  "/answer/object",
  "/answer/array",
  "/answer/string",
  "/answer/promise",
];

function test(
  title: string,
  major: 22 | 24,
  run: (direct: string, fetched: string, opened: readonly string[]) => Promise<void>,
): void {
  Deno.test({
    name: `Node ${major} + ${title}`,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const script = (await project).file("ways.mjs");
      await using running = new Running([...await node(major), script]);
      const [, urls = ""] = await running.line(/^url (.*)$/);
      const [direct = "", fetched = "", ...opened] = urls.split(" ");
      await run(direct, fetched, opened);
    },
  });
}
