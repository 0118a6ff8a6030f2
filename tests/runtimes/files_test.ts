/** Files, ranges and conditional requests, on each runtime as a user has it. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { NOT_SERVED } from "../features/files/cases.ts";
import { makeFolder } from "../features/files/folder.ts";
import { runCases } from "../features/files/run_cases.ts";
import { onEachRuntime } from "./processes.ts";
import { get, Talk } from "./talk.ts";
import { until } from "../until.ts";

const MEGABYTE = 2 ** 20;
const SIZE = 32 * MEGABYTE;

const folder = await makeFolder();
await Deno.writeFile(`${folder.root}/large.bin`, new Uint8Array(SIZE).fill(0x61));
Deno.test.afterAll(async () => await folder[Symbol.asyncDispose]());

onEachRuntime("files", (test, runtime) => {
  const env = { ROOT: folder.root };

  test("answers the table of RFC 9110, 13 and 14", async (_, url) => {
    assertEquals(await runCases(url), []);
  }, env);

  test("serves no hostile path, byte for byte", async (_, url) => {
    for (const path of NOT_SERVED) {
      const talk = new Talk(url, get(path).replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
      const answer = await talk.ended();
      assertMatch(answer, /^HTTP\/1\.1 40[04] /, path);
      assertEquals(/secret|root:/.test(answer), false, path);
    }
    assertEquals(await opened(url), 0);
  }, env);

  test("sends the length of a file", async (_, url) => {
    const headOf = async (method: string, path: string) => {
      const talk = new Talk(url, get(path).replace("GET", method));
      await talk.until("\r\n\r\n");
      talk.leave();
      return talk.answer;
    };
    const large = new RegExp(`\r\ncontent-length: ${SIZE}\r\n`, "i");
    assertMatch(await headOf("HEAD", "/files/large.bin"), large);
    // Bun sends no stream with a length, and Deno no bytes that were checked.
    if (runtime !== "Bun") assertMatch(await headOf("GET", "/files/large.bin"), large);
    const small = /\r\ncontent-length: 26\r\n/i;
    if (runtime !== "Deno") assertMatch(await headOf("GET", "/files/letters.txt"), small);
  }, env);

  test("closes a file when the client disconnects", async (_, url) => {
    const talks = Array.from({ length: 5 }, () => new Talk(url, get("/files/large.bin")));
    await Promise.all(talks.map((talk) => talk.until("\r\n\r\n")));
    talks.forEach((talk) => talk.pause());
    assert(await opened(url) > 0);
    talks.forEach((talk) => talk.leave());
    await until(async () => await opened(url) === 0, 10);
  }, env);

  test("keeps little of a file in memory, and sends all of it", async (running, url) => {
    const memory = async () => {
      const status = await Deno.readTextFile(`/proc/${running.pid}/status`);
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
    };
    await (await fetch(`${url}/files/large.bin`)).arrayBuffer();
    const before = await memory();
    for (const range of [`bytes=0-`, `bytes=1-`, "bytes=-33554431"]) {
      const response = await fetch(`${url}/files/large.bin`, { headers: { Range: range } });
      let size = 0;
      for await (const piece of response.body!) size += piece.length;
      assertEquals(size, range === "bytes=0-" ? SIZE : SIZE - 1);
    }
    assert(await memory() - before < 2 * SIZE / MEGABYTE, `${runtime}: ${await memory()} MB`);
    assertEquals(await opened(url), 0);
  }, env);
});

async function opened(url: string): Promise<number> {
  return (await (await fetch(`${url}/open`)).json()).open;
}
