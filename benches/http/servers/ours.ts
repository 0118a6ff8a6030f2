import {
  bootstrap,
  GetMapping,
  HttpStatus,
  PathVariable,
  PostMapping,
  RequestBody,
  RequestParam,
  RestController,
} from "irori";
import { z } from "zod";

const NewUser = z.object({ name: z.string().min(1), email: z.email() });

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

  @PostMapping({ path: "/users", status: HttpStatus.CREATED }, RequestBody(NewUser))
  create(user: z.infer<typeof NewUser>) {
    return user;
  }
}

const app = await bootstrap({
  components: [UserController],
  config: { server: { address: "127.0.0.1", port: 0 } },
});
await app.listen();
