import { Autowired, Component } from "irori";
import type { Pageable } from "irori/paging";
import { Database } from "../database/database.ts";
import { orderBy } from "../database/order_by.ts";
import type { Issue, IssueChange, IssueStatus } from "./issue.ts";

export type IssueField = "number" | "title" | "createdAt";

@Component()
export class IssueRepository {
  @Autowired(Database)
  private readonly database!: Database;

  async findAll(
    project: string,
    status: IssueStatus | undefined,
    page: Pageable<IssueField>,
  ): Promise<{ rows: Issue[]; total: number }> {
    const where = "WHERE project = $1 AND ($2::text IS NULL OR status = $2)";
    const rows = await this.database.query<Issue>(
      `SELECT ${COLUMNS} FROM issues ${where} ${orderBy(page, "id")} LIMIT $3 OFFSET $4`,
      project,
      status,
      page.size,
      page.offset,
    );
    const [counted] = await this.database.query<{ total: number }>(
      `SELECT count(*) AS total FROM issues ${where}`,
      project,
      status,
    );
    return { rows, total: counted?.total ?? 0 };
  }

  /** The next issues by number, for a reader of all issues. */
  async findAfter(
    project: string,
    number: number,
    count: number,
  ): Promise<Issue[]> {
    const sql = `SELECT ${COLUMNS} FROM issues WHERE project = $1 AND number > $2
      ORDER BY number LIMIT $3`;
    return await this.database.query<Issue>(sql, project, number, count);
  }

  async find(id: number): Promise<Issue | undefined> {
    const sql = `SELECT ${COLUMNS} FROM issues WHERE id = $1`;
    return (await this.database.query<Issue>(sql, id))[0];
  }

  async insert(
    { project, number, title, description, author }: Omit<
      Issue,
      "id" | "status" | "createdAt"
    >,
  ): Promise<Issue> {
    const [issue] = await this.database.query<Issue>(
      `INSERT INTO issues (project, number, title, description, author)
       VALUES ($1, $2, $3, $4, $5) RETURNING ${COLUMNS}`,
      project,
      number,
      title,
      description,
      author,
    );
    return issue!;
  }

  async update(
    id: number,
    { title, description, status }: IssueChange,
  ): Promise<Issue | undefined> {
    const [issue] = await this.database.query<Issue>(
      `UPDATE issues SET title = $2, description = $3, status = $4 WHERE id = $1
       RETURNING ${COLUMNS}`,
      id,
      title,
      description,
      status,
    );
    return issue;
  }

  /** @returns whether there was one */
  async delete(id: number): Promise<boolean> {
    const sql = "DELETE FROM issues WHERE id = $1 RETURNING id";
    return (await this.database.query(sql, id)).length > 0;
  }

  /** How many issues each author has written. */
  async authors(): Promise<{ author: string; issues: number }[]> {
    return await this.database.query(
      "SELECT author, count(*) AS issues FROM issues GROUP BY author ORDER BY author",
    );
  }
}

const COLUMNS =
  `id, project, number, title, description, status, author, created_at AS "createdAt"`;
