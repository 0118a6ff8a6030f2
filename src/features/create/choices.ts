import { ArgumentError, suggestion } from "../../cli/errors.ts";
import type { Runtime } from "../../runtime/mod.ts";
import type { CreateArguments } from "./arguments.ts";

export const RUNTIMES = ["deno", "node", "bun"] as const;
export const DATABASES = ["sqlite", "postgres"] as const;
export const PARTS = ["openapi", "security", "logging", "jobs"] as const;

export type RuntimeName = typeof RUNTIMES[number];

export interface Choices {
  readonly runtime: RuntimeName;
  readonly database: typeof DATABASES[number];
  readonly parts: readonly (typeof PARTS[number])[];
}

/** Without `--runtime`, a terminal is asked for what the options leave open. @throws {ArgumentError} */
export async function choicesOf(runtime: Runtime, args: CreateArguments): Promise<Choices> {
  const isAsked = args.runtime === undefined;
  const { stdin, stdout } = runtime;
  if (isAsked && !stdin.isTerminal) {
    throw new ArgumentError(
      `option '--runtime' is missing: expected one of ${RUNTIMES.join(", ")}`,
    );
  }
  const choose = async <T>(
    given: string | undefined,
    proposed: string,
    { text, read }: Question<T>,
  ) => {
    if (given !== undefined || !isAsked) return read(given ?? proposed);
    // Until the answer can be read.
    while (true) {
      stdout.write(`Which ${text}? [${proposed}] `);
      const line = await stdin.readLine();
      if (line === undefined) throw new ArgumentError("a question was not answered");
      try {
        return read(line.trim().toLowerCase() || proposed);
      } catch (error) {
        stdout.write(`${(error as ArgumentError).message}\n`);
      }
    }
  };
  const name = await choose(args.runtime, runtime.name, oneOf("runtime", RUNTIMES));
  const database = await choose(args.database, "sqlite", oneOf("database", DATABASES));
  const parts = await choose(args.with, "none", partsOn(database));
  return { runtime: name, database, parts };
}

interface Question<T> {
  readonly text: string;
  /** @throws {ArgumentError} */
  readonly read: (text: string) => T;
}

function oneOf<T extends string>(what: string, known: readonly T[]): Question<T> {
  const names = known.join(", ");
  const read = (name: string) => {
    const found = known.find((one) => one === name);
    if (found) return found;
    const message = `unknown ${what} '${name}', expected one of ${names}`;
    throw new ArgumentError(message + suggestion(name, known));
  };
  return { text: `${what}: ${names}`, read };
}

function partsOn(database: Choices["database"]): Question<Choices["parts"]> {
  const { read } = oneOf("part", PARTS);
  const readAll = (list: string) => {
    const parts = list === "none" ? [] : list.split(",").map((name) => read(name.trim()));
    if (database === "postgres" || !parts.includes("jobs")) {
      return PARTS.filter((part) => parts.includes(part));
    }
    throw new ArgumentError(
      "part 'jobs' needs the database 'postgres', which stores background jobs; recurring jobs alone run on " +
        "SQLite, too: create the project without this part and add @Scheduled()",
    );
  };
  return { text: `parts, separated by commas: ${PARTS.join(", ")}`, read: readAll };
}
