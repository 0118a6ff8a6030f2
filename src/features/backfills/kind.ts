import type { OpenServer } from "./server.ts";

/** The databases that have backfills, by their kind. */
export const SERVERS: Readonly<Record<string, OpenServer>> = {
  postgresql: async (...where) => await (await import("./postgresql.ts")).openServer(...where),
  mysql: async (...where) => await (await import("./mysql.ts")).openServer(...where),
};

const TEXT = `-- irori: batches of 5000 by id
-- 'irori backfill run' runs it, each batch in its own transaction; 'irori migrate' never does.
UPDATE orders SET total = quantity * price WHERE \${irori.batch} AND total IS NULL;
`;

/** The file that `irori new backfill` writes; nothing for databases without backfills. */
export function textFor(kind: string): string | undefined {
  return kind in SERVERS ? TEXT : undefined;
}
