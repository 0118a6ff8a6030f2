import { Autowired, type Config, inject, PostConstruct, Service } from "irori";
import { hashPassword, needsRehash, verifyPassword } from "irori/passwords";
import { current, SqliteTransactions } from "irori/transactions";
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

  /** @returns `undefined` for an unknown name or a wrong password */
  async verified(name: string, password: string): Promise<User | undefined> {
    const user = await this.find(name);
    if (!await verifyPassword(password, user?.hash)) return undefined;
    if (user && needsRehash(user.hash)) {
      const sql = "UPDATE users SET hash = ? WHERE name = ?";
      await current(this.database).run(sql, await hashPassword(password), name);
    }
    return user;
  }
}
