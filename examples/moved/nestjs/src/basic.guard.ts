import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  UnauthorizedException,
} from "@nestjs/common";
import { Reflector } from "@nestjs/core";
import type { User } from "./access.js";

const USERS = new Map<string, User>([
  ["ada:engine", { name: "ada", roles: ["user", "admin"] }],
  ["grace:cobol", { name: "grace", roles: ["user"] }],
]);

@Injectable()
export class BasicGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const places = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride("public", places)) return true;
    const request = context.switchToHttp().getRequest();
    const [, credentials = ""] = /^Basic (.+)$/.exec(request.headers.authorization ?? "") ?? [];
    request.user = USERS.get(Buffer.from(credentials, "base64").toString());
    if (!request.user) throw new UnauthorizedException();
    return true;
  }
}
