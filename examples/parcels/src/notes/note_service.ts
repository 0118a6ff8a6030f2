import { Autowired, type Config, inject, PostConstruct, Service } from "irori";
import {
  afterCommit,
  afterRollback,
  current,
  SqliteTransactions,
  Transactional,
} from "irori/transactions";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Writable } from "node:stream";
import { ParcelService } from "../parcels/parcel_service.ts";

@Service()
export class NoteService {
  @Autowired(ParcelService)
  private readonly parcels!: ParcelService;
  @Autowired(SqliteTransactions)
  private readonly database!: SqliteTransactions;
  private readonly config = inject<Config>("config");
  readonly folder: string = resolve(this.config.root, this.config.required("parcels.notes"));

  @PostConstruct()
  async createFolder(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
  }

  /** @returns the name of the file */
  async find(parcel: number): Promise<string | undefined> {
    const sql = "SELECT file FROM delivery_notes WHERE parcel = ?";
    return (await current(this.database).get<{ file: string }>(sql, parcel))?.file;
  }

  /** The transaction begins when the file is stored: it does not wait for a slow client. */
  async replace(parcel: number, content: ReadableStream<Uint8Array>): Promise<void> {
    const file = `${crypto.randomUUID()}.pdf`;
    try {
      await content.pipeTo(Writable.toWeb(createWriteStream(join(this.folder, file))));
    } catch (error) {
      await this.delete(file);
      throw error;
    }
    await this.assign(parcel, file);
  }

  @Transactional()
  private async assign(parcel: number, file: string): Promise<void> {
    afterRollback(() => this.delete(file));
    await this.parcels.get(parcel);
    const previous = await this.find(parcel);
    if (previous !== undefined) afterCommit(() => this.delete(previous));
    const sql = `INSERT INTO delivery_notes VALUES (?, ?)
      ON CONFLICT DO UPDATE SET file = excluded.file`;
    await current(this.database).run(sql, parcel, file);
  }

  private async delete(file: string): Promise<void> {
    await rm(join(this.folder, file), { force: true });
  }
}
