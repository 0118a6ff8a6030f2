import { Autowired, type Config, inject, PostConstruct, Service } from "irori";
import { hashPassword, needsRehash, verifyPassword } from "irori/passwords";
import { current, SqliteTransactions } from "irori/transactions";
import { LoginFailed } from "../problems.ts";
import type { User } from "./user.ts";

@Service()
export class UserService {
  @Autowired(SqliteTransactions)
  private readonly database!: SqliteTransactions;
  private readonly config = inject<Config>("config");

  /** The first user, who adds the couriers. */
  @PostConstruct()
  async addDispatcher(): Promise<void> {
    if (await this.find("dispatcher")) return;
    await this.add("dispatcher", "dispatcher", this.config.required("dispatcher.password"));
  }

  async find(name: string): Promise<User | undefined> {
    return await current(this.database).get<User>("SELECT * FROM users WHERE name = ?", name);
  }

  /** @returns whether the name was free */
  async add(name: string, role: User["role"], password: string): Promise<boolean> {
    const sql = "INSERT INTO users VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING name";
    const hash = await hashPassword(password);
    return await current(this.database).get(sql, name, role, hash) !== undefined;
  }

  /** @throws {LoginFailed} for an unknown name as for a wrong password, after the same time */
  async verify(name: string, password: string): Promise<User> {
    const user = await this.find(name);
    if (!await verifyPassword(password, user?.hash) || !user) throw new LoginFailed();
    if (needsRehash(user.hash)) {
      const sql = "UPDATE users SET hash = ? WHERE name = ?";
      await current(this.database).run(sql, await hashPassword(password), name);
    }
    return user;
  }
}
