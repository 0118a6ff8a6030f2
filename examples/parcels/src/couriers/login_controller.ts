import { deleteCookie, setCookie } from "hono/cookie";
import type { CookieOptions } from "hono/utils/cookie";
import { rateLimiter } from "hono-rate-limiter";
import {
  Autowired,
  type Config,
  HttpError,
  HttpRequest,
  HttpStatus,
  inject,
  PostMapping,
  RequestBody,
  ResponseEntity,
  RestController,
  Use,
} from "irori";
import { issueToken, PermitAll } from "irori/security";
import { RefreshTokens } from "./refresh_tokens.ts";
import { tokenSettings } from "./token_settings.ts";
import { Login, RefreshToken, Tokens, type User } from "./user.ts";
import { UserService } from "./user_service.ts";
import * as z from "zod";

const COOKIE = "__Host-token";
const OPTIONS: CookieOptions = { secure: true, path: "/", httpOnly: true, sameSite: "Lax" };

const perAddress = rateLimiter({
  windowMs: 60_000,
  limit: 20,
  keyGenerator: (context) => new HttpRequest(context).clientAddress ?? "",
});

@RestController()
@PermitAll()
@Use(perAddress)
export class LoginController {
  @Autowired(UserService)
  private readonly users!: UserService;
  @Autowired(RefreshTokens)
  private readonly refreshTokens!: RefreshTokens;
  private readonly settings = tokenSettings(inject<Config>("config"));

  @PostMapping(
    { path: "/login", returns: Tokens, problems: [HttpStatus.UNAUTHORIZED] },
    RequestBody(Login),
  )
  async login({ name, password }: Login, request: HttpRequest) {
    const user = await this.users.verified(name, password);
    if (!user) throw new HttpError(401, "Unknown name or password");
    return await this.tokensFor(user, request);
  }

  @PostMapping(
    { path: "/refresh", returns: Tokens, problems: [HttpStatus.UNAUTHORIZED] },
    RequestBody(RefreshToken),
  )
  async refresh({ refreshToken }: RefreshToken, request: HttpRequest) {
    const used = await this.refreshTokens.use(refreshToken);
    const user = used && await this.users.find(used.user);
    if (!user) throw new HttpError(401, "Unknown refresh token");
    return await this.tokensFor(user, request, used.family);
  }

  @PostMapping(
    { path: "/logout", status: HttpStatus.NO_CONTENT, returns: z.void() },
    RequestBody(RefreshToken),
  )
  async logout({ refreshToken }: RefreshToken, { context }: HttpRequest): Promise<void> {
    await this.refreshTokens.endLogin(refreshToken);
    deleteCookie(context, COOKIE, OPTIONS);
  }

  private async tokensFor({ name, role }: User, { context }: HttpRequest, family?: string) {
    const expiresIn = 900;
    const claims = { sub: name, roles: [role] };
    const accessToken = await issueToken(this.settings, claims, { expiresIn });
    setCookie(context, COOKIE, accessToken, { ...OPTIONS, maxAge: expiresIn });
    const refreshToken = await this.refreshTokens.issue(name, family);
    return ResponseEntity.ok().withHeader("Cache-Control", "no-store")
      .withJson({ accessToken, refreshToken, expiresIn });
  }
}
