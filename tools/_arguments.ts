import { parseArgs } from "node:util";
import { type Need, SERVER_NEEDS } from "./_groups.ts";
import type { Command } from "./_tally.ts";
import { PARTS, shardOf, type TestPart } from "./_test_files.ts";

/** Values of `--servers`. */
const SERVER_CHOICES = ["all", "sql", "search", "none"] as const;
const TEXT = { type: "string" } as const;
const SWITCH = { type: "boolean" } as const;
/** Options of `deno test` that are passed on. */
const PASSED_ON = {
  filter: TEXT,
  preload: TEXT,
  "fail-fast": SWITCH,
  shuffle: SWITCH,
  "trace-leaks": SWITCH,
} as const;
const OWN = {
  all: SWITCH,
  changed: TEXT,
  list: SWITCH,
  part: TEXT,
  report: TEXT,
  servers: TEXT,
  shard: TEXT,
  "write-counts": SWITCH,
} as const;
const COMMANDS: readonly Command[] = ["test", "test:all"];

/** Printed by `deno task test --help`. */
export const HELP = `Runs the checks and the tests, with real servers.

deno task test [options] [files or folders of tests]
deno task test:all      all repetitions and versions, too

  --changed [COMMIT]    only tests that a change can reach, by default since the branch left main
  --list                print the files of tests instead of running them
  --servers KIND        start these servers only: ${SERVER_CHOICES.join(", ")}
  --part PART           only this part: ${["checks", ...PARTS].join(", ")}
  --shard N/M           only one of M shares of the files
  --report FILE         write JUnit's report
  --write-counts        write the number of tests by server and runtime, unless one fails
  --${Object.keys(PASSED_ON).join(", --")}
                        go to 'deno test'

With files or folders no checks run, and no test is left out. The last line is 'N passed, N failed, N skipped'.
CONTRIBUTING.md says what is installed and what needs which server.`;

/** What `deno task test` and `test:all` are to do. */
interface TestArguments {
  readonly command: Command;
  readonly paths: readonly string[];
  /** Arguments of `deno test`. */
  readonly flags: readonly string[];
  readonly filter?: string;
  readonly part?: TestPart | "checks";
  readonly shard?: string;
  /** Servers that do not start, and why. */
  readonly leftOut: ReadonlyMap<Need, string>;
  /** A commit, or nothing for where the branch left `main`. */
  readonly changed?: string;
  readonly isList: boolean;
  readonly report?: string;
  readonly isWritten: boolean;
  /** Whether all tests of the command run, in parts and shards together. */
  readonly isOfWhole: boolean;
  /** Whether all tests of the command run. */
  readonly isWhole: boolean;
}

/** @throws {Error} with a sentence for what is unknown, misses a value, or does not fit together */
export function testArguments(args: readonly string[]): TestArguments {
  // Its value may be absent, which `parseArgs` does not know.
  const given = args.map((arg, index) =>
    arg === "--changed" && (args[index + 1] ?? "-").startsWith("-") ? "--changed=" : arg
  );
  const { values, positionals: paths } = parseArgs({
    args: given,
    allowPositionals: true,
    options: { ...OWN, ...PASSED_ON },
  });
  const { changed, filter, report, shard } = values;
  const flags = Object.keys(PASSED_ON).flatMap((name) => {
    const value = values[name as keyof typeof PASSED_ON];
    if (value === undefined) return [];
    return value === true ? [`--${name}`] : [`--${name}=${value}`];
  });
  const part = oneOf("part", ["checks", ...PARTS], values.part);
  const servers = oneOf("servers", SERVER_CHOICES, values.servers) ?? "all";
  const leftOut = new Map<Need, string>(
    SERVER_NEEDS.filter((need) => servers !== "all" && servers !== need)
      .map((need) => [need, `left out by '--servers ${servers}'`]),
  );
  if (shard !== undefined) shardOf([], shard);
  if (report === "") throw new Error("'--report' needs the name of a file");
  if (changed !== undefined && (paths.length > 0 || part !== undefined)) {
    throw new Error("'--changed' chooses the tests itself: leave out paths and '--part'");
  }
  if (part === "checks" && paths.length > 0) {
    throw new Error("'--part checks' runs no tests: leave out paths");
  }
  const isOfWhole = paths.length === 0 && flags.length === 0 && changed === undefined &&
    servers === "all";
  const isWhole = isOfWhole && part === undefined && shard === undefined;
  const isWritten = values["write-counts"] ?? false;
  if (isWritten && !isWhole) {
    throw new Error("'--write-counts' needs all tests: leave out what chooses some of them");
  }
  const command = values.all ? "test:all" : "test";
  const isList = values.list ?? false;
  return {
    ...{ command, paths, flags, filter, part, shard, leftOut, changed, isList, report },
    ...{ isWritten, isOfWhole, isWhole },
  };
}

/** What `deno task test:report` is to do. @throws {Error} as {@linkcode testArguments} */
export function reportArguments(args: readonly string[]) {
  const { values, positionals: files } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      expect: TEXT,
      top: { ...TEXT, default: "25" },
      "without-budgets": SWITCH,
      "write-budgets": SWITCH,
    },
  });
  if (files.length === 0) throw new Error("Name reports of 'deno task test --report FILE'");
  const top = Number(values.top);
  if (!(top > 0)) throw new Error(`Unknown top '${values.top}': expected a number such as 25`);
  return {
    files,
    top,
    expect: oneOf("expect", COMMANDS, values.expect),
    withoutBudgets: values["without-budgets"] ?? false,
    isWritten: values["write-budgets"] ?? false,
  };
}

function oneOf<T extends string>(
  name: string,
  known: readonly T[],
  value: string | undefined,
): T | undefined {
  const found = known.find((one) => one === value);
  if (value === undefined || found !== undefined) return found;
  throw new Error(`Unknown ${name} '${value}': expected one of ${known.join(", ")}`);
}

/** What the arguments of this process say; ends it where they are wrong. */
export function parsed<T>(parse: (args: readonly string[]) => T): T {
  try {
    return parse(Deno.args);
  } catch (error) {
    return refuse((error as Error).message);
  }
}

/** Ends this process before it has done anything. */
export function refuse(message: string): never {
  console.error(message);
  Deno.exit(2);
}
