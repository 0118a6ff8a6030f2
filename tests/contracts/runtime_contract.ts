import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { chmod, lstat, mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import {
  type Drain,
  FileExistsError,
  FileNotFoundError,
  type HttpServer,
  ListenError,
  type Runtime,
  type WalkedFile,
} from "../../src/runtime/mod.ts";

/** Something that every runtime adapter has to do. Needs no test framework, so that it runs on all of them. */
export interface RuntimeCase {
  readonly name: string;
  /** @param folder a new, empty folder */
  run(runtime: Runtime, folder: string): Promise<void>;
}

const HOST = "127.0.0.1";
/** A server without requests has nothing to wait for. */
const IDLE: Drain = { uploaded: Promise.resolve(), drained: Promise.resolve() };

/** The contract of `Runtime` for files, modules and serving. */
export const RUNTIME_CASES: readonly RuntimeCase[] = [
  {
    name: "tells of the process",
    async run({ pid, hostname, cwd, env, args, stdin, stdout, usage }) {
      const { residentBytes, heapBytes, heapUsedBytes, cpuSeconds, uptimeSeconds } = usage();
      assert(residentBytes > heapUsedBytes && heapBytes >= heapUsedBytes && heapUsedBytes > 1e5);
      assert(cpuSeconds > 0 && cpuSeconds < 3600 && uptimeSeconds > 0 && uptimeSeconds < 3600);
      assert(pid > 0 && hostname !== "" && cwd().length > 0 && Array.isArray(args));
      assert(env.get("PATH") !== undefined && env.names().includes("PATH"));
      assertEquals(env.get("NO_SUCH_VARIABLE"), undefined);
      assert(stdout.columns > 0 && typeof stdout.isTerminal === "boolean");
      assertEquals(typeof stdin.isTerminal, "boolean");
      await Promise.resolve();
    },
  },
  {
    name: "writes and reads text and bytes, creating folders",
    async run({ files }, folder) {
      const path = join(folder, "a/b/c.txt");
      await files.writeTextFile(path, "häuschen");
      assertEquals(await files.readTextFile(path), "häuschen");
      const bytes = await files.readFile(path);
      assertEquals([bytes.constructor, bytes.length], [Uint8Array, 9]);
    },
  },
  {
    name: "takes a byte order mark off text and leaves it on bytes",
    async run({ files }, folder) {
      const path = join(folder, "a.txt");
      await writeFile(path, new Uint8Array([0xef, 0xbb, 0xbf, 0x61]));
      assertEquals(await files.readTextFile(path), "a");
      assertEquals((await files.readFile(path)).length, 4);
    },
  },
  {
    name: "does not write over a file unless told to",
    async run({ files }, folder) {
      const path = join(folder, "a.txt");
      await files.writeTextFile(path, "one, which is longer");
      const error = await assertRejects(
        () => files.writeTextFile(path, "two"),
        FileExistsError,
      );
      assertEquals(error.path, path);
      await files.writeTextFile(path, "two", { overwrite: true });
      assertEquals(await files.readTextFile(path), "two");
    },
  },
  {
    name: "writes a file that is whole or as it was for every reader meanwhile",
    async run({ files }, folder) {
      const path = join(folder, "file");
      const [first, second] = ["a".repeat(50_000_000), "b".repeat(50_000_000)];
      let isDone = false;
      const seen = new Set<string>();
      const look = async () => {
        while (!isDone) {
          const { size } = await files.stat(path) ?? {};
          seen.add(`${size}`);
          await new Promise((resolve) => setTimeout(resolve));
        }
      };
      const looking = look();
      await files.writeTextFile(path, first);
      await files.writeTextFile(path, second, { overwrite: true });
      isDone = true;
      await looking;
      assertEquals([...seen].filter((size) => !["undefined", "50000000"].includes(size)), []);
      assertEquals(await files.list(folder), ["file"]);
    },
  },
  {
    name: "writes what a write that was cut off has left, and keeps links and permissions",
    async run({ files }, folder) {
      const [path, link] = [join(folder, "file"), join(folder, "link")];
      await writeFile(join(folder, ".file.part"), "what was cut off and is longer");
      await files.writeTextFile(path, "one");
      assertEquals(await files.readTextFile(path), "one");
      await chmod(path, 0o600);
      await symlink(path, link);
      await assertRejects(() => files.writeTextFile(link, "two"), FileExistsError);
      await files.writeTextFile(link, "two", { overwrite: true });
      assertEquals(await files.readTextFile(path), "two");
      assertEquals((await lstat(link)).isSymbolicLink(), true);
      assertEquals((await stat(path)).mode & 0o777, 0o600);
      assertEquals(await files.list(folder), ["file", "link"]);
      await mkdir(join(folder, "taken"));
      await assertRejects(() =>
        files.writeTextFile(join(folder, "taken"), "x", { overwrite: true })
      );
      assertEquals(await files.list(folder), ["file", "link", "taken"]);
    },
  },
  {
    name: "writes to a pipe, which stays one",
    async run({ files, execute }, folder) {
      const pipe = join(folder, "pipe");
      await execute("mkfifo", [pipe]);
      const reading = execute("cat", [pipe], { signal: AbortSignal.timeout(10_000) });
      await files.writeTextFile(pipe, "text", { overwrite: true });
      assertEquals((await reading)?.stdout, "text");
      assertEquals((await lstat(pipe)).isFIFO(), true);
      assertEquals(await files.list(folder), ["pipe"]);
    },
  },
  {
    name: "makes no folder where that cannot be, and says so",
    async run({ files }, folder) {
      await files.writeTextFile(join(folder, "file"), "");
      await symlink(join(folder, "nowhere"), join(folder, "dangling"));
      const paths = [join(folder, "file/a/b"), join(folder, "dangling/a"), join(folder, "file")];
      // A folder that takes no other; not on every system.
      if (await files.stat("/proc/self")) paths.push("/proc/irori", "/proc/irori/a/b");
      for (const path of paths) {
        await assertRejects(() => files.writeTextFile(join(path, "file"), ""), Error);
      }
    },
  },
  {
    name: "makes the folders of files that are written at once",
    async run({ files }, folder) {
      const many = Array.from({ length: 20 }, (_, index) => `x/y/z/${index % 2}/${index}`);
      await Promise.all(many.map((path) => files.writeTextFile(join(folder, path), "")));
      assertEquals(await files.list(join(folder, "x/y/z")), ["0", "1"]);
      assertEquals((await files.list(join(folder, "x/y/z/1"))).length, 10);
    },
  },
  {
    name: "executes programs without a shell, and says where there is none",
    async run({ execute }) {
      const script = 'echo "$1 $IRORI_CHILD häuschen"; cat; echo problem >&2; exit 3';
      const done = await execute("sh", ["-c", script, "sh", "a  $b"], {
        env: { IRORI_CHILD: "value" },
      });
      const expected = { code: 3, stdout: "a  $b value häuschen\n", stderr: "problem\n" };
      assertEquals(done, expected);
      assertEquals((await execute("sh", ["-c", "kill -9 $$"]))?.code, 137);
      const large = await execute("sh", ["-c", "head -c 3000000 /dev/zero | tr '\\0' x"]);
      assertEquals(large?.stdout.length, 3_000_000);
      assertEquals(await execute("no-such-program-irori", []), undefined);
      const names = await execute("sh", ["-c", "echo $HOME; echo $PATH"], {
        env: { HOME: undefined, IRORI_CHILD: "value" },
      });
      assertMatch(names!.stdout, /^\n.+\n$/);
    },
  },
  {
    name: "ends a program when its signal aborts",
    async run({ execute }) {
      const signal = AbortSignal.timeout(200);
      assertEquals((await execute("sleep", ["20"], { signal }))?.code, 143);
      assertEquals((await execute("sleep", ["20"], { signal }))?.code, 143);
    },
  },
  {
    name: "knows what is missing, also below a file",
    async run({ files }, folder) {
      await files.writeTextFile(join(folder, "file"), "");
      for (const name of ["none", "none/none", "file/none"]) {
        const path = join(folder, name);
        assertEquals(await files.stat(path), undefined);
        const reads = [files.readFile, files.readTextFile, files.list, files.realPath];
        for (const read of reads) {
          const error = await assertRejects(() => read(path), FileNotFoundError);
          assertEquals(error.path, path);
        }
        await assertRejects(() => walked(files.walk(path)), FileNotFoundError);
      }
    },
  },
  {
    name: "stats files, folders and what links lead to",
    async run({ files }, folder) {
      await files.writeTextFile(join(folder, "a/file"), "abc");
      await symlink(join(folder, "a"), join(folder, "link"));
      const { isFile, isDirectory, size } = (await files.stat(join(folder, "link/file")))!;
      assertEquals([isFile, isDirectory, size], [true, false, 3]);
      assertEquals((await files.stat(join(folder, "link")))?.isDirectory, true);
      const real = await files.realPath(folder);
      assertEquals(await files.realPath(join(folder, "link/file")), join(real, "a/file"));
    },
  },
  {
    name: "lists a folder by code point",
    async run({ files }, folder) {
      for (const name of ["b", "a", "B", "10", "2"]) await mkdir(join(folder, name));
      assertEquals(await files.list(folder), ["10", "2", "B", "a", "b"]);
    },
  },
  {
    name: "walks files only, names them by the way they were found, and says what is linked",
    async run({ files }, folder) {
      await files.writeTextFile(join(folder, "root/a/b/file"), "");
      await files.writeTextFile(join(folder, "root/.hidden"), "");
      await files.writeTextFile(join(folder, "elsewhere/deep/file"), "");
      await mkdir(join(folder, "root/empty"));
      await symlink(join(folder, "elsewhere"), join(folder, "root/a/link"));
      await symlink(join(folder, "root/.hidden"), join(folder, "root/to-file"));
      await symlink(join(folder, "nowhere"), join(folder, "root/dangling"));
      await symlink("loop", join(folder, "root/loop"));
      const root = join(folder, "root");
      for (const start of [root, `${root}/`]) {
        const found = await walked(files.walk(start));
        assertEquals(found.map(({ relative, linked, isFile }) => [relative, linked, isFile]), [
          [".hidden", false, true],
          ["a/b/file", false, true],
          ["a/link/deep/file", true, true],
          ["dangling", true, false],
          ["loop", true, false],
          ["to-file", true, true],
        ]);
        for (const { path, relative } of found) assertEquals(path, join(root, relative));
      }
    },
  },
  {
    name: "enters each folder once, by its own name first, and leaves out the skipped folders",
    async run({ files }, folder) {
      await files.writeTextFile(join(folder, "b/file"), "");
      await files.writeTextFile(join(folder, ".data/sub/file"), "");
      await symlink(join(folder, "b"), join(folder, "a"));
      await symlink(".data/sub", join(folder, "z"));
      await symlink(".data/sub", join(folder, "y"));
      const skip = (relative: string) => relative.startsWith(".");
      const found = await walked(files.walk(folder, { skip }));
      assertEquals(found.map(({ relative }) => relative), ["b/file", "y/file"]);
    },
  },
  {
    name: "reads a file part by part",
    async run({ files }, folder) {
      const path = join(folder, "large");
      await writeFile(path, new Uint8Array(3_000_000).fill(7));
      let [parts, bytes] = [0, 0];
      for await (const part of files.readChunks(path)) {
        parts++;
        bytes += part.length;
      }
      assert(parts > 10, `${parts} parts`);
      assertEquals(bytes, 3_000_000);
      await assertRejects(
        () => Array.fromAsync(files.readChunks(join(folder, "none"))),
        FileNotFoundError,
      );
    },
  },
  {
    name: "walks links that make a circle once",
    async run({ files }, folder) {
      await files.writeTextFile(join(folder, "a/file"), "");
      await files.writeTextFile(join(folder, "b/file"), "");
      await symlink(join(folder, "b"), join(folder, "a/to-b"));
      await symlink(join(folder, "a"), join(folder, "b/to-a"));
      const found = await walked(files.walk(join(folder, "a")));
      assertEquals(found.map(({ relative }) => relative), ["file", "to-b/file"]);
    },
  },
  {
    name: "imports a module by its path, whatever its name",
    async run({ files, importFile }, folder) {
      const path = join(folder, "a #1 100%.mjs");
      await files.writeTextFile(path, "export const answer = 42;");
      assertEquals((await importFile(path)).answer, 42);
    },
  },
  {
    name: "finds packages from npm",
    async run({ files, packageFolder }) {
      const folder = await packageFolder("undici", "^8.12.4");
      const { name } = JSON.parse(await files.readTextFile(join(folder, "package.json")));
      assertEquals(name, "undici");
    },
  },
  {
    name: "serves on a free port until it is shut down",
    async run(runtime) {
      const server = await runtime.serve(
        async (request) => new Response(`${request.method} ${await request.text()}`),
        { port: 0, hostname: HOST },
      );
      assert(server.port > 0);
      const answer = await fetch(urlOf(server), { method: "POST", body: "hello" });
      assertEquals(await answer.text(), "POST hello");
      await server.shutdown(IDLE);
      await assertRejects(() => fetch(urlOf(server)));
    },
  },
  {
    name: "finishes a response that is being sent when it is shut down",
    async run(runtime) {
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const { promise: drained, resolve: drain } = Promise.withResolvers<void>();
      const half = new Uint8Array(500_000);
      const server = await runtime.serve(() => {
        begin();
        return new Response(
          new ReadableStream({
            async start(controller) {
              controller.enqueue(half);
              await released;
              controller.enqueue(half);
              controller.close();
              drain();
            },
          }),
        );
      }, { port: 0, hostname: HOST });
      const answer = fetch(urlOf(server)).then((response) => response.arrayBuffer());
      await begun;
      const stopped = server.shutdown({ uploaded: drained, drained });
      release();
      assertEquals((await answer).byteLength, 2 * half.length);
      const answered = performance.now();
      await stopped; // Although the connection would be kept open.
      assert(performance.now() - answered < 3000);
    },
  },
  {
    name: "does not wait for connections that are kept open without a request",
    async run(runtime) {
      const server = await runtime.serve(() => new Response("ok"), { port: 0, hostname: HOST });
      const socket = connect(server.port, HOST);
      const closed = new Promise((resolve) => socket.once("close", resolve));
      const answer = new Promise<string>((resolve) => {
        socket.once("data", (data) => resolve(String(data)));
      });
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertMatch(await answer, /^HTTP\/1\.1 200 /);
      const started = performance.now();
      await server.shutdown(IDLE);
      await closed;
      assert(performance.now() - started < 3000);
    },
  },
  {
    name: "says which address it cannot listen on, and why",
    async run(runtime) {
      const serve = (port: number, hostname = HOST) =>
        assertRejects(
          () => runtime.serve(() => new Response(), { port, hostname }),
          ListenError,
        );
      const server = await runtime.serve(() => new Response(), { port: 0, hostname: HOST });
      const used = await serve(server.port);
      assertEquals(used.message, `Cannot listen on ${HOST}:${server.port}: the address is in use`);
      assertEquals([used.hostname, used.port], [HOST, server.port]);
      await server.shutdown(IDLE);
      for (const port of [-1, 65_536, 1.5, NaN]) {
        const { message } = await serve(port);
        assertEquals(message, `Cannot listen on ${HOST}:${port}: expected a port from 0 to 65535`);
      }
      // An address for documentation (RFC 5737) that no machine has.
      assertMatch((await serve(0, "192.0.2.1")).message, /^Cannot listen on 192\.0\.2\.1:0: ./);
    },
  },
];

function urlOf({ port }: HttpServer): string {
  return `http://${HOST}:${port}/`;
}

async function walked(files: AsyncIterable<WalkedFile>): Promise<WalkedFile[]> {
  const found: WalkedFile[] = [];
  for await (const file of files) found.push(file);
  return found.sort((a, b) => a.relative < b.relative ? -1 : 1);
}
