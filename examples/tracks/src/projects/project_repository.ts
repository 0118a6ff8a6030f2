import { Autowired, Component } from "irori";
import type { Pageable } from "irori/paging";
import { Database } from "../database/database.ts";
import { orderBy } from "../database/order_by.ts";
import type { NewProject, Project, ProjectStatistics } from "./project.ts";

export type ProjectField = "key" | "name" | "createdAt";

@Component()
export class ProjectRepository {
  @Autowired(Database)
  private readonly database!: Database;

  async findAll(
    page: Pageable<ProjectField>,
  ): Promise<{ rows: Project[]; total: number }> {
    const rows = await this.database.query<Project>(
      `SELECT ${COLUMNS} FROM projects ${orderBy(page, "key")} LIMIT $1 OFFSET $2`,
      page.size,
      page.offset,
    );
    const [counted] = await this.database.query<{ total: number }>(
      "SELECT count(*) AS total FROM projects",
    );
    return { rows, total: counted?.total ?? 0 };
  }

  async find(key: string): Promise<Project | undefined> {
    const sql = `SELECT ${COLUMNS} FROM projects WHERE key = $1`;
    return (await this.database.query<Project>(sql, key))[0];
  }

  /** @returns `undefined` where there is one of this key */
  async insert({ key, name }: NewProject): Promise<Project | undefined> {
    const sql = `INSERT INTO projects (key, name) VALUES ($1, $2)
      ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`;
    return (await this.database.query<Project>(sql, key, name))[0];
  }

  /** With everything in it. @returns whether there was one */
  async delete(key: string): Promise<boolean> {
    const sql = "DELETE FROM projects WHERE key = $1 RETURNING key";
    return (await this.database.query(sql, key)).length > 0;
  }

  async statistics(key: string): Promise<ProjectStatistics | undefined> {
    const [found] = await this.database.query<ProjectStatistics>(
      `SELECT count(issues) FILTER (WHERE status = 'open') AS open,
              count(issues) FILTER (WHERE status = 'closed') AS closed
       FROM projects LEFT JOIN issues ON project = key WHERE key = $1 GROUP BY key`,
      key,
    );
    return found;
  }

  /** The next number for an issue. The project is locked until the transaction ends. */
  async nextNumber(key: string): Promise<number | undefined> {
    const [project] = await this.database.query<{ number: number }>(
      `UPDATE projects SET last_issue = last_issue + 1 WHERE key = $1
       RETURNING last_issue AS number`,
      key,
    );
    return project?.number;
  }
}

const COLUMNS = `key, name, created_at AS "createdAt"`;
