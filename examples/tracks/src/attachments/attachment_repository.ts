import { Autowired, Component } from "irori";
import { Database } from "../database/database.ts";
import { Transactional } from "../database/transactional.ts";
import type { Attachment } from "./attachment.ts";

@Component()
export class AttachmentRepository {
  @Autowired(Database)
  private readonly database!: Database;

  async findAll(issue: number): Promise<Attachment[]> {
    const sql = "SELECT * FROM attachments WHERE issue = $1 ORDER BY name, id";
    return await this.database.query<Attachment>(sql, issue);
  }

  async find(id: string): Promise<Attachment | undefined> {
    const sql = "SELECT * FROM attachments WHERE id = $1";
    return (await this.database.query<Attachment>(sql, id))[0];
  }

  /** Keeps a file piece by piece as it arrives; where the client breaks off, nothing of it is kept. */
  @Transactional()
  async insert(
    { issue, name, author }: Pick<Attachment, "issue" | "name" | "author">,
    content: AsyncIterable<Uint8Array>,
  ): Promise<Attachment> {
    const [{ id } = { id: "" }] = await this.database.query<Attachment>(
      "INSERT INTO attachments (issue, name, author) VALUES ($1, $2, $3) RETURNING id",
      issue,
      name,
      author,
    );
    let number = 0;
    for await (const bytes of content) {
      const sql = "INSERT INTO attachment_pieces VALUES ($1, $2, $3)";
      await this.database.query(sql, id, number++, bytes);
    }
    const [attachment] = await this.database.query<Attachment>(
      `UPDATE attachments SET size =
         (SELECT coalesce(sum(length(bytes)), 0) FROM attachment_pieces WHERE attachment = $1)
       WHERE id = $1 RETURNING *`,
      id,
    );
    return attachment!;
  }

  /** Piece by piece, as fast as they are taken. */
  async *content(id: string): AsyncGenerator<Uint8Array> {
    const sql = "SELECT bytes FROM attachment_pieces WHERE attachment = $1 AND number = $2";
    for (let number = 0;; number++) {
      const [piece] = await this.database.query<{ bytes: Uint8Array }>(
        sql,
        id,
        number,
      );
      if (!piece) return;
      yield piece.bytes;
    }
  }
}
