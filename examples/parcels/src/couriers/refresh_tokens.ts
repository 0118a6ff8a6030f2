import { Autowired, Component } from "irori";
import { current, SqliteTransactions, Transactional } from "irori/transactions";
import { createHash } from "node:crypto";

const DAYS = 86_400_000;

/** What a valid token says. */
interface Login {
  readonly user: string;
  /** All tokens that follow from one login. */
  readonly family: string;
}

/** Refresh tokens, each of which can be used once. The table has digests: a copy of it has no token. */
@Component()
export class RefreshTokens {
  @Autowired(SqliteTransactions)
  private readonly database!: SqliteTransactions;

  async issue(user: string, family: string = crypto.randomUUID()): Promise<string> {
    const token = crypto.randomUUID() + crypto.randomUUID();
    const sql = "INSERT INTO refresh_tokens (digest, user, family, expires_at) VALUES (?, ?, ?, ?)";
    await current(this.database).run(sql, digestOf(token), user, family, Date.now() + 30 * DAYS);
    return token;
  }

  /** A token that is used a second time ends its login: a thief has used it, or its owner after the thief. */
  @Transactional()
  async use(token: string): Promise<Login | undefined> {
    const sql = `UPDATE refresh_tokens SET is_used = 1
      WHERE digest = ? AND NOT is_used AND expires_at > ? RETURNING user, family`;
    const login = await current(this.database).get<Login>(sql, digestOf(token), Date.now());
    // Not an error, which would roll the end of the login back.
    if (!login) await this.endLogin(token);
    return login;
  }

  async endLogin(token: string): Promise<void> {
    const sql = `DELETE FROM refresh_tokens
      WHERE family = (SELECT family FROM refresh_tokens WHERE digest = ?)`;
    await current(this.database).run(sql, digestOf(token));
  }
}

function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}
