/** Uploads that are read as they arrive, on each runtime as processes have them. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Running } from "../app/process.ts";
import { onEachRuntime } from "./processes.ts";
import { post, Talk } from "./talk.ts";

const MEGABYTE = 2 ** 20;
/** By hand 300: `UPLOAD_MEGABYTES=300`. */
const SIZE = Number(Deno.env.get("UPLOAD_MEGABYTES") ?? 64) * MEGABYTE;
const TYPE = "multipart/form-data; boundary=b";
const FIRST = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n';
const HEAD = `${FIRST}--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n`;
const TAIL = "\r\n--b--\r\n";

onEachRuntime("uploads", (test) => {
  test("keeps nothing of an upload in memory", async (running, url) => {
    // Engines take their room with the first one: what counts is that the second, four times as large, has enough in it.
    for (const size of [SIZE / 4, SIZE]) {
      const upload = begin(url, "/sizes", size);
      await upload.pour(size);
      upload.send(TAIL);
      await upload.until('"megabytes":');
      upload.leave();
      const [, found, megabytes] = /"file":(\d+)\},"megabytes":(\d+)\}/.exec(upload.answer) ?? [];
      assertEquals(Number(found), size);
      if (size < SIZE) continue;
      assert(Number(megabytes) < Math.min(60, 0.8 * SIZE / MEGABYTE), `${megabytes} MB`);
    }
    await endsWell(running);
  });

  test("finishes an upload that has begun before a signal to end", async (running, url) => {
    const upload = begin(url, "/sizes", 200_000);
    await upload.pour(100_000);
    await running.line(/^file has begun$/);
    running.kill("SIGTERM");
    await running.line(/^told to end$/);
    await upload.pour(100_000);
    upload.send(TAIL);
    assertMatch(await upload.ended(), /^HTTP\/1.1 200 .*\r\nconnection: close\r\n.*200000/is);
    assertEquals((await running.ended()).code, 0);
  });

  for (const [path, begun] of [["sizes", "file"], ["drained", "drained"]]) {
    test(`tells who reads an upload of /${path} that it is cut off`, async (running, url) => {
      const upload = begin(url, `/${path}`, 200_000);
      await upload.pour(100_000);
      await running.line(new RegExp(`^${begun} has begun$`));
      running.kill("SIGTERM");
      const { code, lines } = await running.ended();
      assertEquals(lines.slice(-2), [`${path} failed: The server has ended`, "bean is closed"]);
      assertEquals(code, 1);
      assertMatch(await running.errors(), /Gave up waiting after 1 s for 1 request in flight/);
      upload.leave();
    }, { SHUTDOWN_TIMEOUT: "1" });
  }

  test("takes a client that leaves in a part for no failure", async (running, url) => {
    const upload = begin(url, "/sizes", 200_000);
    await upload.pour(100_000);
    await running.line(/^file has begun$/);
    upload.leave();
    await running.line(/^sizes failed: The request body is incomplete$/);
    await endsWell(running);
  });

  test("skips what is not read", async (running, url) => {
    const upload = begin(url, "/names");
    await upload.pour(SIZE);
    upload.send(TAIL);
    await upload.until('{"names":["a","file"]}');
    upload.leave();
    await endsWell(running);
  });

  for (
    const [title, path, answer] of [
      ["stops where the handler does", "/first", '{"name":"a"}'],
      ["answers a part that is too large at once", "/small", '"status":413'],
      ["is no different from a stream that is left", "/stream", '{"name":"stream"}'],
    ] as const
  ) {
    test(title, async (running, url) => {
      const upload = begin(url, path);
      await Promise.all([upload.until(answer), upload.pour(MEGABYTE)]);
      // The connection is closed, or what still comes is dropped.
      await upload.pour(SIZE - MEGABYTE);
      upload.leave();
      const other = begin(url, "/names", 0);
      other.send(TAIL);
      await other.until('{"names":["a","file"]}');
      other.leave();
      await endsWell(running);
    });
  }
});

/** An upload of a small part and a large one, whose bytes are to come. */
function begin(url: string, path: string, size = SIZE): Talk {
  const length = HEAD.length + size + TAIL.length;
  return new Talk(url, `${post(`/uploads${path}`, length, TYPE)}${HEAD}`);
}

/** Nothing hangs, and nothing was logged. */
async function endsWell(running: Running): Promise<void> {
  running.kill("SIGTERM");
  assertEquals((await running.ended()).code, 0);
  // Deno itself warns of the signals of requests.
  assertEquals((await running.errors()).replace(/^Deno\.serve: .*\n/, ""), "");
}
