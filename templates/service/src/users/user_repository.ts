import { Component, type Config, inject, PreDestroy } from "irori";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { NewUser, User } from "./user.ts";

/** Users in a SQLite table, which `migrations/main` creates. */
@Component()
export class UserRepository {
  readonly #database: DatabaseSync;

  constructor(config: Config = inject<Config>("config")) {
    this.#database = new DatabaseSync(
      resolve(config.root, config.string("database.file", "app.db")),
    );
    // Where another process writes, too.
    this.#database.exec("PRAGMA busy_timeout = 5000");
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

  /** @returns the user with its id, or `undefined` where another has the email */
  insert({ name, email }: NewUser): User | undefined {
    const row = this.#database.prepare(
      "INSERT INTO users (name, email) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id, name, email",
    ).get(name, email);
    return row && toUser(row);
  }

  @PreDestroy()
  close(): void {
    this.#database.close();
  }
}

function toUser({ id, name, email }: Record<string, unknown>): User {
  return { id: Number(id), name: String(name), email: String(email) };
}
