// Tests the promises of @std for the functions that are used, so that the real ones can replace ours.
import * as assert from "@std/assert";
import { crypto } from "@std/crypto";
import { ensureDir, exists, walk } from "@std/fs";
import * as path from "@std/path";
import * as posix from "@std/path/posix";
import * as windows from "@std/path/windows";
import { parse, stringify } from "@std/yaml";
import fc from "fast-check";
import nodePath from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const { assertEquals, assertMatch, assertRejects, assertThrows } = assert;

Deno.test("@std/assert fails with an AssertionError exactly when it should", () => {
  const holds: [() => unknown, () => unknown][] = [
    [() => assert.assert(1), () => assert.assert(0)],
    [() => assert.assertFalse(0), () => assert.assertFalse(1)],
    [
      () => assertEquals({ a: [1, new Date(0)] }, { a: [1, new Date(0)] }),
      () => assertEquals([1], [2]),
    ],
    [
      () => assertEquals(new Set([1]), new Set([1])),
      () => assertEquals(new Map(), new Map([[1, 1]])),
    ],
    [() => assertEquals(NaN, NaN), () => assertEquals<unknown>(1, "1")],
    [() => assertEquals(0, -0), () => assertEquals({ a: undefined }, {})],
    [() => assertEquals([undefined], [undefined]), () => assertEquals({ a: undefined }, { b: 1 })],
    [
      () => assertEquals({ a: 1 }, Object.assign(Object.create(null), { a: 1 })),
      () => assertEquals<unknown>(new Box(1), { value: 1 }),
    ],
    [() => assertEquals(new Box(1), new Box(1)), () => assertEquals(new Box(1), new Box(2))],
    [() => assertEquals(/a/g, /a/g), () => assertEquals(/a/g, /a/)],
    [
      () => assertEquals(new Uint8Array([1]), new Uint8Array([1])),
      () => assertEquals(new Uint8Array([1]), new Uint8Array([2])),
    ],
    [
      () => assertEquals(new Map([[{ k: 1 }, [1]]]), new Map([[{ k: 1 }, [1]]])),
      () => assertEquals(new Map([["a", undefined]]), new Map([["b", undefined]])),
    ],
    [
      () => assertEquals({ [Symbol.for("s")]: 1 }, { [Symbol.for("s")]: 1 }),
      () => assertEquals({ [Symbol.for("s")]: 1 }, { [Symbol.for("s")]: 2 }),
    ],
    [() => assertEquals(circle(), circle()), () => assertEquals<unknown>(circle(), { value: 1 })],
    [
      () => assert.assertObjectMatch({ a: [{ b: 1, c: 2 }, 3] }, { a: [{ b: 1 }] }),
      () => assert.assertObjectMatch({}, { a: undefined }),
    ],
    [() => assert.assertNotEquals(1, 2), () => assert.assertNotEquals({ a: 1 }, { a: 1 })],
    [() => assert.assertStrictEquals(1, 1), () => assert.assertStrictEquals({}, {})],
    [() => assert.assertExists(0), () => assert.assertExists(null)],
    [() => assert.assertInstanceOf([], Array), () => assert.assertInstanceOf({}, Array)],
    [() => assertMatch("abc", /b/), () => assertMatch("abc", /d/)],
    [() => assert.assertStringIncludes("abc", "b"), () => assert.assertStringIncludes("abc", "d")],
    [() => assert.assertArrayIncludes([1, 2], [2]), () => assert.assertArrayIncludes([1], [2])],
    [
      () => assert.assertObjectMatch({ a: 1, b: 2 }, { a: 1 }),
      () => assert.assertObjectMatch({ a: 1 }, { a: 2 }),
    ],
    [() => assert.assertGreater(2, 1), () => assert.assertGreater(1, 1)],
    [() => assert.assertGreaterOrEqual(1, 1), () => assert.assertGreaterOrEqual(0, 1)],
    [() => assert.assertLess(1, 2), () => assert.assertLess(1, 1)],
    [() => assert.assertLessOrEqual(1, 1), () => assert.assertLessOrEqual(2, 1)],
    [() => assertThrows(() => JSON.parse("{"), SyntaxError), () => assertThrows(() => 1)],
    [() => assertThrows(thrower, Error, "why"), () => assertThrows(thrower, TypeError)],
    [() => assertThrows(thrower, Error), () => assertThrows(thrower, Error, "other")],
    [() => {}, () => assert.fail()],
    [() => {}, () => assert.unreachable()],
  ];
  for (const [good, bad] of holds) {
    good();
    let error: unknown;
    try {
      bad();
    } catch (thrown) {
      error = thrown;
    }
    if (!(error instanceof assert.AssertionError)) throw new Error(`Did not fail: ${bad}`);
  }
});

Deno.test("assertRejects gives the error, and refuses what resolves or throws at once", async () => {
  const error = await assertRejects(() => Promise.reject(new TypeError("why")), TypeError, "why");
  assertEquals(error.message, "why");
  const wrong = [() => assertRejects(() => Promise.resolve(1)), () => assertRejects(thrower)];
  for (const test of wrong) await assertRejects(test, assert.AssertionError);
});

Deno.test("@std/yaml reads YAML 1.2 and names line and column of what is broken", () => {
  const yaml = "a: 1\nb: [x, 1.5, true, ~]\nc: |\n  t\n  u\nd: '01'\ne: {f: g}\n";
  assertEquals(parse(yaml), {
    a: 1,
    b: ["x", 1.5, true, null],
    c: "t\nu\n",
    d: "01",
    e: { f: "g" },
  });
  const values = { a: [1, -0.5, 1e21, -Infinity, NaN, "x: y", "017", "1_0"], b: null };
  assertEquals(parse(stringify(values)), values);
  const places: [yaml: string, place: string][] = [
    ["a: ]", "at line 1, column 4:"],
    ["a: 1\na: 2", "at line 2, column 1:"],
    ["a: 'x", "at line 2, column 1:"],
    ["a: b: c", "at line 1, column 5:"],
    ["a: 1\n b: 2", "at line 2, column 3:"],
    ["a: *x", "at line 1, column 6:"],
    ["a: 1\n---\nb: 2", "at line 2, column 1:"],
    ["# first\n---\na: 1\n---\nb: 2", "at line 4, column 1:"],
  ];
  for (const [broken, place] of places) {
    assert.assertStringIncludes(assertThrows(() => parse(broken), SyntaxError).message, place);
  }
});

Deno.test("@std/yaml reads plain scalars by its default schema", () => {
  const table: Record<string, unknown> = {
    "0x1F": 31,
    "017": 15,
    "0o17": "0o17",
    "08": "08",
    "0b101": 5,
    "1_000": 1000,
    "1_": "1_",
    "_1": "_1",
    "-017": -15,
    "+0x1F": 31,
    "0X1F": "0X1F",
    "1e3": 1000,
    "1_0.5": 10.5,
    ".5": 0.5,
    "-.inf": -Infinity,
    ".inf": Infinity,
    "12:30": "12:30",
    "1.2.3": "1.2.3",
    "2024-01-01": new Date(Date.UTC(2024, 0, 1)),
    "yes": "yes",
    "TRUE": true,
    "~": null,
    "${NAME:default}": "${NAME:default}",
    "http://127.0.0.1:80/": "http://127.0.0.1:80/",
  };
  for (const [text, value] of Object.entries(table)) {
    assertEquals(parse(`k: ${text}`), { k: value });
  }
  assertEquals(parse("a: &x {b: 1}\nc:\n  <<: *x\n  d: 2"), { a: { b: 1 }, c: { b: 1, d: 2 } });
  assertEquals([parse(""), parse("# nothing")], [null, null]);
  const scalars = "[2024-01-01, 007, true, x]";
  assertEquals(parse(scalars, { schema: "core" }), ["2024-01-01", 7, true, "x"]);
  assertEquals(parse(scalars, { schema: "failsafe" }), ["2024-01-01", "007", "true", "x"]);
  assertThrows(() => stringify({ a: undefined }), TypeError);
});

Deno.test("@std/path works on this system's paths, @std/path/posix on slashes", () => {
  assertEquals(path.join("a", "..", "b", "c.ts"), path.normalize("b/c.ts"));
  assertEquals([path.basename("/a/b.ts"), path.basename("/a/b.ts", ".ts"), path.extname("b.ts")], [
    "b.ts",
    "b",
    ".ts",
  ]);
  assertEquals([path.dirname("/a/b"), path.isAbsolute("/a"), path.isAbsolute("a")], [
    "/a",
    true,
    false,
  ]);
  assertEquals([path.relative("/a/b", "/a/c"), path.resolve("/a", "b", "../c")], ["../c", "/a/c"]);
  assertEquals(path.toFileUrl("/a/ü b").href, "file:///a/%C3%BC%20b");
  assertEquals(path.fromFileUrl("file:///a/%C3%BC%20b"), "/a/ü b");
  assertThrows(() => path.toFileUrl("a"), TypeError);
  assertEquals([posix.join("a", "../b"), posix.dirname("a/b"), posix.relative("/a", "/b")], [
    "b",
    "a",
    "../b",
  ]);
  assertEquals([posix.basename("a/b"), posix.extname("a.b"), posix.normalize("a//b/./c")], [
    "b",
    ".b",
    "a/b/c",
  ]);
});

Deno.test("@std/path/windows works on drives and backslashes", () => {
  assertEquals(windows.join("C:\\a", "../b"), "C:\\b");
  assertEquals([windows.dirname("C:\\a\\b"), windows.basename("C:\\a\\b.ts", ".ts")], [
    "C:\\a",
    "b",
  ]);
  assertEquals([windows.isAbsolute("C:\\a"), windows.isAbsolute("a")], [true, false]);
  assertEquals(windows.relative("C:\\a\\b", "C:\\a\\c"), "..\\c");
  assertEquals([windows.extname("a.b"), windows.normalize("C:/a/./b")], [".b", "C:\\a\\b"]);
});

Deno.test("@std/path/posix takes paths apart as Node does", () => {
  const segment = fc.constantFrom("a", "b.ts", "..", ".", ".c", "d.", "e f", "ü%20", "x\\y", "?#");
  const slash = fc.constantFrom("", "/");
  // Node keeps some of several slashes in a row, and `@std/path` none.
  const anyPath = fc.tuple(slash, fc.array(segment, { maxLength: 6 }), slash)
    .map(([start, segments, end]) => `${start}${segments.join("/")}${end}`)
    .filter((path) => path !== "//");
  fc.assert(
    fc.property(anyPath, anyPath, (a, b) => {
      const node = nodePath.posix;
      const found = [a, b].map((path) => [
        posix.normalize(path),
        posix.dirname(path),
        posix.extname(path),
        posix.basename(path, ".ts"),
        posix.isAbsolute(path),
        posix.resolve(path),
      ]);
      const expected = [a, b].map((path) => [
        node.normalize(path),
        node.dirname(path),
        node.extname(path),
        // Node gives nothing for what is all slashes.
        node.basename(path, ".ts") || (path === "" ? "" : "/"),
        node.isAbsolute(path),
        node.resolve(path),
      ]);
      assertEquals(found, expected);
      assertEquals(
        [posix.join(a, b), posix.relative(a, b), posix.resolve(a, b)],
        [node.join(a, b), node.relative(a, b), node.resolve(a, b)],
      );
      const url = posix.toFileUrl(node.resolve(a));
      assertEquals([url.href, posix.fromFileUrl(url)], [
        pathToFileURL(node.resolve(a)).href,
        fileURLToPath(url),
      ]);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("@std/crypto gives SHA-256, of bytes and of parts of them", async () => {
  const bytes = new TextEncoder().encode("abc");
  const parts = [bytes.subarray(0, 1), bytes.slice(1).buffer];
  for (const data of [bytes, parts, ReadableStream.from(parts)]) {
    const digest = await crypto.subtle.digest("SHA-256", data);
    assertEquals(new Uint8Array(digest).slice(0, 4), new Uint8Array([0xba, 0x78, 0x16, 0xbf]));
  }
});

Deno.test("@std/fs walks, makes folders and tells what exists", async () => {
  const root = await Deno.makeTempDir();
  try {
    await ensureDir(`${root}/a/b`);
    await ensureDir(`${root}/a/b`);
    await Deno.writeTextFile(`${root}/a/b/f.txt`, "");
    await Deno.symlink(`${root}/a/b/f.txt`, `${root}/a/link.txt`);
    assertEquals([await exists(`${root}/a`), await exists(`${root}/x`)], [true, false]);
    await assertRejects(() => ensureDir(`${root}/a/b/f.txt`));
    const found = async (options: Parameters<typeof walk>[1]) => {
      const paths = await Array.fromAsync(
        walk(root, options),
        ({ path }) => path.slice(root.length),
      );
      return paths.sort();
    };
    assertEquals(await found({}), ["", "/a", "/a/b", "/a/b/f.txt", "/a/link.txt"]);
    await Deno.symlink(`${root}/a/b/f.txt`, `${root}/top.txt`);
    const followed = { includeDirs: false, followSymlinks: true, canonicalize: false };
    assertEquals(await found(followed), ["/a/b/f.txt", "/a/b/f.txt", "/top.txt"]);
    assertEquals(await found({ includeDirs: false, includeSymlinks: false }), ["/a/b/f.txt"]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

class Box {
  constructor(readonly value: number) {}
}

function circle(): object {
  const object: Record<string, unknown> = {};
  return Object.assign(object, { self: object });
}

function thrower(): never {
  throw new Error("why");
}
