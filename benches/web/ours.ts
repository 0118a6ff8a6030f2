import {
  type Application,
  bootstrap,
  type BootstrapOptions,
  GetMapping,
  HttpStatus,
  PathVariable,
  PostMapping,
  RequestBody,
  RequestParam,
  RestController,
} from "../../mod.ts";
import { NewUser } from "./schema.ts";

@RestController()
class UserController {
  @GetMapping("/users")
  list() {
    return [];
  }

  @GetMapping("/users/{id}", PathVariable("id", "int"))
  get(id: number) {
    return { id, name: "Ada" };
  }

  @GetMapping("/users/search", RequestParam("email"))
  search(email: string) {
    return { id: 1, email };
  }

  @PostMapping({ path: "/users", status: HttpStatus.CREATED }, RequestBody(NewUser))
  create(user: { name: string; email: string }) {
    return user;
  }
}

/** The routes as this library declares them. */
export function ours(options: BootstrapOptions = {}): Promise<Application> {
  return bootstrap({ ...options, components: [UserController] });
}
