/** `pg_dump` in WebAssembly, which the package `@electric-sql/pglite-tools` has. */
export type PgDump = (options: {
  readonly pg: unknown;
  readonly args: readonly string[];
}) => Promise<Blob>;

export interface DumpedPglite {
  query(sql: string): Promise<unknown>;
  exec(sql: string): Promise<unknown>;
  /** Calls back with the server's bytes before it returns. */
  execProtocolRawStream(message: Uint8Array, options: unknown): Promise<void>;
}

/**
 * Returns the output of `pg_dump`. It sends a message of more than 8 KiB in parts, and PGlite waits without an end for the rest of
 * one: with some hundred tables the statement that locks them is so long. So each message is sent when it is whole.
 *
 * It refers to nothing outside itself, as it also runs in a thread.
 */
export async function dumped(
  pgDump: PgDump,
  pglite: DumpedPglite,
  args: readonly string[],
): Promise<string> {
  let rest = new Uint8Array();
  const pg = {
    query: (sql: string) => pglite.query(sql),
    exec: (sql: string) => pglite.exec(sql),
    execProtocolRawStream(part: Uint8Array, options: unknown) {
      const bytes = new Uint8Array(rest.length + part.length);
      bytes.set(rest);
      bytes.set(part, rest.length);
      const view = new DataView(bytes.buffer);
      let end = 0;
      while (true) {
        // Only the first message of a session has no letter before its length; it begins with a zero.
        const at = bytes[end] === 0 ? end : end + 1;
        const next = at + 4 > bytes.length ? Infinity : at + view.getInt32(at);
        if (next > bytes.length) break;
        end = next;
      }
      rest = bytes.slice(end);
      if (end > 0) void pglite.execProtocolRawStream(bytes.subarray(0, end), options);
    },
  };
  return await (await pgDump({ pg, args })).text();
}
