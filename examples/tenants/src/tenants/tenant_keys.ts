import { Autowired, type HttpRequest } from "irori";
import { type AuthenticationScheme, BadCredentialsError } from "irori/security";
import type { Member } from "./tenant.ts";
import { TenantService } from "./tenant_service.ts";

/** The tenant comes from its key alone: no path and no other header can name another one. */
export class TenantKeys implements AuthenticationScheme {
  @Autowired(TenantService)
  private readonly tenants!: TenantService;
  readonly roles = ["member"];

  async authenticate(request: HttpRequest): Promise<Member | undefined> {
    const key = request.header("X-API-Key");
    if (key === undefined) return undefined;
    const member = await this.tenants.findByKey(key);
    if (!member) throw new BadCredentialsError("Unknown API key");
    return member;
  }
}
