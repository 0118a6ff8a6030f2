import { Component, type Config, inject } from "irori";
import { issueToken, type JwtOptions } from "irori/security";
import type { Caller } from "./caller.ts";

/** How tokens are issued, and verified: `Authorization: Token …`. */
export const tokenSettings = (config: Config): JwtOptions => ({
  issuer: "https://conduit.example",
  audience: "conduit",
  secret: config.string("jwt.secret"), // Without one the application does not start; `irori contract` needs none.
  scheme: "Token",
  knownRoles: [],
  user: ({ sub }): Caller => ({ name: String(sub), id: String(sub) }),
});

@Component()
export class Tokens {
  private readonly settings = tokenSettings(inject<Config>("config"));

  async issue(userId: string): Promise<string> {
    return await issueToken(this.settings, { sub: userId }, { expiresIn: DAY });
  }
}

const DAY = 86_400;
