/** Refresh tokens in a table, as the guide on logins describes them. */
import {
  Autowired,
  Bean,
  bootstrap,
  Component,
  Configuration,
  GetMapping,
  HttpError,
  HttpStatus,
  inject,
  PostMapping,
  RequestBody,
  RestController,
} from "@irori/irori";
import { issueToken, jwt, type JwtOptions, PermitAll, security } from "@irori/irori/security";
import { current, SqliteTransactions, Transactional } from "@irori/irori/transactions";
import { assertEquals } from "@std/assert";
import { hash, randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";

const settings: JwtOptions = {
  issuer: "https://shop.example",
  audience: "shop",
  secret: "of an environment variable, 32 bytes or more",
};

@Configuration()
class Connections {
  @Bean({ type: DatabaseSync })
  database(): DatabaseSync {
    const database = new DatabaseSync(":memory:");
    database.exec(`CREATE TABLE refresh_tokens (
      digest     TEXT PRIMARY KEY,
      user       TEXT NOT NULL,
      family     TEXT NOT NULL,
      expires_at INTEGER NOT NULL DEFAULT (unixepoch() + 30 * 86400),
      is_used    INTEGER NOT NULL DEFAULT 0
    )`);
    return database;
  }

  @Bean({ type: SqliteTransactions })
  transactions(): SqliteTransactions {
    return new SqliteTransactions(inject(DatabaseSync));
  }
}

/** `family`: the tokens that follow from one login. */
type Refresh = { readonly user: string; readonly family: string };

/** The table has digests: a copy of it contains no token. */
@Component()
class RefreshTokens {
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

const Login = z.object({ name: z.string(), password: z.string() });
const Token = z.object({ refreshToken: z.string().max(100) });

@RestController()
class LoginController {
  @Autowired(RefreshTokens)
  private readonly tokens!: RefreshTokens;

  @PostMapping("/login", RequestBody(Login))
  @PermitAll()
  async login({ name, password }: z.infer<typeof Login>) {
    if (password !== "correct horse battery") throw new HttpError(401);
    return await this.tokensFor(name, await this.tokens.issue(name));
  }

  @PostMapping("/refresh", RequestBody(Token))
  @PermitAll()
  async refresh({ refreshToken }: z.infer<typeof Token>) {
    const refresh = await this.tokens.use(refreshToken);
    if (!refresh) throw new HttpError(401);
    return await this.tokensFor(
      refresh.user,
      await this.tokens.issue(refresh.user, refresh.family),
    );
  }

  @PostMapping({ path: "/logout", status: HttpStatus.NO_CONTENT }, RequestBody(Token))
  @PermitAll()
  async logout({ refreshToken }: z.infer<typeof Token>): Promise<void> {
    await this.tokens.endLogin(refreshToken);
  }

  @GetMapping("/me")
  me() {
    return "me";
  }

  private async tokensFor(name: string, refreshToken: string) {
    const accessToken = await issueToken(settings, { sub: name }, { expiresIn: 900 });
    return { accessToken, refreshToken };
  }
}

Deno.test("refresh tokens + one that is used twice, or a logout, ends the login", async () => {
  await using app = await bootstrap({
    components: [Connections, RefreshTokens, LoginController],
    extensions: [security({ schemes: { token: jwt(settings) } })],
  });
  const post = (path: string, body: unknown) =>
    app.request(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  const login = async () =>
    await (await post("/login", { name: "ada", password: "correct horse battery" })).json();

  const first = await login();
  const second = await (await post("/refresh", first)).json();
  const headers = { Authorization: `Bearer ${second.accessToken}` };
  assertEquals((await app.request("/me", { headers })).status, 200);
  // The first one is used again: the second one is revoked, too.
  assertEquals((await post("/refresh", first)).status, 401);
  assertEquals((await post("/refresh", second)).status, 401);

  const again = await login();
  assertEquals((await post("/logout", again)).status, 204);
  assertEquals((await post("/refresh", again)).status, 401);
});
