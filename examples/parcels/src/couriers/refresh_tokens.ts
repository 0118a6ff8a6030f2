import { Autowired, Component } from "irori";
import { current, SqliteTransactions, Transactional } from "irori/transactions";
import { hash, randomUUID } from "node:crypto";

/** `family`: the tokens that follow from one login. */
type Refresh = { readonly user: string; readonly family: string };

/** Refresh tokens, each of which can be used once. The table has digests: a copy of it has no token. */
@Component()
export class RefreshTokens {
  @Autowired(SqliteTransactions)
  private readonly database!: SqliteTransactions;

  async issue(user: string, family: string = randomUUID()): Promise<string> {
    const token = randomUUID() + randomUUID();
    const sql = "INSERT INTO refresh_tokens (digest, user, family) VALUES (?, ?, ?)";
    await current(this.database).run(sql, hash("sha256", token), user, family);
    return token;
  }

  /** A token that is used a second time ends its login: a thief has used it, or its owner after the thief. */
  @Transactional()
  async use(token: string): Promise<Refresh | undefined> {
    const sql = `UPDATE refresh_tokens SET is_used = 1
      WHERE digest = ? AND NOT is_used AND expires_at > unixepoch() RETURNING user, family`;
    const refresh = await current(this.database).get<Refresh>(sql, hash("sha256", token));
    if (!refresh) await this.endLogin(token); // An error would roll this back.
    return refresh;
  }

  async endLogin(token: string): Promise<void> {
    const sql = `DELETE FROM refresh_tokens
      WHERE family = (SELECT family FROM refresh_tokens WHERE digest = ?)`;
    await current(this.database).run(sql, hash("sha256", token));
  }
}
