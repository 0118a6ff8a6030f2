import { ArgumentError, UsageError } from "../../cli/errors.ts";
import { EXIT } from "../../cli/exit_codes.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { basename, resolve } from "../../runtime/path.ts";
import { type CreateArguments, readArguments } from "./arguments.ts";
import { choicesOf, DATABASES, PARTS, RUNTIMES } from "./choices.ts";
import { isTarball, projectOf } from "./project.ts";

const FOLDER = "irori-app";

export async function create(runtime: Runtime): Promise<number> {
  try {
    const args = readArguments(runtime.args);
    runtime.stdout.write(args.help ? HELP : await made(runtime, args));
    return EXIT.done;
  } catch (error) {
    const hint = error instanceof ArgumentError ? "(run with --help for the options)\n" : "";
    const message = error instanceof Error ? error.message : String(error);
    runtime.stderr.write(`error: ${message}\n${hint}`);
    return error instanceof UsageError ? EXIT.usage : EXIT.unexpected;
  }
}

const HELP = `Usage: npm create irori [folder] -- [options]
       deno create jsr:@irori/irori -- [folder] [options]
       bunx --bun create-irori [folder] [options]

Writes a REST service with a database into a new or empty folder (default: ${FOLDER}).

Options:
  --runtime <name>   what the service runs on: ${RUNTIMES.join(", ")}
  --database <name>  where its data is: ${DATABASES.join(", ")} (default: sqlite)
  --with <parts>     what it has beside that, separated by commas: ${PARTS.join(", ")}
                     (default: none; jobs need postgres)
  --from <path>      takes the library from a packed package or its folder, not from the registry
  -h, --help         print this help

Without --runtime, it asks on a terminal for all that the options leave open.
`;

async function made(runtime: Runtime, args: CreateArguments): Promise<string> {
  const { folder = FOLDER } = args;
  const root = resolve(runtime.cwd(), folder);
  await requireEmpty(runtime, root, folder);
  const from = args.from === undefined ? undefined : await packageAt(runtime, args.from);
  const choices = await choicesOf(runtime, args);
  const { files, commands } = projectOf(basename(root), { ...choices, from });
  for (const [path, text] of files) await runtime.files.writeTextFile(resolve(root, path), text);
  const { install, test, start } = commands;
  const steps = [`cd ${quoted(folder)}`, install, test].filter((step) => step !== undefined);
  return `Wrote ${files.size} files to ${root}:
${[...files.keys()].sort().map((path) => `  ${path}\n`).join("")}
Next, to test it and then to start it on http://127.0.0.1:8080:
  ${steps.join(" && ")}
  ${start}
${from === undefined ? "" : FROM_FILE}`;
}

const FROM_FILE = `
The Dockerfile and the workflow need the library from the registry: they cannot reach a file outside of the project.
`;

async function requireEmpty({ files }: Runtime, root: string, folder: string): Promise<void> {
  const info = await files.stat(root);
  if (!info) return;
  if (!info.isDirectory) {
    throw new UsageError(`Cannot create a project in '${folder}': it is a file`);
  }
  const [first] = (await files.list(root)).filter((name) => name !== ".git");
  if (first === undefined) return;
  throw new UsageError(
    `Cannot create a project in '${folder}': expected a new or an empty folder, found '${first}' in it`,
  );
}

async function packageAt({ files, cwd }: Runtime, written: string): Promise<string> {
  const path = resolve(cwd(), written);
  const info = await files.stat(path);
  if (!info) throw new UsageError(`Cannot take the library from '${written}': it does not exist`);
  const isPackage = info.isDirectory
    ? await files.stat(resolve(path, "package.json")) !== undefined
    : isTarball(path);
  if (isPackage) return path;
  const expected = info.isDirectory ? "a 'package.json' in it" : "a file named .tgz or .tar.gz";
  throw new UsageError(`Cannot take the library from '${written}': expected ${expected}`);
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
