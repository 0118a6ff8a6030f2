import {
  Autowired,
  DeleteMapping,
  GetMapping,
  HttpStatus,
  PathVariable,
  PostMapping,
  PutMapping,
  RequestBody,
  RequestParam,
  ResponseEntity,
  RestController,
} from "@irori/irori";
import { Operation } from "@irori/irori/openapi";
import { answerOf, Failure } from "../answers.ts";
import { UserService } from "../services/user_service.ts";
import { User, user } from "../user.ts";
import * as z from "zod";

@RestController()
@Operation({ tags: ["users"], responses: { default: Failure } })
export class UserController {
  @Autowired(UserService)
  private readonly users!: UserService;

  @GetMapping({ path: "/users", returns: answerOf(z.array(user)) })
  @Operation({ summary: "List the users" })
  list() {
    return success(this.users.findAll());
  }

  @GetMapping({ path: "/users/{id}", returns: answerOf(user) }, PathVariable("id", "int"))
  @Operation({ summary: "Get a user", responses: { 404: Failure } })
  get(id: number) {
    return success(this.users.findById(id));
  }

  @GetMapping({ path: "/users/search", returns: answerOf(user) }, RequestParam("email"))
  @Operation({ summary: "Find a user by email", responses: { 404: Failure } })
  search(email: string) {
    return success(this.users.findByEmail(email));
  }

  @PostMapping(
    { path: "/users", status: HttpStatus.CREATED, returns: answerOf(user) },
    RequestBody(User),
  )
  @Operation({ summary: "Create a user", responses: { 409: Failure } })
  create(user: User) {
    const created = this.users.create(user);
    return ResponseEntity.created(`/users/${created.id}`)
      .withJson(success(created, "User created successfully"));
  }

  @PutMapping(
    { path: "/users/{id}", returns: answerOf(user) },
    PathVariable("id", "int"),
    RequestBody(User),
  )
  @Operation({ summary: "Replace a user", responses: { 404: Failure, 409: Failure } })
  update(id: number, user: User) {
    return success(this.users.update(id, user), "User updated successfully");
  }

  @DeleteMapping({ path: "/users/{id}", returns: answerOf() }, PathVariable("id", "int"))
  @Operation({ summary: "Delete a user", responses: { 404: Failure } })
  delete(id: number) {
    this.users.delete(id);
    return success(undefined, "User deleted successfully");
  }
}

function success<T>(data: T, message?: string) {
  return { success: true as const, data, message };
}
