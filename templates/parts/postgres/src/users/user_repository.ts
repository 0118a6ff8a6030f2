import { Autowired, Component } from "irori";
import { current, PgTransactions } from "irori/transactions";
import type { NewUser, User } from "./user.ts";

/** Users in a table of PostgreSQL, which `migrations/main` creates. */
@Component()
export class UserRepository {
  @Autowired(PgTransactions)
  private readonly database!: PgTransactions;

  async findAll(): Promise<User[]> {
    const { rows } = await current(this.database).query<User>(
      "SELECT id, name, email FROM users ORDER BY id",
    );
    return rows;
  }

  async findById(id: number): Promise<User | undefined> {
    // As BIGINT, a number beyond INTEGER finds nothing instead of failing.
    const { rows } = await current(this.database).query<User>(
      "SELECT id, name, email FROM users WHERE id = $1::BIGINT",
      [id],
    );
    return rows[0];
  }

  /** @returns the user with its id, or `undefined` where another has the email */
  async insert({ name, email }: NewUser): Promise<User | undefined> {
    const { rows } = await current(this.database).query<User>(
      "INSERT INTO users (name, email) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id, name, email",
      [name, email],
    );
    return rows[0];
  }
}
