import { typeModule } from "../../features/types/type_module.ts";
import { resolve } from "../../runtime/path.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import { count } from "../report.ts";
import type { GlobalOptions } from "../types.ts";
import { commandContext, printJson } from "./_context.ts";
import { updateFile } from "./_generated_file.ts";
import { onlyConnection } from "./_only_connection.ts";

interface TypesOptions extends GlobalOptions {
  readonly out?: string;
  readonly check?: boolean;
  readonly url?: string;
  readonly live?: boolean;
}

export async function types(runtime: Runtime, globals: TypesOptions): Promise<number> {
  const { type, out, check, url, live } = globals;
  if (check && out === undefined) throw new UsageError("'--check' requires '--out'");
  if (url !== undefined && live) throw new UsageError("Expected '--url' or '--live', found both");
  if (type === "search" && (url !== undefined || live)) {
    throw new UsageError("'--url' and '--live' are for databases: expected '-m sql'");
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
  const command = "irori types --out";
  const { stale, result } = await updateFile(runtime, path, found.text, { check, command });
  const what = count(found.count, type === "sql" ? "table" : "document type");
  screen.write(`${out}: ${what}, ${result}\n`);
  printJson(runtime, globals, { connection, file: path, stale });
  return stale && check ? EXIT.pending : EXIT.done;
}
