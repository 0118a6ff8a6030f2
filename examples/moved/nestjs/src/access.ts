import { createParamDecorator, type ExecutionContext, SetMetadata } from "@nestjs/common";

export interface User {
  name: string;
  roles: string[];
}

export const Public = () => SetMetadata("public", true);
export const Roles = (...roles: string[]) => SetMetadata("roles", roles);
export const CurrentUser = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest().user,
);
