import { Autowired, HttpError, HttpStatus, PostMapping, RequestBody, RestController } from "irori";
import { RolesAllowed } from "irori/security";
import { NewTenant, Tenant } from "./tenant.ts";
import { TenantService } from "./tenant_service.ts";

@RestController()
@RolesAllowed("operator")
export class TenantController {
  @Autowired(TenantService)
  private readonly tenants!: TenantService;

  @PostMapping(
    { path: "/tenants", status: HttpStatus.CREATED, returns: Tenant },
    RequestBody(NewTenant),
  )
  async add({ name }: NewTenant): Promise<Tenant> {
    const key = await this.tenants.add(name);
    if (key === undefined) {
      throw new HttpError(HttpStatus.CONFLICT, `There is a tenant '${name}'`);
    }
    return { name, key };
  }
}
