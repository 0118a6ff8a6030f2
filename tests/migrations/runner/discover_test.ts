import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import {
  discover,
  InvalidFilesError,
  MissingFolderError,
} from "../../../src/migrations/runner/mod.ts";
import { loadRuntime } from "../../../src/runtime/mod.ts";

const { files } = await loadRuntime();

async function folder(tree: Record<string, string>): Promise<AsyncDisposable & { path: string }> {
  const path = await Deno.makeTempDir();
  for (const [name, text] of Object.entries(tree)) {
    await files.writeTextFile(join(path, name), text);
  }
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

Deno.test("discover finds the files of sub-folders in code point order and hashes their bytes", async () => {
  await using root = await folder({
    "logs/release-2/a.json": "{}",
    "logs/release-10/a.json": "{}",
    "logs/Z.json": "abc",
    "other/x.json": "{}",
  });
  const found = await discover(files, root.path, "logs", ".json");
  assertEquals(found.files.map(({ path }) => path), [
    "Z.json",
    "release-10/a.json",
    "release-2/a.json",
  ]);
  // SHA-256 test vector of FIPS 180-4 for "abc".
  const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  assertEquals(found.files[0]!.hash, abc);
  assertEquals(found.files[0]!.location, join(root.path, "logs", "Z.json"));
});

Deno.test("discover hashes a byte order mark with the rest", async () => {
  await using root = await folder({ "logs/a.json": "{}", "logs/b.json": "\uFEFF{}" });
  const { files: [plain, marked] } = await discover(files, root.path, "logs", ".json");
  assertEquals([...marked!.bytes], [0xef, 0xbb, 0xbf, 0x7b, 0x7d]);
  assertEquals(plain!.hash === marked!.hash, false);
});

Deno.test("discover leaves hidden files and other extensions out and names them", async () => {
  await using root = await folder({
    "logs/a.json": "{}",
    "logs/README.md": "",
    "logs/.hidden.json": "",
    "logs/.git/x.json": "",
    "logs/A.JSON": "",
  });
  const found = await discover(files, root.path, "logs", ".json");
  assertEquals(found.files.map(({ path }) => path), ["a.json"]);
  assertEquals(found.ignored, [".git/x.json", ".hidden.json", "A.JSON", "README.md"]);
});

Deno.test("discover refuses a connection without a folder", async () => {
  await using root = await folder({ "logs": "a file, no folder" });
  for (const connection of ["missing", "logs"]) {
    const error = await assertRejects(
      () => discover(files, root.path, connection, ".json"),
      MissingFolderError,
    );
    assertStringIncludes(error.message, join(root.path, connection));
  }
});

Deno.test("discover refuses paths that differ only in case", async () => {
  await using root = await folder({ "logs/a.json": "{}", "logs/A.json": "{}" });
  const error = await assertRejects(
    () => discover(files, root.path, "logs", ".json"),
    InvalidFilesError,
  );
  assertStringIncludes(error.message, "a.json: The path differs from 'A.json' only in case");
});

Deno.test("discover follows a link inside the folder and refuses one that leaves it", async () => {
  await using root = await folder({ "logs/a.json": "{}", "secret.json": "{}" });
  await Deno.symlink(join(root.path, "logs/a.json"), join(root.path, "logs/b.json"));
  const inside = await discover(files, root.path, "logs", ".json");
  assertEquals(inside.files.map(({ path }) => path), ["a.json", "b.json"]);

  await Deno.symlink(join(root.path, "secret.json"), join(root.path, "logs/c.json"));
  const error = await assertRejects(
    () => discover(files, root.path, "logs", ".json"),
    InvalidFilesError,
  );
  assertStringIncludes(error.message, "c.json: The symbolic link leaves");
});

Deno.test("discover names a linked file by where the link is, and survives links that make a circle", async () => {
  await using root = await folder({ "logs/sub/a.json": "{}", "logs/dir/b.json": "{}" });
  await Deno.symlink(join(root.path, "logs/sub/a.json"), join(root.path, "logs/dir/linked.json"));
  await Deno.symlink(join(root.path, "logs"), join(root.path, "logs/dir/circle"));
  const found = await discover(files, root.path, "logs", ".json");
  assertEquals(found.files.map(({ path }) => path), [
    "dir/b.json",
    "dir/linked.json",
    "sub/a.json",
  ]);
});

Deno.test("discover refuses files behind a linked folder that lies elsewhere", async () => {
  await using root = await folder({ "logs/a.json": "{}", "elsewhere/b.json": "{}" });
  await Deno.symlink(join(root.path, "elsewhere"), join(root.path, "logs/sub"));
  const error = await assertRejects(
    () => discover(files, root.path, "logs", ".json"),
    InvalidFilesError,
  );
  assertStringIncludes(error.message, "sub/b.json: The symbolic link leaves");
});

Deno.test("discover accepts a connection folder that is itself a link", async () => {
  await using root = await folder({ "elsewhere/a.json": "{}" });
  await Deno.symlink(join(root.path, "elsewhere"), join(root.path, "logs"));
  const found = await discover(files, root.path, "logs", ".json");
  assertEquals(found.files.map(({ path }) => path), ["a.json"]);
});
