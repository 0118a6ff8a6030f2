import { errorOf } from "../../../text/mod.ts";
import { importDriver, resolveDriver } from "./import_driver.ts";
import { PackageNotFoundError } from "../../../runtime/mod.ts";
import { DatabaseError } from "../errors.ts";

/** Drivers from npm and what lints, which applications install, and the versions that are known to work. */
export const DRIVERS: Readonly<Record<"pg" | "mysql2" | "libpg-query", string>> = {
  pg: "^8.23.0",
  mysql2: "^3.24.0",
  "libpg-query": "^18.1.5",
};

export const PGLITE: Readonly<Record<Pglite, string>> = {
  "@electric-sql/pglite": "^0.5.8",
  "@electric-sql/pglite-tools": "^0.4.8",
};

type Pglite = "@electric-sql/pglite" | "@electric-sql/pglite-tools";

/** Each version of the second is made for one of the first, and names it alone: these two are a pair. */
const FETCHED: Readonly<Record<Pglite, string>> = {
  "@electric-sql/pglite": "0.5.8",
  "@electric-sql/pglite-tools": "0.4.8",
};

/** The address of PGlite for a thread. Where it is not installed, the one that Deno knows. */
export function locatePglite(name: Pglite, path = ""): string {
  try {
    return resolveDriver(`${name}${path}`);
  } catch {
    return `npm:${name}@${FETCHED[name]}${path}`;
  }
}

/** Loads a driver only when a datasource needs it. @throws {PackageNotFoundError} when it is not installed */
export async function loadDriver(name: keyof typeof DRIVERS | Pglite, path = ""): Promise<unknown> {
  const range = { ...DRIVERS, ...FETCHED }[name];
  let reason = "";
  // The application's own copy first; Deno also finds it without one.
  for (const specifier of [`${name}${path}`, `npm:${name}@${range}${path}`]) {
    try {
      return await importDriver(specifier);
    } catch (error) {
      // Node knows no such addresses; what it said first is what matters there.
      const { message } = errorOf(error);
      if (reason === "" || !/scheme|protocol/i.test(message)) reason = message.split("\n")[0] ?? "";
    }
  }
  throw new PackageNotFoundError(name, range, { cause: new Error(reason) });
}

/** Loads the SQLite of the runtime itself. @throws {DatabaseError} where it has none, as Node 20 */
export async function loadSqlite(): Promise<unknown> {
  try {
    return await importDriver("node:sqlite");
  } catch {
    throw new DatabaseError(
      "lost",
      "Cannot load 'node:sqlite': it comes with Deno 2.2, Bun 1.4, Node 22.13 and later versions",
    );
  }
}
