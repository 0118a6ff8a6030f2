import { Autowired, HttpError, HttpStatus, Service } from "irori";
import { hashPassword, needsRehash, verifyPassword } from "irori/passwords";
import { ApiError } from "../errors/api_error.ts";
import { Tokens } from "./tokens.ts";
import type { Login, NewUser, User, UserChange } from "./user.ts";
import { type StoredUser, UserRepository } from "./user_repository.ts";

@Service()
export class UserService {
  @Autowired(UserRepository)
  private readonly users!: UserRepository;
  @Autowired(Tokens)
  private readonly tokens!: Tokens;

  /** @throws {ApiError} 409 for a name or an address that another user has */
  async register({ username, email, password }: NewUser): Promise<User> {
    const password_hash = await hashPassword(password);
    return await this.withToken(
      await this.users.insert({ username, email, password_hash }),
    );
  }

  /** @throws {ApiError} 401, for an unknown address as for a wrong password, after the same time */
  async login({ email, password }: Login): Promise<User> {
    const user = await this.users.findByEmail(email);
    if (!await verifyPassword(password, user?.password_hash) || !user) {
      throw new ApiError(HttpStatus.UNAUTHORIZED, "credentials", "invalid");
    }
    if (needsRehash(user.password_hash)) {
      await this.users.update(user.id, {
        password_hash: await hashPassword(password),
      });
    }
    return await this.withToken(user);
  }

  async get(id: string): Promise<User> {
    return await this.withToken(await this.users.find(id));
  }

  /** @throws {ApiError} 409 for a name or an address that another user has */
  async change(id: string, { password, ...change }: UserChange): Promise<User> {
    const password_hash = password && await hashPassword(password);
    const columns = password_hash ? { ...change, password_hash } : change;
    return await this.withToken(await this.users.update(id, columns));
  }

  private async withToken(user: StoredUser | undefined): Promise<User> {
    // The token is valid, but its user was deleted.
    if (!user) throw new HttpError(HttpStatus.UNAUTHORIZED);
    const { id, email, username, bio, image } = user;
    return { email, username, bio, image, token: await this.tokens.issue(id) };
  }
}
