import {
  Autowired,
  DeleteMapping,
  GetMapping,
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

  @GetMapping("/users")
  @Operation({ summary: "List the users", responses: { 200: answerOf(z.array(user)) } })
  list() {
    return { success: true, data: this.users.findAll() };
  }

  @GetMapping("/users/{id}", PathVariable("id", "int"))
  @Operation({ summary: "Get a user", responses: { 200: answerOf(user), 404: Failure } })
  get(id: number) {
    return { success: true, data: this.users.findById(id) };
  }

  @GetMapping("/users/search", RequestParam("email"))
  @Operation({ summary: "Find a user by email", responses: { 200: answerOf(user), 404: Failure } })
  search(email: string) {
    return { success: true, data: this.users.findByEmail(email) };
  }

  @PostMapping("/users", RequestBody(User))
  @Operation({ summary: "Create a user", responses: { 201: answerOf(user), 409: Failure } })
  create(user: User) {
    const created = this.users.create(user);
    return ResponseEntity.created(`/users/${created.id}`)
      .withJson({ success: true, data: created, message: "User created successfully" });
  }

  @PutMapping("/users/{id}", PathVariable("id", "int"), RequestBody(User))
  @Operation({
    summary: "Replace a user",
    responses: { 200: answerOf(user), 404: Failure, 409: Failure },
  })
  update(id: number, user: User) {
    const data = this.users.update(id, user);
    return { success: true, data, message: "User updated successfully" };
  }

  @DeleteMapping("/users/{id}", PathVariable("id", "int"))
  @Operation({ summary: "Delete a user", responses: { 200: answerOf(), 404: Failure } })
  delete(id: number) {
    this.users.delete(id);
    return { success: true, message: "User deleted successfully" };
  }
}
