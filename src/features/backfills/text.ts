const TEXT = `-- irori: batches of 5000 by id
-- 'irori backfill run' runs it, each batch in its own transaction; 'irori migrate' never does.
UPDATE orders SET total = quantity * price WHERE \${irori.batch} AND total IS NULL;
`;

/** The file that `irori new backfill` writes; nothing for databases without backfills. */
export function textFor(kind: string): string | undefined {
  return ENGINES.includes(kind) ? TEXT : undefined;
}

/** The kinds of databases on which backfills run. */
export const ENGINES: readonly string[] = ["postgresql", "mysql"];
