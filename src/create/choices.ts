import { ArgumentError } from "../cli/errors.ts";
import { suggestion } from "../cli/suggest.ts";
import type { Runtime } from "../runtime/mod.ts";
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
  if (isAsked && !runtime.stdin.isTerminal) {
    throw new ArgumentError(
      `option '--runtime' is missing: expected one of ${RUNTIMES.join(", ")}`,
    );
  }
  const choose = async <T>(given: string | undefined, question: Question, read: Reader<T>) => {
    const [what, known, proposed] = question;
    if (given !== undefined || !isAsked) return read(given ?? proposed);
    const text = `Which ${what}: ${known.join(", ")}? [${proposed}] `;
    return await answer(runtime, text, (line) => read(line || proposed));
  };
  const name = await choose(
    args.runtime,
    ["runtime", RUNTIMES, runtime.name],
    (text) => named("runtime", text, RUNTIMES),
  );
  const database = await choose(
    args.database,
    ["database", DATABASES, "sqlite"],
    (text) => named("database", text, DATABASES),
  );
  const parts = await choose(
    args.with,
    ["parts, separated by commas", PARTS, "none"],
    (text) => partsOf(text, database),
  );
  return { runtime: name, database, parts };
}

type Question = readonly [what: string, known: readonly string[], proposed: string];
type Reader<T> = (text: string) => T;

/** Asks until the answer can be read. */
async function answer<T>(
  { stdin, stdout }: Runtime,
  question: string,
  read: Reader<T>,
): Promise<T> {
  while (true) {
    stdout.write(question);
    const line = await stdin.readLine();
    if (line === undefined) throw new ArgumentError("a question was not answered");
    try {
      return read(line.trim().toLowerCase());
    } catch (error) {
      stdout.write(`${(error as ArgumentError).message}\n`);
    }
  }
}

function partsOf(list: string, database: Choices["database"]): Choices["parts"] {
  const names = list === "none" ? [] : list.split(",").map((name) => name.trim());
  const parts = names.map((name) => named("part", name, PARTS));
  if (parts.includes("jobs") && database !== "postgres") {
    throw new ArgumentError(
      "part 'jobs' needs the database 'postgres', which stores background jobs; recurring jobs alone run on " +
        "SQLite, too: create the project without this part and add @Scheduled()",
    );
  }
  return PARTS.filter((part) => parts.includes(part));
}

function named<T extends string>(what: string, name: string, known: readonly T[]): T {
  const found = known.find((one) => one === name);
  if (found) return found;
  throw new ArgumentError(
    `unknown ${what} '${name}', expected one of ${known.join(", ")}${suggestion(name, known)}`,
  );
}
