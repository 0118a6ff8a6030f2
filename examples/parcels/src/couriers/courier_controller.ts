import { Autowired, HttpStatus, PostMapping, RequestBody, RestController } from "irori";
import { RolesAllowed } from "irori/security";
import { NameTaken } from "../problems.ts";
import { NewCourier } from "./user.ts";
import { UserService } from "./user_service.ts";
import * as z from "zod";

@RestController()
@RolesAllowed("dispatcher")
export class CourierController {
  @Autowired(UserService)
  private readonly users!: UserService;

  @PostMapping(
    { path: "/couriers", status: HttpStatus.NO_CONTENT, returns: z.void(), problems: [NameTaken] },
    RequestBody(NewCourier),
  )
  async add({ name, password }: NewCourier): Promise<void> {
    if (!await this.users.add(name, "courier", password)) throw new NameTaken();
  }
}
