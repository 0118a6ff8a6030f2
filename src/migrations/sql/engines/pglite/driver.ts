import type { SentResult, Wire } from "../postgresql/driver.ts";

export interface Pglite {
  readonly waitReady: Promise<void>;
  readonly closed: boolean;
  execProtocol(
    message: Uint8Array,
    options: { readonly throwOnError: boolean },
  ): Promise<{ readonly messages: readonly ServerMessage[] }>;
  /** Keeps other queries waiting until the promise is settled. */
  runExclusive<T>(action: () => Promise<T>): Promise<T>;
  exec(sql: string): Promise<readonly { readonly rows: readonly Record<string, unknown>[] }[]>;
  close(): Promise<void>;
  /** The output of `pg_dump`. An instance of an application has no such function. */
  readonly dump?: (options: readonly string[]) => Promise<string>;
}

interface ServerMessage {
  readonly name: string;
  /** The columns of `rowDescription`, the values of `dataRow`. */
  readonly fields?: readonly unknown[];
  /** The status of `readyForQuery`: `I` outside of transactions, `T` inside, `E` inside a failed one. */
  readonly status?: string;
}

export function pgliteWire(pglite: Pglite, close: () => Promise<void>): Wire {
  let status = "I";
  let isLost = false;
  const exchange = async (message: Uint8Array): Promise<readonly ServerMessage[]> => {
    const { messages } = await pglite.execProtocol(message, { throwOnError: false });
    status = messages.findLast(({ name }) => name === "readyForQuery")?.status ?? status;
    return messages;
  };
  return {
    // The server would know no other one.
    processId: 0,
    async ask(text) {
      try {
        const messages = await exchange(queryMessage(text));
        // Some versions say that they are ready only when they are asked after an error.
        const isReady = messages.some(({ name }) => name === "readyForQuery");
        return answerOf(isReady ? messages : [...messages, ...await exchange(SYNC)]);
      } catch (error) {
        isLost = true;
        return { tables: [], error, completed: 0 };
      }
    },
    isInTransaction: () => status !== "I",
    isLost: () => isLost,
    close,
  };
}

function answerOf(messages: readonly ServerMessage[]): SentResult {
  const tables: { columns: string[]; rows: Record<string, unknown>[] }[] = [];
  let columns: string[] = [];
  let rows: Record<string, unknown>[] = [];
  let completed = 0;
  let error: unknown;
  for (const message of messages) {
    const { name, fields = [] } = message;
    if (name === "rowDescription") columns = fields.map((field) => `${Object(field).name}`);
    if (name === "dataRow") {
      rows.push(Object.fromEntries(columns.map((column, index) => [column, fields[index]])));
    }
    if (name === "error") error ??= message;
    if (name !== "commandComplete" && name !== "emptyQuery") continue;
    if (name === "commandComplete") completed++;
    tables.push({ columns, rows });
    columns = [];
    rows = [];
  }
  return { tables, completed, ...(error !== undefined && { error }) };
}

/** `Query` of the protocol: its letter, the length behind it, the text, a zero. */
function queryMessage(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  const message = new Uint8Array(bytes.length + 6);
  message[0] = "Q".charCodeAt(0);
  new DataView(message.buffer).setInt32(1, bytes.length + 5);
  message.set(bytes, 5);
  return message;
}

const SYNC = Uint8Array.of("S".charCodeAt(0), 0, 0, 0, 4);
