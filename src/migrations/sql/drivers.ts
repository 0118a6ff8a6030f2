import { errorOf } from "../../text/mod.ts";
import { importDriver } from "./_import_driver.ts";
import { PackageNotFoundError } from "../../runtime/mod.ts";
import { DatabaseError } from "./errors.ts";

/** Drivers from npm and what lints, which applications install, and the versions that are known to work. */
export const DRIVERS: Readonly<Record<"pg" | "mysql2" | "libpg-query", string>> = {
  pg: "^8.23.0",
  mysql2: "^3.24.0",
  "libpg-query": "^18.1.5",
};

/**
 * Loads a driver only when a datasource needs it.
 *
 * @param path a module inside the package
 * @throws {PackageNotFoundError} when it is not installed
 */
export async function loadDriver(name: keyof typeof DRIVERS, path = ""): Promise<unknown> {
  let reason = "";
  // The application's own copy first; Deno also finds it without one.
  for (const specifier of [`${name}${path}`, `npm:${name}@${DRIVERS[name]}${path}`]) {
    try {
      return await importDriver(specifier);
    } catch (error) {
      // Node knows no such addresses; what it said first is what matters there.
      const { message } = errorOf(error);
      if (reason === "" || !/scheme|protocol/i.test(message)) reason = message.split("\n")[0] ?? "";
    }
  }
  throw new PackageNotFoundError(name, DRIVERS[name], { cause: new Error(reason) });
}

/** Loads the SQLite of the runtime itself. @throws {DatabaseError} where it has none, as Node 20 */
export async function loadSqlite(): Promise<unknown> {
  const name = "node:sqlite";
  try {
    return await importDriver(name);
  } catch {
    throw new DatabaseError(
      "lost",
      "Cannot load 'node:sqlite': it comes with Deno 2.2, Bun 1.4, Node 22.13 and later versions",
    );
  }
}
