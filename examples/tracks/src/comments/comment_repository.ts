import { Autowired, Component } from "irori";
import type { Pageable } from "irori/paging";
import { Database } from "../database/database.ts";
import type { Comment } from "./comment.ts";

@Component()
export class CommentRepository {
  @Autowired(Database)
  private readonly database!: Database;

  /** One more than a page has, where there is one: that says whether there is another page. */
  async findAll(issue: number, { size, offset }: Pageable): Promise<Comment[]> {
    const sql = `SELECT ${COLUMNS} FROM comments WHERE issue = $1 ORDER BY id LIMIT $2 OFFSET $3`;
    return await this.database.query<Comment>(sql, issue, size + 1, offset);
  }

  async find(id: number): Promise<Comment | undefined> {
    const sql = `SELECT ${COLUMNS} FROM comments WHERE id = $1`;
    return (await this.database.query<Comment>(sql, id))[0];
  }

  async insert(issue: number, author: string, text: string): Promise<Comment> {
    const sql =
      `INSERT INTO comments (issue, author, text) VALUES ($1, $2, $3) RETURNING ${COLUMNS}`;
    return (await this.database.query<Comment>(sql, issue, author, text))[0]!;
  }

  async delete(id: number): Promise<void> {
    await this.database.query("DELETE FROM comments WHERE id = $1", id);
  }
}

const COLUMNS = `id, issue, author, text, created_at AS "createdAt"`;
