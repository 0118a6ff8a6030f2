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
    const user = this.users.findById(id);
    return user ? success(user) : failure(HttpStatus.NOT_FOUND, notFound(id));
  }

  @GetMapping({ path: "/users/search", returns: answerOf(user) }, RequestParam("email"))
  @Operation({ summary: "Find a user by email", responses: { 404: Failure } })
  search(email: string) {
    const user = this.users.findByEmail(email);
    return user
      ? success(user)
      : failure(HttpStatus.NOT_FOUND, `No user with the email ${email} was found`);
  }

  @PostMapping(
    { path: "/users", status: HttpStatus.CREATED, returns: answerOf(user) },
    RequestBody(User),
  )
  @Operation({ summary: "Create a user", responses: { 409: Failure } })
  create(user: User) {
    if (this.users.findByEmail(user.getEmail())) {
      return failure(HttpStatus.CONFLICT, `A user with the email ${user.email} already exists`);
    }
    return attempt("Failed to create the user", () => {
      const created = this.users.create(user);
      return ResponseEntity.created(`/users/${created.id}`)
        .withJson(success(created, "User created successfully"));
    });
  }

  @PutMapping(
    { path: "/users/{id}", returns: answerOf(user) },
    PathVariable("id", "int"),
    RequestBody(User),
  )
  @Operation({ summary: "Replace a user", responses: { 404: Failure, 409: Failure } })
  update(id: number, user: User) {
    if (!this.users.findById(id)) return failure(HttpStatus.NOT_FOUND, notFound(id));
    const owner = this.users.findByEmail(user.getEmail());
    if (owner && owner.id !== id) {
      return failure(HttpStatus.CONFLICT, `A user with the email ${user.email} already exists`);
    }
    return attempt("Failed to update the user", () => {
      return success(this.users.update(user.setId(id)), "User updated successfully");
    });
  }

  @DeleteMapping({ path: "/users/{id}", returns: answerOf() }, PathVariable("id", "int"))
  @Operation({ summary: "Delete a user", responses: { 404: Failure } })
  delete(id: number) {
    return attempt("Failed to delete the user", () => {
      return this.users.delete(id)
        ? success(undefined, "User deleted successfully")
        : failure(HttpStatus.NOT_FOUND, notFound(id));
    });
  }
}

function notFound(id: number): string {
  return `User ${id} was not found`;
}

function success<T>(data: T, message?: string) {
  return { success: true as const, data, message };
}

/** An answer that is no success: `returns` speaks of those only. */
function failure(status: HttpStatus, message: string): Response {
  return ResponseEntity.status(status).withJson({ success: false, message }).toResponse();
}

/** Runs `action`; when it throws, answers 500 with the failure text and the exception's message. */
function attempt<T>(text: string, action: () => T): T | Response {
  try {
    return action();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failure(HttpStatus.INTERNAL_SERVER_ERROR, `${text}: ${reason}`);
  }
}
