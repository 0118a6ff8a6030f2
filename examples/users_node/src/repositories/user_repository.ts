import { Component } from "irori";
import type { User } from "../user.ts";

/** Users in memory: lost when the process ends. */
@Component()
export class UserRepository {
  readonly #users = new Map<number, User>();
  #last = 0;

  findAll(): User[] {
    return [...this.#users.values()];
  }

  findById(id: number): User | undefined {
    return this.#users.get(id);
  }

  insert(user: User): User {
    user.id = ++this.#last;
    this.#users.set(user.id, user);
    return user;
  }

  delete(id: number): boolean {
    return this.#users.delete(id);
  }
}
