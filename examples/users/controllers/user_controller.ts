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

  @GetMapping("/users")
  @Operation({ summary: "List the users", responses: { 200: answerOf(z.array(user)) } })
  list() {
    return { success: true, data: this.users.findAll() };
  }

  @GetMapping("/users/{id}", PathVariable("id", "int"))
  @Operation({ summary: "Get a user", responses: { 200: answerOf(user), 404: Failure } })
  get(id: number) {
    const user = this.users.findById(id);
    return user ? { success: true, data: user } : failure(HttpStatus.NOT_FOUND, notFound(id));
  }

  @GetMapping("/users/search", RequestParam("email"))
  @Operation({ summary: "Find a user by email", responses: { 200: answerOf(user), 404: Failure } })
  search(email: string) {
    const user = this.users.findByEmail(email);
    return user
      ? { success: true, data: user }
      : failure(HttpStatus.NOT_FOUND, `No user with the email ${email} was found`);
  }

  @PostMapping("/users", RequestBody(User))
  @Operation({ summary: "Create a user", responses: { 201: answerOf(user), 409: Failure } })
  create(user: User) {
    if (this.users.findByEmail(user.getEmail())) {
      return failure(HttpStatus.CONFLICT, `A user with the email ${user.email} already exists`);
    }
    return attempt("Failed to create the user", () => {
      const created = this.users.create(user);
      return ResponseEntity.created(`/users/${created.id}`)
        .withJson({ success: true, data: created, message: "User created successfully" });
    });
  }

  @PutMapping("/users/{id}", PathVariable("id", "int"), RequestBody(User))
  @Operation({
    summary: "Replace a user",
    responses: { 200: answerOf(user), 404: Failure, 409: Failure },
  })
  update(id: number, user: User) {
    if (!this.users.findById(id)) return failure(HttpStatus.NOT_FOUND, notFound(id));
    const owner = this.users.findByEmail(user.getEmail());
    if (owner && owner.id !== id) {
      return failure(HttpStatus.CONFLICT, `A user with the email ${user.email} already exists`);
    }
    return attempt("Failed to update the user", () => {
      const data = this.users.update(user.setId(id));
      return { success: true, data, message: "User updated successfully" };
    });
  }

  @DeleteMapping("/users/{id}", PathVariable("id", "int"))
  @Operation({ summary: "Delete a user", responses: { 200: answerOf(), 404: Failure } })
  delete(id: number) {
    return attempt("Failed to delete the user", () => {
      return this.users.delete(id)
        ? { success: true, message: "User deleted successfully" }
        : failure(HttpStatus.NOT_FOUND, notFound(id));
    });
  }
}

function notFound(id: number): string {
  return `User ${id} was not found`;
}

function failure(status: HttpStatus, message: string): ResponseEntity {
  return ResponseEntity.status(status).withJson({ success: false, message });
}

/** Runs `action`; when it throws, answers 500 with the failure text and the exception's message. */
function attempt<T>(text: string, action: () => T): T | ResponseEntity {
  try {
    return action();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failure(HttpStatus.INTERNAL_SERVER_ERROR, `${text}: ${reason}`);
  }
}
