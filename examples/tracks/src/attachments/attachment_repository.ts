import { Autowired, Component } from "irori";
import { Database } from "../database/database.ts";
import type { Attachment } from "./attachment.ts";

@Component()
export class AttachmentRepository {
  @Autowired(Database)
  private readonly database!: Database;

  async findAll(issue: number): Promise<Attachment[]> {
    const sql = "SELECT * FROM attachments WHERE issue = $1 AND size IS NOT NULL ORDER BY name, id";
    return await this.database.query<Attachment>(sql, issue);
  }

  async find(id: string): Promise<Attachment | undefined> {
    const sql = "SELECT * FROM attachments WHERE id = $1 AND size IS NOT NULL";
    return (await this.database.query<Attachment>(sql, id))[0];
  }

  /**
   * Stores a file piece by piece as it arrives. It exists once it has a size: instead of a transaction, which would
   * hold a connection for as long as the client takes.
   */
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
    try {
      let number = 0, size = 0;
      for await (const bytes of content) {
        const sql = "INSERT INTO attachment_pieces VALUES ($1, $2, $3)";
        await this.database.query(sql, id, number++, bytes);
        size += bytes.length;
      }
      const sql = "UPDATE attachments SET size = $2 WHERE id = $1";
      await this.database.query(sql, id, size);
      return { id, issue, name, size, author };
    } catch (error) {
      await this.database.query("DELETE FROM attachments WHERE id = $1", id);
      throw error;
    }
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
