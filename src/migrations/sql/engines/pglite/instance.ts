import { PackageNotFoundError, startThread } from "../../../../runtime/mod.ts";
import { locatePglite, PGLITE } from "../../connect/drivers.ts";
import { importDriver } from "../../connect/import_driver.ts";
import { DatabaseError } from "../../errors.ts";
import type { Pglite } from "./driver.ts";
import { dumped, type DumpedPglite, type PgDump } from "./dump.ts";

/**
 * Opens a database in a thread of its own, as WebAssembly would block the event loop: no signal would be heard, and no
 * request answered. A folder is made where there is none.
 *
 * @param signal ends the database at once, whatever it does
 * @throws {DatabaseError | PackageNotFoundError}
 */
export async function openInstance(
  folder: string,
  extensions: Iterable<string> = [],
  signal?: AbortSignal,
): Promise<Pglite> {
  const { call, end } = startThread(instance, dumped, importDriver);
  signal?.addEventListener("abort", () => end(signal.reason), { once: true });
  const load = (name: keyof typeof PGLITE, path: string, exported: string) =>
    call("load", locatePglite(name, path), exported).catch((cause) => {
      throw new PackageNotFoundError(name, PGLITE[name], { cause });
    });
  try {
    await load("@electric-sql/pglite", "", "PGlite");
    for (const name of extensions) {
      await load("@electric-sql/pglite", `/contrib/${name}`, name).catch(() => {});
    }
    await call("open", folder === ":memory:" ? {} : { dataDir: folder });
  } catch (error) {
    await end(error);
    if (error instanceof PackageNotFoundError) throw error;
    throw new DatabaseError("lost", `Cannot open '${folder}': ${(error as Error).message}`);
  }
  return {
    waitReady: Promise.resolve(),
    closed: false,
    execProtocol: (message) => call("ask", message),
    // It has one user.
    runExclusive: (action) => action(),
    exec: (sql) => call("exec", sql),
    async dump(options) {
      await load("@electric-sql/pglite-tools", "/pg_dump", "pgDump");
      return await call("dump", options);
    },
    close: () => call<void>("close").finally(() => end(new Error(`'${folder}' is closed`))),
  };
}

interface Instance extends DumpedPglite, Pick<Pglite, "execProtocol" | "close"> {}

function instance(dump: typeof dumped, load: typeof importDriver) {
  const loaded: Record<string, unknown> = {};
  let pglite: Instance;
  return {
    async load(url: string, name: string) {
      loaded[name] = Object(await load(url))[name];
    },
    async open(options: object) {
      const { PGlite, ...extensions } = loaded;
      const { create } = PGlite as { create(options: object): Promise<Instance> };
      pglite = await create.call(PGlite, { ...options, extensions });
    },
    async ask(bytes: Uint8Array) {
      const { messages } = await pglite.execProtocol(bytes, { throwOnError: false });
      // Errors lose their fields on the way to another thread.
      return { messages: messages.map((each) => ({ ...each, message: (each as Error).message })) };
    },
    exec: (sql: string) => pglite.exec(sql),
    dump: (options: readonly string[]) => dump(loaded.pgDump as PgDump, pglite, options),
    close: () => pglite.close(),
  };
}
