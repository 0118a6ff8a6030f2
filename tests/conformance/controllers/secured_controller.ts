import {
  GetMapping,
  type HttpRequest,
  PathVariable,
  PostMapping,
  RequestBody,
  RequestMapping,
  RestController,
  ServerSentEvent,
} from "../../../mod.ts";
import {
  Authenticated,
  CurrentUser,
  PermitAll,
  PreAuthorize,
  type Principal,
  RolesAllowed,
} from "@irori/irori/security";

@RestController()
@RequestMapping("/secured")
@Authenticated()
export class SecuredController {
  @GetMapping("/me", CurrentUser())
  me({ name }: Principal) {
    return name;
  }

  @GetMapping("/admin")
  @RolesAllowed("admin")
  admin() {
    return "admin";
  }

  @GetMapping("/open", CurrentUser({ required: false }))
  @PermitAll()
  open(user: Principal | undefined) {
    return user?.name ?? "anonymous";
  }

  @GetMapping("/of/{name}", PathVariable("name"))
  @PreAuthorize((user: Principal, name: string) => user.name === name)
  own(name: string) {
    return name;
  }

  @PostMapping("/json", RequestBody())
  @RolesAllowed("user")
  json(body: unknown, request: HttpRequest) {
    return { body, method: request.method };
  }

  @GetMapping("/events")
  async *events() {
    yield await Promise.resolve(new ServerSentEvent({ data: "one" }));
  }
}
