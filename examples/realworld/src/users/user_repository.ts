import { Autowired, Component, HttpStatus } from "irori";
import { current, sqlStateOf } from "irori/transactions";
import { Database } from "../database/database.ts";
import type { NewUsers, Users, UsersUpdate } from "../database/tables.ts";
import { ApiError } from "../errors/api_error.ts";

export type StoredUser = Users;

@Component()
export class UserRepository {
  @Autowired(Database)
  private readonly database!: Database;

  async find(id: string): Promise<StoredUser | undefined> {
    return await current(this.database).selectFrom("users").selectAll()
      .where("id", "=", id).executeTakeFirst();
  }

  async findByEmail(email: string): Promise<StoredUser | undefined> {
    return await current(this.database).selectFrom("users").selectAll()
      .where("email", "=", email).executeTakeFirst();
  }

  /** @throws {ApiError} 409 */
  async insert(user: NewUsers): Promise<StoredUser | undefined> {
    return await current(this.database).insertInto("users").values(user)
      .returningAll().executeTakeFirst().catch(refuseTaken);
  }

  /** @throws {ApiError} 409 */
  async update(id: string, change: UsersUpdate): Promise<StoredUser | undefined> {
    return await current(this.database).updateTable("users").set(change).where("id", "=", id)
      .returningAll().executeTakeFirst().catch(refuseTaken);
  }
}

/** The constraints decide: of two requests at once, both could find a name free. */
function refuseTaken(error: Error & { readonly constraint?: string }): never {
  if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
  const field = error.constraint === "users_email_key" ? "email" : "username";
  throw new ApiError(HttpStatus.CONFLICT, field, "has already been taken");
}

const UNIQUE_VIOLATION = "23505";
