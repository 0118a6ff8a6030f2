import { typeModule } from "../../migrations/type_module.ts";
import { dirname, resolve } from "../../runtime/path.ts";
import { FileNotFoundError, type Runtime } from "../../runtime/mod.ts";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import { count } from "../report.ts";
import type { GlobalOptions } from "../types.ts";
import { commandContext, printJson } from "./_context.ts";
import { onlyConnection } from "./_only_connection.ts";

interface TypesOptions extends GlobalOptions {
  readonly out?: string;
  readonly check?: boolean;
  readonly url?: string;
  readonly live?: boolean;
}

export async function types(runtime: Runtime, globals: TypesOptions): Promise<number> {
  const { type, out, check = false, url, live } = globals;
  if (check && out === undefined) throw new UsageError("'--check' requires '--out'");
  if (url !== undefined && live) throw new UsageError("Expected '--url' or '--live', found both");
  if (type === "search" && (url !== undefined || live)) {
    throw new UsageError(
      "'--url' and '--live' are for databases: expected them without '-m search'",
    );
  }
  const connection = await onlyConnection(runtime, type, globals);
  using context = await commandContext(runtime, { ...globals, connection });
  const { screen, options } = context;
  const found = await typeModule(type, { url, live }, options);
  if (out === undefined) {
    screen.write(found.text);
    printJson(runtime, globals, { connection, types: found.text });
    return EXIT.done;
  }
  const path = resolve(runtime.cwd(), out);
  const isStale = await textOf(runtime, path) !== found.text;
  if (isStale && !check) await write(runtime, path, found.text);
  const what = count(found.count, type === "sql" ? "table" : "document type");
  screen.write(`${out}: ${what}, ${result(isStale, check)}\n`);
  printJson(runtime, globals, { connection, file: path, stale: isStale });
  return isStale && check ? EXIT.pending : EXIT.done;
}

function result(isStale: boolean, check: boolean): string {
  if (!isStale) return "up to date";
  return check ? "stale: 'irori types --out' writes it" : "written";
}

/** Line ends are those of the checkout. */
async function textOf({ files }: Runtime, path: string): Promise<string | undefined> {
  return await files.readTextFile(path).then((text) => text.replaceAll("\r\n", "\n"), (error) => {
    if (!(error instanceof FileNotFoundError)) throw error;
  }) as string | undefined;
}

async function write({ files }: Runtime, path: string, text: string): Promise<void> {
  await files.ensureDir(dirname(path));
  await files.writeTextFile(path, text, { overwrite: true });
}
