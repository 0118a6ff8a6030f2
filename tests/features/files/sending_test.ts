import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { renameSync, symlinkSync } from "node:fs";
import { truncate, utimes, writeFile } from "node:fs/promises";
import { toFileUrl } from "@std/path";
import {
  bootstrap,
  GetMapping,
  PathVariable,
  ResponseEntity,
  RestController,
} from "../../../mod.ts";
import { fileResponse } from "../../../src/features/files/mod.ts";
import { openBelow } from "../../../src/runtime/opened_file.ts";
import { logged } from "../../web/helpers.ts";
import { filesController } from "../../runtimes/app/files_controller.ts";
import { LETTERS, makeFolder } from "./folder.ts";

Deno.test("fileResponse() + has no Last-Modified while a file may change again within the second", async () => {
  await using folder = await makeFolder();
  await using app = await bootstrap({
    components: [filesController(toFileUrl(`${folder.root}/`))],
  });
  const path = `${folder.root}/letters.txt`;
  const ask = (headers = {}) => app.request("/strong/letters.txt", { headers });
  for (const [age, isKnown] of [[0, false], [-3600, false], [1, false], [5, true]] as const) {
    const changed = new Date(Date.now() - age * 1000);
    await utimes(path, changed, changed);
    const { headers, body } = await ask();
    await body?.cancel();
    assertEquals([age, headers.has("Last-Modified")], [age, isKnown]);
    const since = changed.toUTCString();
    const ranged = await ask({ "Range": "bytes=0-4", "If-Range": since });
    assertEquals([age, ranged.status], [age, isKnown ? 206 : 200]);
    await ranged.body?.cancel();
    const modified = await ask({ "If-Modified-Since": since });
    assertEquals([age, modified.status], [age, isKnown ? 304 : 200]);
    await modified.body?.cancel();
  }
});

Deno.test("fileResponse() + another size or time is another tag", async () => {
  await using folder = await makeFolder();
  await using app = await bootstrap({ components: [filesController(folder.root)] });
  const path = `${folder.root}/letters.txt`;
  const tagOf = async () => {
    const response = await app.request("/files/letters.txt");
    await response.body?.cancel();
    return response.headers.get("ETag");
  };
  const tags = [await tagOf()];
  await utimes(path, new Date(1e12), new Date(1e12));
  tags.push(await tagOf());
  await utimes(path, new Date(1e12), new Date(1e12 + 1));
  tags.push(await tagOf());
  await writeFile(path, "longer than the letters are");
  await utimes(path, new Date(1e12), new Date(1e12));
  tags.push(await tagOf());
  assertEquals(new Set(tags).size, 4);
});

Deno.test("fileResponse() + a file that is shortened while it is sent cuts the response", async () => {
  await using folder = await makeFolder();
  await writeFile(`${folder.root}/large.bin`, new Uint8Array(1e6));
  await using app = await bootstrap({ components: [filesController(folder.root)] });
  const { body } = await app.request("/files/large.bin");
  const reader = body!.getReader();
  assertEquals((await reader.read()).value?.length, 65_536);
  await truncate(`${folder.root}/large.bin`, 65_536);
  await assertRejects(
    async () => {
      while (!(await reader.read()).done);
    },
    Error,
    "it was shortened while it was sent",
  );
});

Deno.test("fileResponse() + a missing folder is a failure of the server, and is logged", async () => {
  await using app = await bootstrap({ components: [filesController("/no/such/folder")] });
  const lines = await logged(async () => {
    const response = await app.request("/files/letters.txt");
    assertEquals(response.status, 500);
    assertEquals((await response.text()).includes("no/such"), false);
  });
  assertMatch(lines.join("\n"), /Cannot send files: there is no folder '\/no\/such\/folder'/);
});

Deno.test("fileResponse() + refuses a path without a root", () => {
  const { message } = assertThrows(() => fileResponse("a.txt", {} as never), TypeError);
  assertEquals(message, "Cannot send the file 'a.txt': expected the option 'root', a folder");
});

Deno.test("fileResponse() + gives its bytes, in an entity, too", async () => {
  await using folder = await makeFolder();
  const { root } = folder;
  @RestController()
  class EntityController {
    @GetMapping("/{name}", PathVariable("name"))
    get(name: string) {
      const file = fileResponse(name, { root });
      return ResponseEntity.ok().withHeader("Content-Type", "text/x-own").setBody(file);
    }
  }
  await using app = await bootstrap({ components: [EntityController] });
  const response = await app.request("/letters.txt");
  assertEquals(response.headers.get("Content-Type"), "text/x-own");
  assertEquals(await response.text(), LETTERS);
  const missing = await app.request("/missing.txt");
  assertEquals([missing.status, (await missing.json()).detail], [
    404,
    "No resource at 'missing.txt'",
  ]);
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of fileResponse("letters.txt", { root })) text += decoder.decode(bytes);
  assertEquals(text, LETTERS);
});

Deno.test("fileResponse() + ends a stream that is not sent", async () => {
  let ended: string[] = [];
  async function* pieces(name: string) {
    try {
      yield new Uint8Array([97]);
      await Promise.resolve();
    } finally {
      ended.push(name);
    }
  }
  const stream = () =>
    new ReadableStream<Uint8Array>({ cancel: () => void ended.push("stream") }, {
      highWaterMark: 0,
    });
  @RestController()
  class StreamController {
    @GetMapping("/stream")
    stream() {
      return fileResponse(stream(), { etag: 1 });
    }

    @GetMapping("/pieces")
    async pieces() {
      const source = pieces("pieces");
      await source.next();
      return fileResponse(source, { etag: 1 });
    }
  }
  await using app = await bootstrap({ components: [StreamController] });
  for (const path of ["/stream", "/pieces"]) {
    for (
      const [status, init] of [
        [304, { headers: { "If-None-Match": '"1"' } }],
        [412, { headers: { "If-Match": '"2"' } }],
        [200, { method: "HEAD" }],
      ] as const
    ) {
      ended = [];
      const response = await app.request(path, init);
      await response.text();
      assertEquals([path, response.status, ended], [path, status, [path.slice(1)]]);
    }
  }
});

Deno.test("openBelow() + a folder that becomes a link while a file is opened leads nowhere", async () => {
  await using folder = await makeFolder();
  await using other = await makeFolder();
  let asked = 0;
  // Asked about both segments of the path, then about those that it has led to.
  const accepts = () => {
    if (++asked === 4) {
      renameSync(`${folder.root}/sub`, `${folder.root}/moved`);
      symlinkSync(`${other.root}/sub`, `${folder.root}/sub`);
    }
    return true;
  };
  assertEquals(await openBelow(folder.root, "sub/inner.txt", accepts), undefined);
  assertEquals(asked, 4);
});
