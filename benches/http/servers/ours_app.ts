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
} from "irori";
import type { z } from "zod";
import { NewUser, Order, Profile } from "./schemas.ts";

@RestController()
export class UserController {
  @GetMapping("/users/search", RequestParam("email"))
  search(email: string) {
    return { id: 1, email };
  }

  @GetMapping("/users/{id}", PathVariable("id", "int"))
  get(id: number) {
    return { id, name: "Ada" };
  }

  @GetMapping({ path: "/profiles/{id}", returns: Profile }, PathVariable("id", "int"))
  profile(id: number) {
    return { id, name: "Ada", email: "ada@example.com" };
  }

  @PostMapping({ path: "/users", status: HttpStatus.CREATED }, RequestBody(NewUser))
  create(user: z.infer<typeof NewUser>) {
    return user;
  }

  @PostMapping({ path: "/orders", status: HttpStatus.CREATED }, RequestBody(Order))
  order({ customer, items }: z.infer<typeof Order>) {
    return { customer, items: items.length };
  }
}

/** The routes as this library declares them, on a free port. */
export function ours({ config, ...options }: BootstrapOptions = {}): Promise<Application> {
  const server = { address: "127.0.0.1", port: 0 };
  return bootstrap({ ...options, components: [UserController], config: { server, ...config } });
}
