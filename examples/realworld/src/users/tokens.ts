import { Component, type Config, inject } from "irori";
import { issueToken, type JwtOptions, type Principal } from "irori/security";

/** The sender of a request. The id of a user never changes; names and addresses do. */
export interface CurrentUserId extends Principal {
  readonly id: string;
}

/** How tokens are issued, and verified: `Authorization: Token …`. */
export const tokenSettings = (config: Config): JwtOptions => ({
  issuer: "https://conduit.example",
  audience: "conduit",
  secret: config.string("jwt.secret"), // Without one the application does not start; `irori contract` needs none.
  scheme: "Token",
  knownRoles: [],
  user: ({ sub }): CurrentUserId => ({ name: String(sub), id: String(sub) }),
});

@Component()
export class Tokens {
  private readonly settings = tokenSettings(inject<Config>("config"));

  async issue(userId: string): Promise<string> {
    return await issueToken(this.settings, { sub: userId }, { expiresIn: DAY });
  }
}

const DAY = 86_400;
