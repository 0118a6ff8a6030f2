import { Component, type Config, inject, PreDestroy } from "@irori/irori";
import { DatabaseSync } from "node:sqlite";
import { resolve } from "@std/path";
import { User } from "../user.ts";

/** Users in a SQLite table; its migrations are in `migrations/main`. */
@Component()
export class UserRepository {
  readonly #database: DatabaseSync;

  constructor(config: Config = inject<Config>("config")) {
    const path = resolve(config.root, config.string("users.database", "users.db"));
    this.#database = new DatabaseSync(path);
  }

  findAll(): User[] {
    return this.#database.prepare("SELECT id, name, email FROM users ORDER BY id").all().map(
      toUser,
    );
  }

  findById(id: number): User | undefined {
    const row = this.#database.prepare("SELECT id, name, email FROM users WHERE id = ?").get(id);
    return row && toUser(row);
  }

  findByEmail(email: string): User | undefined {
    const row = this.#database.prepare("SELECT id, name, email FROM users WHERE email = ?")
      .get(email);
    return row && toUser(row);
  }

  insert(user: User): User {
    const { lastInsertRowid } = this.#database
      .prepare("INSERT INTO users (name, email) VALUES (?, ?)").run(user.name, user.email);
    return user.setId(Number(lastInsertRowid));
  }

  update(user: User): User {
    this.#database.prepare("UPDATE users SET name = ?, email = ? WHERE id = ?")
      .run(user.name, user.email, user.id ?? null);
    return user;
  }

  delete(id: number): boolean {
    return this.#database.prepare("DELETE FROM users WHERE id = ?").run(id).changes > 0;
  }

  @PreDestroy()
  close(): void {
    this.#database.close();
  }
}

function toUser(row: Record<string, unknown>): User {
  return Object.assign(new User(), row);
}
