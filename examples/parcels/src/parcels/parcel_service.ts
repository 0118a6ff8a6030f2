import { Autowired, Service } from "irori";
import type { IfMatch } from "irori/conditional";
import { currentUser } from "irori/security";
import { afterCommit, current, SqliteTransactions, Transactional } from "irori/transactions";
import { EventEmitter, on } from "node:events";
import { ParcelNotFound } from "../problems.ts";
import type { NewEvent, Parcel, ParcelEvent } from "./parcel.ts";

@Service()
export class ParcelService {
  @Autowired(SqliteTransactions)
  private readonly database!: SqliteTransactions;
  private readonly emitter = new EventEmitter().setMaxListeners(0);

  async announce(address: string): Promise<Parcel> {
    const sql = "INSERT INTO parcels (address) VALUES (?) RETURNING *";
    return (await current(this.database).get<Parcel>(sql, address))!;
  }

  /** @throws {ParcelNotFound} */
  async get(id: number): Promise<Parcel> {
    const sql = "SELECT * FROM parcels WHERE id = ?";
    return found(await current(this.database).get<Parcel>(sql, id));
  }

  /**
   * Changes the address, unless the parcel has changed since the client read it.
   *
   * @throws {ParcelNotFound}
   */
  @Transactional()
  async redirect(id: number, address: string, ifMatch: IfMatch): Promise<Parcel> {
    ifMatch.check((await this.get(id)).version);
    return await this.update(id, "address", address);
  }

  /**
   * Records what the current user has done with a parcel. Followers receive it after the commit.
   *
   * @throws {ParcelNotFound}
   */
  @Transactional()
  async record(id: number, type: NewEvent["type"]): Promise<ParcelEvent> {
    await this.update(id, "status", type);
    const courier = currentUser()?.name ?? "";
    const sql = "INSERT INTO events (parcel, type, courier) VALUES (?, ?, ?) RETURNING *";
    const event = (await current(this.database).get<ParcelEvent>(sql, id, type, courier))!;
    afterCommit(() => this.emitter.emit(`${id}`, event));
    return event;
  }

  /**
   * The events after an id, and then those to come, until the signal is aborted.
   *
   * @throws {ParcelNotFound}
   */
  async *follow(id: number, after: number, signal: AbortSignal): AsyncGenerator<ParcelEvent> {
    await this.get(id);
    const coming = on(this.emitter, `${id}`, { signal });
    const sql = "SELECT * FROM events WHERE parcel = ? AND id > ? ORDER BY id";
    for (const event of await current(this.database).all<ParcelEvent>(sql, id, after)) {
      yield event;
      after = event.id;
    }
    try {
      for await (const [event] of coming) if (event.id > after) yield event;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  private async update(id: number, column: "address" | "status", value: string) {
    const sql = `UPDATE parcels SET ${column} = ?, version = version + 1 WHERE id = ? RETURNING *`;
    return found(await current(this.database).get<Parcel>(sql, value, id));
  }
}

function found(parcel: Parcel | undefined): Parcel {
  if (!parcel) throw new ParcelNotFound();
  return parcel;
}
