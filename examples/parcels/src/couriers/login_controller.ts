import { deleteCookie, setCookie } from "hono/cookie";
import {
  Autowired,
  type Config,
  type HttpRequest,
  HttpStatus,
  inject,
  PostMapping,
  RequestBody,
  RestController,
  Use,
} from "irori";
import { issueToken, PermitAll } from "irori/security";
import { LoginFailed } from "../problems.ts";
import { rateLimit } from "../rate_limit.ts";
import { RefreshTokens } from "./refresh_tokens.ts";
import { tokenSettings } from "./token_settings.ts";
import { Login, RefreshToken, Tokens, type User } from "./user.ts";
import { UserService } from "./user_service.ts";

const TOKENS = { returns: Tokens, problems: [LoginFailed] };

@RestController()
@PermitAll()
@Use(rateLimit(20))
export class LoginController {
  @Autowired(UserService)
  private readonly users!: UserService;
  @Autowired(RefreshTokens)
  private readonly refreshTokens!: RefreshTokens;
  private readonly settings = tokenSettings(inject<Config>("config"));

  @PostMapping({ path: "/login", ...TOKENS }, RequestBody(Login))
  async login({ name, password }: Login, request: HttpRequest): Promise<Tokens> {
    return await this.tokensFor(await this.users.verify(name, password), request);
  }

  @PostMapping({ path: "/refresh", ...TOKENS }, RequestBody(RefreshToken))
  async refresh({ refreshToken }: RefreshToken, request: HttpRequest): Promise<Tokens> {
    const refresh = await this.refreshTokens.use(refreshToken);
    const user = refresh && await this.users.find(refresh.user);
    if (!user) throw new LoginFailed();
    return await this.tokensFor(user, request, refresh.family);
  }

  @PostMapping({ path: "/logout", status: HttpStatus.NO_CONTENT }, RequestBody(RefreshToken))
  async logout({ refreshToken }: RefreshToken, { context }: HttpRequest): Promise<void> {
    await this.refreshTokens.endLogin(refreshToken);
    deleteCookie(context, "token", { prefix: "host" });
  }

  private async tokensFor(user: User, { context }: HttpRequest, family?: string): Promise<Tokens> {
    const maxAge = 900;
    const claims = { sub: user.name, roles: [user.role] };
    const token = await issueToken(this.settings, claims, { expiresIn: maxAge });
    setCookie(context, "token", token, { prefix: "host", httpOnly: true, sameSite: "Lax", maxAge });
    context.header("Cache-Control", "no-store");
    return { accessToken: token, refreshToken: await this.refreshTokens.issue(user.name, family) };
  }
}
