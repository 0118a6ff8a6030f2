import { Component } from "@irori/irori";
import { User } from "../../../examples/users/user.ts";

/** The users in memory, in place of the repository of the example: edge isolates have no files. */
@Component()
export class UserRepository {
  readonly #users = new Map<number, User>();
  #last = 0;

  constructor() {
    for (const name of ["Ada", "Alan"]) {
      const email = `${name.toLowerCase()}@example.com`;
      this.insert(Object.assign(new User(), { id: 0, name, email }));
    }
  }

  findAll(): User[] {
    return [...this.#users.values()];
  }

  findById(id: number): User | undefined {
    return this.#users.get(id);
  }

  findByEmail(email: string): User | undefined {
    return this.findAll().find((user) => user.email === email);
  }

  insert(user: User): User {
    return this.update(user.setId(++this.#last));
  }

  update(user: User): User {
    this.#users.set(user.id!, user);
    return user;
  }

  delete(id: number): boolean {
    return this.#users.delete(id);
  }
}
