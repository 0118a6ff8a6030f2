import {
  Autowired,
  GetMapping,
  HttpError,
  HttpStatus,
  PathVariable,
  PostMapping,
  RequestBody,
  RequestMapping,
  RestController,
} from "irori";
import { RolesAllowed } from "irori/security";
import { current, Transactional } from "irori/transactions";
import * as z from "zod";
import { TenantTransactions } from "../tenants/tenant_transactions.ts";
import { NewNote, Note } from "./note.ts";

/** No statement names a tenant: the tables are those of the transaction's schema. */
@RestController()
@RequestMapping("/notes")
@RolesAllowed("member")
export class NoteController {
  @Autowired(TenantTransactions)
  private readonly database!: TenantTransactions;

  @PostMapping({ status: HttpStatus.CREATED, returns: Note }, RequestBody(NewNote))
  @Transactional()
  async add({ text }: NewNote): Promise<Note> {
    const insert = "INSERT INTO notes (text) VALUES ($1) RETURNING *";
    return (await current(this.database).query<Note>(insert, [text])).rows[0]!;
  }

  @GetMapping({ path: "", returns: z.array(Note) })
  @Transactional({ readOnly: true })
  async list(): Promise<Note[]> {
    return (await current(this.database).query<Note>("SELECT * FROM notes ORDER BY id")).rows;
  }

  @GetMapping({ path: "/{id}", returns: Note }, PathVariable("id", "int"))
  @Transactional({ readOnly: true })
  async get(id: number): Promise<Note> {
    // As BIGINT, a number beyond INTEGER finds nothing instead of failing.
    const select = "SELECT * FROM notes WHERE id = $1::BIGINT";
    const { rows: [note] } = await current(this.database).query<Note>(select, [id]);
    if (!note) throw new HttpError(HttpStatus.NOT_FOUND, `There is no note ${id}`);
    return note;
  }
}
