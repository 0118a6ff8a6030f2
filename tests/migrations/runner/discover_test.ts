import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import {
  discover,
  InvalidFilesError,
  MissingFolderError,
} from "../../../src/migrations/runner/mod.ts";
import { hexDigest } from "../../../src/text/mod.ts";
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
  const found = await discover(files, join(root.path, "logs"), "logs", ".json");
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
  const { files: [plain, marked] } = await discover(
    files,
    join(root.path, "logs"),
    "logs",
    ".json",
  );
  assertEquals([...await marked!.read()], [0xef, 0xbb, 0xbf, 0x7b, 0x7d]);
  assertEquals(plain!.hash === marked!.hash, false);
});

Deno.test("discover leaves hidden files and other extensions out and names them", async () => {
  await using root = await folder({
    "logs/a.json": "{}",
    "logs/README.md": "",
    "logs/.hidden.json": "",
    "logs/.git/x.json": "",
    "logs/B.JSON": "",
    "logs/sub/.secret/x.json": "",
  });
  const found = await discover(files, join(root.path, "logs"), "logs", ".json");
  assertEquals(found.files.map(({ path }) => path), ["B.JSON", "a.json"]);
  assertEquals(found.ignored, [".git/", ".hidden.json", "README.md", "sub/.secret/"]);
});

Deno.test("discover refuses a connection without a folder", async () => {
  await using root = await folder({ "logs": "a file, no folder" });
  for (const connection of ["missing", "logs"]) {
    const error = await assertRejects(
      () => discover(files, join(root.path, connection), connection, ".json"),
      MissingFolderError,
    );
    assertStringIncludes(error.message, join(root.path, connection));
  }
});

Deno.test("discover refuses paths that differ only in case", async () => {
  await using root = await folder({ "logs/a.json": "{}", "logs/A.json": "{}" });
  const error = await assertRejects(
    () => discover(files, join(root.path, "logs"), "logs", ".json"),
    InvalidFilesError,
  );
  assertStringIncludes(error.message, "a.json: The path differs from 'A.json' only in case");
});

Deno.test("discover follows a link inside the folder and refuses one that leaves it", async () => {
  await using root = await folder({ "logs/a.json": "{}", "secret.json": "{}" });
  await Deno.symlink(join(root.path, "logs/a.json"), join(root.path, "logs/b.json"));
  const inside = await discover(files, join(root.path, "logs"), "logs", ".json");
  assertEquals(inside.files.map(({ path }) => path), ["a.json", "b.json"]);

  await Deno.symlink(join(root.path, "secret.json"), join(root.path, "logs/c.json"));
  const error = await assertRejects(
    () => discover(files, join(root.path, "logs"), "logs", ".json"),
    InvalidFilesError,
  );
  assertStringIncludes(error.message, "c.json: The symbolic link leaves");
});

Deno.test("discover names a linked file by where the link is, and survives links that make a circle", async () => {
  await using root = await folder({ "logs/sub/a.json": "{}", "logs/dir/b.json": "{}" });
  await Deno.symlink(join(root.path, "logs/sub/a.json"), join(root.path, "logs/dir/linked.json"));
  await Deno.symlink(join(root.path, "logs"), join(root.path, "logs/dir/circle"));
  const found = await discover(files, join(root.path, "logs"), "logs", ".json");
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
    () => discover(files, join(root.path, "logs"), "logs", ".json"),
    InvalidFilesError,
  );
  assertStringIncludes(error.message, "sub/b.json: The symbolic link leaves");
});

Deno.test("discover accepts a connection folder that is itself a link", async () => {
  await using root = await folder({ "elsewhere/a.json": "{}" });
  await Deno.symlink(join(root.path, "elsewhere"), join(root.path, "logs"));
  const found = await discover(files, join(root.path, "logs"), "logs", ".json");
  assertEquals(found.files.map(({ path }) => path), ["a.json"]);
});

Deno.test("discover takes the files of a volume of Kubernetes, which are links to hidden ones", async () => {
  await using root = await folder({
    "logs/..2026_11_21/001.json": "{}",
    "logs/..2026_11_21/sub/002.json": "{}",
  });
  await Deno.symlink("..2026_11_21", join(root.path, "logs/..data"));
  await Deno.symlink("..data/001.json", join(root.path, "logs/001.json"));
  await Deno.symlink("..data/sub", join(root.path, "logs/sub"));
  const found = await discover(files, join(root.path, "logs"), "logs", ".json");
  assertEquals(found.files.map(({ path }) => path), ["001.json", "sub/002.json"]);
});

Deno.test("discover finds the files of a folder once that a link inside leads to as well", async () => {
  await using root = await folder({ "logs/b/x.json": "{}" });
  await Deno.symlink("b", join(root.path, "logs/a"));
  const found = await discover(files, join(root.path, "logs"), "logs", ".json");
  assertEquals(found.files.map(({ path }) => path), ["b/x.json"]);
});

Deno.test("discover refuses what is no file, without waiting for it", async () => {
  await using root = await folder({ "logs/a.json": "{}" });
  await new Deno.Command("mkfifo", { args: [join(root.path, "logs/pipe.json")] }).output();
  await Deno.symlink("round.json", join(root.path, "logs/round.json"));
  const error = await assertRejects(
    () => discover(files, join(root.path, "logs"), "logs", ".json"),
    InvalidFilesError,
  );
  assertEquals(error.problems.map(({ path, message }) => `${path}: ${message}`), [
    "pipe.json: Expected a file, found a pipe, a socket or a device",
    "round.json: The symbolic link leads to no file",
  ]);
});

Deno.test("discover tells twins by the form of their letters, and names with control characters", async () => {
  await using root = await folder({
    "logs/\u00e9.json": "{}",
    "logs/e\u0301.json": "{}",
    "logs/\u001b[31m.json": "{}",
  });
  const error = await assertRejects(
    () => discover(files, join(root.path, "logs"), "logs", ".json"),
    InvalidFilesError,
  );
  assertStringIncludes(error.message, "only in the Unicode form of its letters (NFC, NFD)");
  assertStringIncludes(error.message, "The path has a control character");
  assertEquals(error.message.includes("\u001b"), false);
});

Deno.test("discover names every file and folder that cannot be read", async () => {
  const denied = (code: string) => Promise.reject(Object.assign(new Error("no"), { code }));
  await using root = await folder({ "logs/a.json": "{}", "logs/b.json": "{}" });
  const error = await assertRejects(
    () =>
      discover(
        { ...files, readFile: () => denied("EACCES") },
        join(root.path, "logs"),
        "logs",
        ".json",
      ),
    InvalidFilesError,
  );
  assertEquals(error.problems.map(({ path, message }) => `${path}: ${message}`).sort(), [
    "a.json: Cannot read it: permission denied",
    "b.json: Cannot read it: permission denied",
  ]);
  async function* walk() {
    yield await denied("EACCES");
  }
  const unreadable = await assertRejects(
    () => discover({ ...files, walk }, join(root.path, "logs"), "logs", ".json"),
    InvalidFilesError,
  );
  assertStringIncludes(unreadable.message, ".: Cannot read it: permission denied");
});

Deno.test("discover opens few files at once, and reads large ones part by part", async () => {
  const tree = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`logs/${i}.json`, "{}"]));
  await using root = await folder({ ...tree, "logs/large.json": "x".repeat(3_000_000) });
  let [open, most] = [0, 0];
  const readFile: typeof files.readFile = async (path) => {
    if (path.endsWith("large.json")) throw new Error("It is too large");
    most = Math.max(most, ++open);
    const bytes = await files.readFile(path);
    open--;
    return bytes;
  };
  const found = await discover({ ...files, readFile }, join(root.path, "logs"), "logs", ".json");
  assertEquals([found.files.length, most <= 16], [301, true]);
  const [large] = found.files.slice(-1);
  assertEquals(large!.hash, await hexDigest("x".repeat(3_000_000)));
});

Deno.test("discover keeps the bytes of a small file until the first read, so that they are those of its hash", async () => {
  await using root = await folder({ "logs/a.json": "{}" });
  let reads = 0;
  const readFile: typeof files.readFile = (path) => {
    reads++;
    return files.readFile(path);
  };
  const found = await discover({ ...files, readFile }, join(root.path, "logs"), "logs", ".json");
  const [file] = found.files;
  await Deno.writeTextFile(join(root.path, "logs/a.json"), "[]");
  assertEquals([await hexDigest(await file!.read()), reads], [file!.hash, 1]);
  const error = await assertRejects(() => file!.read(), InvalidFilesError);
  assertStringIncludes(error.message, "a.json: The file was changed while the run began");
});

Deno.test("discover keeps files of at most 64 KiB, and 4 MiB in all", async () => {
  const sizes = [0, 65_537, ...Array.from({ length: 66 }, () => 65_536)];
  const tree = sizes.map((size, i) => [`logs/${100 + i}.json`, "x".repeat(size)]);
  await using root = await folder(Object.fromEntries(tree));
  const reads: number[] = [];
  const readFile: typeof files.readFile = async (path) => {
    const bytes = await files.readFile(path);
    reads.push(bytes.length);
    return bytes;
  };
  const found = await discover({ ...files, readFile }, join(root.path, "logs"), "logs", ".json");
  reads.length = 0;
  for (const [i, file] of found.files.entries()) {
    assertEquals((await file.read()).length, sizes[i]);
  }
  assertEquals(reads, [65_537, 65_536, 65_536]);
});

Deno.test("discover gives files that say so when they were changed since", async () => {
  await using root = await folder({ "logs/a.json": `"${"x".repeat(65_536)}"` });
  const { files: [file] } = await discover(files, join(root.path, "logs"), "logs", ".json");
  await Deno.writeTextFile(join(root.path, "logs/a.json"), "[]");
  const error = await assertRejects(() => file!.read(), InvalidFilesError);
  assertStringIncludes(error.message, "a.json: The file was changed while the run began");
});

const entries = (...tags: readonly string[]) =>
  JSON.stringify({ entries: tags.map((tag, idx) => ({ idx, tag, when: 100 - idx })) });

Deno.test("discover keeps the order of a journal of Drizzle, in its folder alone", async () => {
  await using root = await folder({
    "main/a/0002_c.sql": "",
    "main/a/0010_b.sql": "",
    "main/a/0011_a.sql": "",
    "main/a/0012_x.sql": "",
    "main/a/meta/_journal.json": entries("0011_a", "0010_b", "0002_c"),
    "main/a/own/0001.sql": "",
    "main/b/0001.sql": "",
    "main/b/0002_c.sql": "",
    "main/0000.sql": "",
  });
  const { files: found, notices } = await discover(files, join(root.path, "main"), "main", ".sql");
  assertEquals(found.map(({ path }) => path), [
    ...["0000.sql", "a/0011_a.sql", "a/0010_b.sql", "a/0002_c.sql", "a/own/0001.sql"],
    ...["b/0001.sql", "b/0002_c.sql"],
  ]);
  assertEquals(notices.map(({ file }) => file), ["a/0012_x.sql"]);
  const by = "a/meta/_journal.json";
  assertEquals(found.map(({ listed }) => listed).slice(0, 5), [
    undefined,
    { by, place: 0, time: "100" },
    { by, place: 1, time: "99" },
    { by, place: 2, time: "98" },
    undefined,
  ]);
});

Deno.test("discover ignores a folder with a journal of Drizzle that is in the folder of another one", async () => {
  await using root = await folder({
    "main/0000_a.sql": "",
    "main/meta/_journal.json": entries("0000_a"),
    "main/own/0001.sql": "",
    "main/pg/0000_a.sql": "",
    "main/pg/extra/0001.sql": "",
    "main/pg/meta/_journal.json": entries("0000_a"),
  });
  const { files: found, notices } = await discover(files, join(root.path, "main"), "main", ".sql");
  assertEquals(found.map(({ path }) => path), ["0000_a.sql", "own/0001.sql"]);
  assertEquals(notices, [{
    file: "pg/meta/_journal.json",
    message: "Its folder is ignored, because it is in the folder of 'meta/_journal.json'",
  }]);
});

Deno.test("discover refuses a journal of Drizzle that is invalid, or names a file that does not exist", async () => {
  for (
    const [journal, path, message] of [
      ["{\n<<<<<<< HEAD", "meta/_journal.json", "with 'tag' and 'when', found a merge conflict"],
      ['{ "entries": [{ "tag": "0000_a" }] }', "meta/_journal.json", "each with 'tag' and 'when'"],
      ["{}", "meta/_journal.json", "Expected the journal of Drizzle"],
      [entries("0000_a", "0001_b"), "0001_b.sql", "does not exist, and 'meta/_journal.json' names"],
    ] as const
  ) {
    await using root = await folder({ "m/0000_a.sql": "", "m/meta/_journal.json": journal });
    const error = await assertRejects(
      () => discover(files, join(root.path, "m"), "m", ".sql"),
      InvalidFilesError,
    );
    assertEquals(error.problems.map((problem) => problem.path), [path]);
    assertStringIncludes(error.message, message);
  }
});

Deno.test("discover leaves down migrations out that lie beside their up migrations", async () => {
  await using root = await folder({
    "m/1_a.up.sql": "",
    "m/1_a.down.sql": "",
    "m/2_b.down.sql": "",
    "m/x/1_a.down.sql": "",
  });
  const found = await discover(files, join(root.path, "m"), "m", ".sql");
  assertEquals(found.files.map(({ path }) => path), [
    ...["1_a.up.sql", "2_b.down.sql", "x/1_a.down.sql"],
  ]);
  assertEquals(found.ignored, ["1_a.down.sql"]);
});

const PAIRS: readonly (readonly [up: string, down: string, isPair: boolean])[] = [
  ["0001_create_users.up.sql", "1_drop_users.down.sql", true],
  ["db/1_a.up.sql", "1_a.down.sql", false],
  ["1_a.up.sql", "11_a.down.sql", false],
  ["a.up.sql", "a.down.sql", true],
  ["a.up.sql", "b.down.sql", false],
  ["2026-01-02-000000_a/up.sql", "2026-01-02-000000_a/down.sql", true],
  ["a/up.sql", "b/down.sql", false],
  ["1_a.sql", "1_a.down.sql", false],
  ["V1__a.sql", "U1__a.sql", true],
  ["V1__a.SQL", "U1__b.SQL", true],
  ["sql/V001.2__create.sql", "undo/U1.2__remove.sql", true],
  ["V1__a.sql", "U2__b.sql", false],
  ["V1__a.sql", "x/U1.1__b.sql", false],
];

for (const [up, down, isPair] of PAIRS) {
  Deno.test(`discover takes ${down} ${isPair ? "" : "not "}for the undo file of ${up}`, async () => {
    await using root = await folder({ [`m/${up}`]: "", [`m/${down}`]: "" });
    const found = await discover(files, join(root.path, "m"), "m", ".sql");
    assertEquals(found.ignored, isPair ? [down] : []);
    assertEquals(found.files.length, isPair ? 1 : 2);
  });
}
