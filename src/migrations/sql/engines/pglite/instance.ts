import { PackageNotFoundError, startThread } from "../../../../runtime/mod.ts";
import { locatePglite, PGLITE } from "../../connect/drivers.ts";
import { DatabaseError } from "../../errors.ts";
import type { Pglite } from "./driver.ts";
import { dumped, type DumpedPglite, type PgDump } from "./dump.ts";

interface InstanceOptions {
  /** Names of those that PGlite may include. */
  readonly extensions?: readonly string[];
  /** Ends the database at once, whatever it does. */
  readonly signal?: AbortSignal;
}

/**
 * Opens a database in a thread of its own, as WebAssembly would block the event loop: no signal would be heard, and no
 * request answered. A folder is made where there is none.
 *
 * @param folder or `:memory:`
 * @throws {DatabaseError | PackageNotFoundError}
 */
export async function openInstance(
  folder: string,
  { extensions = [], signal }: InstanceOptions = {},
): Promise<Pglite> {
  const thread = startThread(instance, dumped);
  const end = () => thread.end(signal?.reason);
  signal?.addEventListener("abort", end, { once: true });
  const close = async (reason: unknown) => {
    signal?.removeEventListener("abort", end);
    await thread.end(reason);
  };
  const call = async (name: string, ...given: readonly unknown[]) => {
    return await thread.call(name, ...given) as never;
  };
  const missing = async (name: keyof typeof PGLITE, error: unknown) => {
    throw new PackageNotFoundError(name, PGLITE[name], { cause: error });
  };
  try {
    const contrib = extensions.map((name) => [
      name,
      locatePglite("@electric-sql/pglite", `/contrib/${name}`),
    ]);
    await call("load", locatePglite("@electric-sql/pglite"), contrib)
      .catch((error) => missing("@electric-sql/pglite", error));
    await call("open", folder === ":memory:" ? {} : { dataDir: folder }).catch((error) => {
      throw new DatabaseError("lost", `Cannot open '${folder}': ${error.message}`);
    });
  } catch (error) {
    await close(error);
    throw signal?.aborted ? signal.reason : error;
  }
  const closed = new DatabaseError("lost", `The database '${folder}' is closed`);
  return {
    waitReady: Promise.resolve(),
    closed: false,
    execProtocol: async (message) => ({ messages: await call("ask", message) }),
    // It has one user.
    runExclusive: (action) => action(),
    exec: (sql) => call("exec", sql),
    dump: async (options) => {
      const tools = locatePglite("@electric-sql/pglite-tools", "/pg_dump");
      await call("loadTools", tools).catch((error) => missing("@electric-sql/pglite-tools", error));
      return await call("dump", options);
    },
    close: () => call("close").finally(() => close(closed)),
  };
}

interface Instance extends DumpedPglite {
  execProtocol(
    message: Uint8Array,
    options: { readonly throwOnError: boolean },
  ): Promise<{ readonly messages: readonly Error[] }>;
  close(): Promise<void>;
}

/** In the thread. */
function instance(dump: typeof dumped) {
  let create: (options: object) => Promise<Instance>;
  let pgDump: PgDump;
  let pglite: Instance;
  const extensions: Record<string, unknown> = {};
  return {
    async load(url: string, contrib: readonly (readonly [string, string])[]) {
      const { PGlite } = await import(url);
      create = (options) => PGlite.create(options);
      for (const [name, at] of contrib) {
        const extension = (await import(at).catch(() => ({})))[name];
        if (extension !== undefined) extensions[name] = extension;
      }
    },
    async open(options: object) {
      pglite = await create({ ...options, extensions });
    },
    async loadTools(url: string) {
      ({ pgDump } = await import(url));
    },
    async ask(bytes: Uint8Array) {
      const { messages } = await pglite.execProtocol(bytes, { throwOnError: false });
      // Errors lose their fields on the way to another thread.
      return messages.map((message) => ({ ...message, message: message.message }));
    },
    exec: (sql: string) => pglite.exec(sql),
    dump: (options: readonly string[]) => dump(pgDump, pglite, options),
    close: () => pglite.close(),
  };
}
