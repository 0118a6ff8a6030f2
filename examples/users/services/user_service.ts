import { Autowired, Service } from "@irori/irori";
import { ChangeFailed, EmailTaken, UserNotFound } from "../errors.ts";
import { UserRepository } from "../repositories/user_repository.ts";
import type { User } from "../user.ts";

@Service()
export class UserService {
  @Autowired(UserRepository)
  private readonly repository!: UserRepository;

  findAll(): User[] {
    return this.repository.findAll();
  }

  /** @throws {UserNotFound} */
  findById(id: number): User {
    return found(this.repository.findById(id), `User ${id} was not found`);
  }

  /** @throws {UserNotFound} */
  findByEmail(email: string): User {
    return found(
      this.repository.findByEmail(email),
      `No user with the email ${email} was found`,
    );
  }

  /** @throws {EmailTaken | ChangeFailed} */
  create(user: User): User {
    if (this.repository.findByEmail(user.getEmail())) throw new EmailTaken(user.getEmail());
    return attempt("create the user", () => this.repository.insert(user));
  }

  /** @throws {UserNotFound | EmailTaken | ChangeFailed} */
  update(id: number, user: User): User {
    this.findById(id);
    const owner = this.repository.findByEmail(user.getEmail());
    if (owner && owner.id !== id) throw new EmailTaken(user.getEmail());
    return attempt("update the user", () => this.repository.update(user.setId(id)));
  }

  /** @throws {UserNotFound | ChangeFailed} */
  delete(id: number): void {
    const deleted = attempt("delete the user", () => this.repository.delete(id));
    if (!deleted) throw new UserNotFound(`User ${id} was not found`);
  }
}

function found(user: User | undefined, message: string): User {
  if (user) return user;
  throw new UserNotFound(message);
}

function attempt<T>(what: string, change: () => T): T {
  try {
    return change();
  } catch (error) {
    throw new ChangeFailed(what, error);
  }
}
