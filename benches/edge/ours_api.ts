import {
  GetMapping,
  HttpStatus,
  PathVariable,
  PostMapping,
  RequestBody,
  RestController,
} from "irori";
import { bootstrap } from "irori/edge";
import { openApi } from "irori/openapi";
import type * as z from "zod";
import { NewUser, User, userOf } from "./user.ts";

/** Two validated routes. */
@RestController()
export class UserController {
  @GetMapping({ path: "/users/{id}", returns: User }, PathVariable("id", "int"))
  get(id: number) {
    return userOf(id);
  }

  @PostMapping({ path: "/users", status: HttpStatus.CREATED, returns: User }, RequestBody(NewUser))
  post(user: z.infer<typeof NewUser>) {
    return { id: 1, ...user };
  }
}

export default await bootstrap({ components: [UserController], extensions: [openApi()] });
