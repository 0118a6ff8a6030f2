import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { parseArgs } from "node:util";
import { readArguments } from "../../src/cli/arguments.ts";
import { PROGRAM, SYNTAX } from "./program.ts";

const FALLBACKS = { config: "config", sqlPath: "migrations", type: "sql" };

Deno.test("readArguments() finds command, options and operands in any order", async () => {
  const table: [args: string, command: string, options: object, operands: string[]][] = [
    ["", "migrate", {}, []],
    ["-c conf --sqlPath=m -m search", "migrate", {
      config: "conf",
      sqlPath: "m",
      type: "search",
    }, []],
    ["--sql-path m", "migrate", { sqlPath: "m" }, []],
    ["-cconf -msearch", "migrate", { config: "conf", type: "search" }, []],
    ["-vmsearch", "migrate", { verbose: true, type: "search" }, []],
    ["status --check", "status", { check: true }, []],
    ["--check status", "status", { check: true }, []],
    ["resolve a/b.sql --retry", "resolve", { retry: true }, ["a/b.sql"]],
    ["resolve a/b.json --retry", "resolve", { retry: true, type: "search" }, ["a/b.json"]],
    ["baseline --changed a.JSON", "baseline", { changed: "a.JSON", type: "search" }, []],
    ["new -- -x", "new", {}, ["-x"]],
    ["new -", "new", {}, ["-"]],
    ["--config=-x", "migrate", { config: "-x" }, []],
    ["--config=a=b", "migrate", { config: "a=b" }, []],
    ["--connection=", "migrate", { connection: "" }, []],
    ["--wait 60 --lock-timeout=500ms", "migrate", { wait: 60, lockTimeout: 0.5 }, []],
    ["--wait 2m", "migrate", { wait: 120 }, []],
    ["--wait 1.5s", "migrate", { wait: 1.5 }, []],
    ["-c a -c a --json --json", "migrate", { config: "a", json: true }, []],
    ["baseline --changed a", "baseline", { changed: "a" }, []],
    ["-hV", "migrate", { help: true, version: true }, []],
  ];
  for (const [text, name, options, operands] of table) {
    const found = await readArguments(text.split(" ").filter((arg) => arg !== ""), PROGRAM);
    assertEquals(found.problem, undefined, text);
    assertEquals(
      [found.command?.name, found.options, found.operands],
      [name, { ...FALLBACKS, ...options }, operands],
      text,
    );
  }
});

Deno.test("readArguments() says what is wrong, and keeps what it understood", async () => {
  const table: [args: string, message: RegExp][] = [
    ["--json migrat", /^unknown command 'migrat'\n\(Did you mean migrate\?\)$/],
    ["--json migrat --chek", /^unknown command 'migrat'/],
    ["--json --sqlpth x", /^unknown option '--sqlpth'\n\(Did you mean .*--sqlPath/],
    ["--sqlpth=x --json", /^unknown option '--sqlpth'\n\(Did you mean .*--sqlPath/],
    ["--json -x", /^unknown option '-x'$/],
    ["--json -vx", /^unknown option '-x'$/],
    ["--json --=x", /^unknown option '--=x'$/],
    ["--json -m searhc", /^option '-m, --type <type>' argument 'searhc' is invalid\. Allowed cho/],
    ["--json --wait 5h", /^option '--wait <time>' argument '5h' is invalid\. Expected a time such/],
    ["--json -c", /^option '-c, --config <dir>' argument missing$/],
    [
      "-c --json --json",
      /^option '-c, .*' argument missing; to pass '--json' as the value, write '--config=/,
    ],
    ["--json --verbose=1", /^option '-v, --verbose' takes no value$/],
    ["--json -c a -c b", /^option '-c, --config <dir>' is given twice: 'a' and 'b'$/],
    ["--json --sqlPath a --sql-path=b", /^option '--sqlPath <dir>' is given twice: 'a' and 'b'$/],
    ["--json --check", /^'migrate' has no option '--check', which belongs to 'status'.* 'scan'$/],
    ["--json resolve", /^missing argument '<file>' of 'resolve'$/],
    ["--json new a b", /^too many arguments for 'new': 'b' is not expected$/],
  ];
  for (const [text, message] of table) {
    const { problem, options } = await readArguments(text.split(" "), PROGRAM);
    assertMatch(problem ?? "", message);
    assertEquals(options.json, true, text);
  }
});

Deno.test("readArguments() reads what parseArgs() of Node reads", async () => {
  const { globals, commands } = SYNTAX;
  const named = [...globals, ...commands.find(({ name }) => name === "resolve")!.options]
    .filter(({ choices, kind }) => !choices && kind !== "time");
  const options = Object.fromEntries(named.map(({ name, short, value }) => [name, {
    type: value === undefined ? "boolean" as const : "string" as const,
    multiple: true as const,
    ...(short !== undefined && { short }),
  }]));
  const arg = fc.constantFrom(
    ...[
      "-c",
      "--config",
      "-ca",
      "-vc",
      "-v",
      "--verbose",
      "--config=a",
      "--config=",
      "--verbose=a",
    ],
    ...["a", "a=b", "-", "--", "--json", "-vV", "--connection", "--retry", "-=", "-c=a"],
  );
  const tried = { read: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(arg, { maxLength: 6 }), async (args) => {
      const all = ["resolve", "file", ...args];
      const found = await readArguments(all, PROGRAM);
      let expected;
      try {
        expected = parseArgs({ args: all, options, allowPositionals: true });
      } catch {
        tried.refused++;
        assert(found.problem, args.join(" "));
        return;
      }
      const given = Object.entries(expected.values).map(([name, values]) => {
        return [name, new Set(values)] as const;
      });
      const words = expected.positionals.slice(1);
      // Node takes the last of several values and any number of words.
      if (words.length > 1 || given.some(([, values]) => values.size > 1)) {
        assert(found.problem, args.join(" "));
        return;
      }
      tried.read++;
      assertEquals(found.problem, undefined, args.join(" "));
      assertEquals(found.options, {
        ...FALLBACKS,
        ...Object.fromEntries(given.map(([name, values]) => [name, [...values][0]!])),
      });
      assertEquals(found.operands, words);
    }),
    { numRuns: 5000 },
  );
  assert(tried.read > 200 && tried.refused > 200, JSON.stringify(tried));
});

Deno.test("options + have one meaning under one name, one letter each", () => {
  const { globals, commands } = SYNTAX;
  const all = [...globals, ...commands.flatMap(({ options }) => options)];
  for (const option of all) {
    for (const other of all.filter(({ name }) => name === option.name)) {
      assertEquals([other.value, other.short], [option.value, option.short], option.name);
    }
  }
  const letters = globals.flatMap(({ short }) => short === undefined ? [] : [short]);
  assertEquals(letters, [...new Set(letters)]);
});
