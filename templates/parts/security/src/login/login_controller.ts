import {
  type Config,
  HttpError,
  HttpStatus,
  inject,
  Model,
  PostConstruct,
  PostMapping,
  RequestBody,
  ResponseEntity,
  RestController,
} from "irori";
import { hashPassword, verifyPassword } from "irori/passwords";
import { issueToken, PermitAll } from "irori/security";
import * as z from "zod";
import { tokensOf } from "./access.ts";

export class Login extends Model(
  z.object({
    name: z.string().max(100),
    password: z.string().min(1).max(1024),
  }),
) {}

/** One user, whose password is in the configuration. Store more users in a table, with hashes of their passwords. */
@RestController()
export class LoginController {
  readonly #config: Config;
  #hash = "";

  constructor(config: Config = inject<Config>("config")) {
    this.#config = config;
  }

  @PostConstruct()
  async hash(): Promise<void> {
    let password = this.#config.string("admin.password", "");
    if (password === "") {
      password = crypto.randomUUID();
      console.warn(`ADMIN_PASSWORD is not set: until the next start, 'admin' has ${password}`);
    }
    this.#hash = await hashPassword(password);
  }

  @PostMapping("/login", RequestBody(Login))
  @PermitAll()
  async login({ name, password }: Login) {
    if (!await verifyPassword(password, name === "admin" ? this.#hash : undefined)) {
      throw new HttpError(HttpStatus.UNAUTHORIZED, "Unknown name or password");
    }
    const expiresIn = 900;
    const claims = { sub: name, roles: ["admin"] };
    const accessToken = await issueToken(tokensOf(this.#config), claims, { expiresIn });
    // No cache may keep tokens (RFC 6749, 5.1).
    return ResponseEntity.ok().withHeader("Cache-Control", "no-store")
      .withJson({ accessToken, expiresIn });
  }
}
