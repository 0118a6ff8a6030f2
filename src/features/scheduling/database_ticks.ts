import { OwnTable, type Row } from "../transactions/own_tables.ts";
import type { TransactionManager } from "../transactions/mod.ts";
import { TICKS } from "./ticks_table.ts";
import type { Claim, Tick, Ticks } from "./ticks.ts";

/** A lease of another replica, and since when it is as it is, by the clock of this process that is never set. */
interface Seen {
  readonly lease: number;
  readonly since: number;
}

/** For isolates, which end before they see a lease that stays the same; longer than platforms let one run. */
const FORGOTTEN_MS = 900_000;
/** How many ticks of a name are kept. */
const KEPT = 1000;
const COLUMNS = "name, due, state, running, replica, lease, started, ended, error";

/** In a table whose keys let one replica claim a tick; the clock of the database decides what is due. */
export class DatabaseTicks implements Ticks {
  readonly #table: OwnTable;
  #now = { database: 0, here: 0 };
  #looked = -Infinity;
  #seen: ReadonlyMap<string, Seen> = new Map();
  #ended = 0;
  readonly #started: Map<string, number> = new Map();
  #replica?: string;

  /** @param host what the name of this replica begins with */
  constructor(manager: TransactionManager, readonly host: string, readonly lease: number) {
    this.#table = new OwnTable(manager, {
      feature: "@Scheduled",
      table: TICKS,
      columns: COLUMNS,
      schema: "schedules-schema",
    });
  }

  check(): Promise<void> {
    return this.#table.check();
  }

  /** There is no other of this name. Edge isolates have no random numbers before the first event. */
  get replica(): string {
    return this.#replica ??= `${this.host}${crypto.randomUUID()}`.slice(-200);
  }

  get now(): number {
    return Math.floor(this.#now.database + performance.now() - this.#now.here);
  }

  async sync(running: readonly Tick[]): ReturnType<Ticks["sync"]> {
    const table = this.#table;
    const here = performance.now();
    if (running.length > 0) {
      const renewed = `lease = ${table.sql.now} + ?`;
      const sql = `UPDATE ${TICKS} SET ${renewed} WHERE replica = ? AND running IS NOT NULL`;
      await table.query(sql, this.lease * 1000, this.replica);
    }
    const [clock] = await table.query(`SELECT ${table.sql.now} AS now`);
    this.#now = { database: Number(clock!.now), here };
    const rows = await table.query(`SELECT ${COLUMNS} FROM ${TICKS} WHERE running IS NOT NULL`);
    const abandoned: Tick[] = [];
    for (const row of this.#silent(rows, here)) {
      if (await this.#abandon(row)) abandoned.push(tickOf(row));
    }
    const isMine = ({ name, due }: Tick) => (row: Row) =>
      row.name === name && Number(row.due) === due && row.replica === this.replica;
    return { lost: running.filter((tick) => !rows.some(isMine(tick))), abandoned };
  }

  /**
   * Ticks of other replicas whose leases were not renewed while this one has looked, for the time of a lease. No clock
   * that may be set decides it, and times in which this replica, or the database, did not run do not count.
   */
  #silent(rows: readonly Row[], here: number): readonly Row[] {
    const leaseMs = this.lease * 1000;
    const wasBlind = here - this.#looked > leaseMs / 2;
    this.#looked = here;
    const others = rows.filter(({ replica }) => replica !== this.replica);
    const seen = others.map((row): [string, Seen] => {
      const key = `${row.name} ${row.due}`;
      const before = this.#seen.get(key);
      const isSame = !wasBlind && before?.lease === Number(row.lease);
      return [key, isSame ? before : { lease: Number(row.lease), since: here }];
    });
    this.#seen = new Map(seen);
    return others.filter(({ lease }, index) => {
      const isForgotten = Math.abs(this.now - Number(lease)) > FORGOTTEN_MS + leaseMs;
      return isForgotten || here - seen[index]![1].since > leaseMs;
    });
  }

  async #abandon({ name, due, lease }: Row): Promise<boolean> {
    const table = this.#table;
    const key = [`${name}`, Number(due)] as const;
    return await table.transaction(async () => {
      const [row] = await table.query(
        `SELECT due FROM ${TICKS} WHERE name = ? AND due = ? AND running IS NOT NULL AND lease = ?` +
          table.sql.forUpdate,
        ...[...key, Number(lease)],
      );
      if (row === undefined) return false;
      await table.query(
        `UPDATE ${TICKS} SET state = 'abandoned', running = NULL, ended = ${table.sql.now} WHERE name = ? AND due = ?`,
        ...key,
      );
      return true;
    });
  }

  async claim(name: string, due: number, recordsSkip: boolean): Promise<Claim> {
    const table = this.#table;
    const [clock] = await table.query(`SELECT ${table.sql.now} AS now`);
    const now = Number(clock!.now);
    if (now < due) return "early";
    const rows = await table.query(
      `SELECT ${COLUMNS} FROM ${TICKS} WHERE name = ? AND ` +
        `(running IS NOT NULL OR due = (SELECT MAX(due) FROM ${TICKS} WHERE name = ? AND due <= ?))`,
      ...[name, name, now],
    );
    // The answer to an earlier claim was lost.
    if (rows.some((row) => this.#isMine(row, due))) return this.#start(name, due);
    // Those that are not due are of a time when the clock of the database was ahead.
    if (rows.some((row) => Number(row.due) >= due && Number(row.due) <= now)) return "taken";
    const isBusy = rows.some(({ running }) => running !== null);
    if (isBusy && !recordsSkip) return "taken";
    const [insert, end] = table.sql.insertNew; // Without an effect where another replica was faster.
    await table.query(
      `${insert} INTO ${TICKS} (name, due, state, running, replica, lease, started) VALUES ` +
        `(?, ?, ?, ?, ?, ${table.sql.now} + ?, ${table.sql.now})${end}`,
      ...[name, due, isBusy ? "skipped" : "running", isBusy ? null : name],
      ...[this.replica, this.lease * 1000],
    );
    const sql = `SELECT ${COLUMNS} FROM ${TICKS} WHERE name = ? AND due = ?`;
    const [row] = await table.query(sql, name, due);
    if (row === undefined || row.replica !== this.replica) return "taken";
    if (this.#isMine(row, due)) return this.#start(name, due);
    return row.state === "skipped" ? "skipped" : "taken";
  }

  #isMine(row: Row, due: number): boolean {
    return Number(row.due) === due && row.replica === this.replica && row.running !== null;
  }

  /** Once, also for claims at the same time. */
  #start(name: string, due: number): Claim {
    if (this.#started.get(name) === due) return "taken";
    this.#started.set(name, due);
    return "started";
  }

  async last(name: string): Promise<Tick | undefined> {
    const sql =
      `SELECT ${COLUMNS} FROM ${TICKS} WHERE name = ? AND due <= ${this.#table.sql.now} ` +
      "ORDER BY due DESC LIMIT 1";
    const [row] = await this.#table.query(sql, name);
    return row && tickOf(row);
  }

  async end({ name, due }: Tick, error?: string): Promise<void> {
    await this.#table.query(
      `UPDATE ${TICKS} SET state = ?, running = NULL, ended = ${this.#table.sql.now}, error = ? ` +
        "WHERE name = ? AND due = ? AND replica = ? AND running IS NOT NULL",
      ...[error === undefined ? "done" : "failed", error?.slice(0, 2000) ?? null],
      ...[name, due, this.replica],
    );
    if (this.#ended++ % 50 === 0) await this.#prune(name);
  }

  async #prune(name: string): Promise<void> {
    const [oldest] = await this.#table.query(
      `SELECT due FROM ${TICKS} WHERE name = ? ORDER BY due DESC LIMIT 1 OFFSET ${KEPT}`,
      name,
    );
    if (oldest === undefined) return;
    const sql = `DELETE FROM ${TICKS} WHERE name = ? AND due <= ? AND running IS NULL`;
    await this.#table.query(sql, name, Number(oldest.due));
  }
}

function tickOf({ name, due, state, started, ended, error }: Row): Tick {
  return {
    name: `${name}`,
    due: Number(due),
    state: state as Tick["state"],
    started: Number(started),
    ...(ended !== null && { ended: Number(ended) }),
    ...(error !== null && { error: `${error}` }),
  };
}
