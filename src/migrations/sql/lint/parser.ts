import { errorOf } from "../../../text/mod.ts";
import { loadDriver } from "../connect/drivers.ts";
import type { Node } from "./tree.ts";

/** What is used of `libpg-query`: the grammar of PostgreSQL 18, compiled to WebAssembly. It runs nothing. */
interface Library {
  loadModule(): Promise<void>;
  parseSync(sql: string): { readonly stmts?: readonly { readonly stmt?: Node }[] };
}

/** Reads one statement. @returns `undefined` where the grammar refuses it */
export type Parse = (statement: string) => Node | undefined;

/**
 * Loads the grammar.
 *
 * @returns why there is none, as a sentence without its final period, where that is so
 */
export async function loadParser(): Promise<Parse | { readonly missing: string }> {
  let library: Library;
  try {
    library = await loadDriver("libpg-query") as Library;
    await library.loadModule();
  } catch (error) {
    return { missing: errorOf(error).message };
  }
  return (statement) => {
    try {
      return library.parseSync(statement).stmts?.[0]?.stmt;
    } catch {
      return undefined;
    }
  };
}
