import { errorOf } from "../../../../text/mod.ts";
import { DatabaseError } from "../../errors.ts";
import type { SqlEnvironment } from "../../types.ts";
import { awaited, waitedFor } from "../shared/connections.ts";
import { type Pglite, pgliteWire } from "./driver.ts";
import { openInstance } from "./instance.ts";
import { identifier } from "../../files/quoting.ts";
import { connectionOver, literal, type PostgresqlConnection } from "../postgresql/driver.ts";

export interface Session {
  readonly pglite: Pglite;
  leave(): Promise<void>;
}

export async function ownSession(folder: string): Promise<Session> {
  const pglite = await openInstance(folder);
  return { pglite, leave: () => pglite.close().catch(() => {}) };
}

/** Waits until the application's session is idle. @throws {DatabaseError} when that takes too long */
export async function usedSession(
  pglite: Pglite,
  environment: SqlEnvironment,
  signal?: AbortSignal,
): Promise<Session> {
  await pglite.waitReady;
  if (pglite.closed) throw new DatabaseError("lost", "The application closed its PGlite");
  // PGlite itself waits for the exclusive user, without a limit.
  const limit = new AbortController();
  const stop = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
  const timer = setTimeout(() => {
    limit.abort(waitedFor(TRANSACTION, environment));
  }, environment.lockTimeoutMs);
  const attempt = () => enter(pglite, environment.onNotice, stop);
  return await awaited(TRANSACTION, attempt, environment, stop).finally(() => clearTimeout(timer));
}

const TRANSACTION = "a transaction of the application, which uses the only session of PGlite";

function enter(
  pglite: Pglite,
  onNotice: SqlEnvironment["onNotice"],
  stop: AbortSignal,
): Promise<Session | undefined> {
  return new Promise((resolve, reject) => {
    stop.addEventListener("abort", () => reject(stop.reason), { once: true });
    pglite.runExclusive(async () => {
      if (stop.aborted) return;
      const wire = pgliteWire(pglite, () => Promise.resolve());
      await wire.ask("");
      if (wire.isInTransaction()) return resolve(undefined);
      const restore = await rememberSession(connectionOver(wire, (text) => text));
      // Records are read before there is anything to apply.
      await wire.ask("RESET ROLE");
      await new Promise<void>((left) => {
        resolve({
          pglite,
          async leave() {
            try {
              // Another client may have used the session since.
              await wire.ask("");
              for (const failure of await restore()) {
                onNotice(`The session of the application is not as it was: ${failure}`);
              }
            } finally {
              left();
            }
          },
        });
      });
    }).catch(reject);
  });
}

/** Remembers settings, role and channels; the result restores them, and returns what could not be restored. */
async function rememberSession(
  connection: PostgresqlConnection,
): Promise<() => Promise<readonly string[]>> {
  const ask = async (sql: string) => (await connection.send(sql)).at(-1)?.rows ?? [];
  const settings = await ask("SELECT name, setting FROM pg_settings WHERE source = 'session'");
  const [{ role = "none" } = {}] = await ask("SHOW role");
  const channels = await ask("SELECT pg_listening_channels() AS name");
  return async () => {
    const statements = [
      ...connection.isInTransaction() ? ["ROLLBACK"] : [],
      "DISCARD ALL",
      ...settings.map(({ name, setting }) =>
        `SELECT set_config(${literal(`${name}`)}, ${literal(`${setting}`)}, false)`
      ),
      ...role === "none" ? [] : [`SET ROLE ${identifier(`${role}`)}`],
      ...channels.map(({ name }) => `LISTEN ${identifier(`${name}`)}`),
    ];
    const failures: string[] = [];
    for (const statement of statements) {
      await connection.send(statement).catch((error) => {
        failures.push(`${statement}: ${errorOf(error).message}`);
      });
    }
    return failures;
  };
}
