import { Autowired, Service } from "@irori/irori";
import { UserRepository } from "../repositories/user_repository.ts";
import type { User } from "../user.ts";

@Service()
export class UserService {
  @Autowired(UserRepository)
  private readonly repository!: UserRepository;

  findAll(): User[] {
    return this.repository.findAll();
  }

  findById(id: number): User | undefined {
    return this.repository.findById(id);
  }

  findByEmail(email: string): User | undefined {
    return this.repository.findByEmail(email);
  }

  create(user: User): User {
    return this.repository.insert(user);
  }

  update(user: User): User {
    return this.repository.update(user);
  }

  delete(id: number): boolean {
    return this.repository.delete(id);
  }
}
