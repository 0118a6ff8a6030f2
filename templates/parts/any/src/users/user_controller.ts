import {
  Autowired,
  GetMapping,
  HttpError,
  HttpStatus,
  PathVariable,
  PostMapping,
  RequestBody,
  RequestMapping,
  ResponseEntity,
  RestController,
} from "irori";
import { Jobs } from "irori/jobs"; // {{?jobs}}
import { logger } from "irori/logging"; // {{?logging}}
import { Operation } from "irori/openapi"; // {{?openapi}}
import { RolesAllowed } from "irori/security"; // {{?security}}
import { Transactional } from "irori/transactions"; // {{?jobs}}
import * as z from "zod"; // {{?openapi}}
import { NewUser } from "./user.ts"; // {{!openapi}}
import { NewUser, User } from "./user.ts"; // {{?openapi}}
import { UserRepository } from "./user_repository.ts";
 // {{?logging}}
const log = logger("users"); // {{?logging}}

@RestController()
@RequestMapping("/users")
@Operation({ tags: ["users"] }) // {{?openapi}}
export class UserController {
  @Autowired(UserRepository)
  private readonly users!: UserRepository;
  @Autowired(Jobs) // {{?jobs}}
  private readonly jobs!: Jobs; // {{?jobs}}

  @GetMapping("") // {{!openapi}}
  @GetMapping({ path: "", returns: z.array(User) }) // {{?openapi}}
  @Operation({ summary: "All users" }) // {{?openapi}}
  list() {
    return this.users.findAll();
  }

  @GetMapping("/{id}", PathVariable("id", "int")) // {{!openapi}}
  @GetMapping({ path: "/{id}", returns: User }, PathVariable("id", "int")) // {{?openapi}}
  @Operation({ summary: "One user", responses: { 404: { description: "No such user" } } }) // {{?openapi}}
  get(id: number) { // {{!postgres}}
    const user = this.users.findById(id); // {{!postgres}}
  async get(id: number) { // {{?postgres}}
    const user = await this.users.findById(id); // {{?postgres}}
    if (!user) throw new HttpError(HttpStatus.NOT_FOUND, `User ${id} was not found`);
    return user;
  }

  @PostMapping("", RequestBody(NewUser)) // {{!openapi}}
  @PostMapping({ path: "", status: HttpStatus.CREATED, returns: User }, RequestBody(NewUser)) // {{?openapi}}
  @Operation({ summary: "Create a user", responses: { 409: { description: "Email is taken" } } }) // {{?openapi}}
  @RolesAllowed("admin") // {{?security}}
  @Transactional() // {{?jobs}}
  create(user: NewUser) { // {{!postgres}}
    const created = this.users.insert(user); // {{!postgres}}
  async create(user: NewUser) { // {{?postgres}}
    const created = await this.users.insert(user); // {{?postgres}}
    if (!created) {
      throw new HttpError(HttpStatus.CONFLICT, `The email ${user.email} belongs to another user`);
    }
    // Runs after the commit, in another transaction. // {{?jobs}}
    await this.jobs.enqueue("welcome-user", { userId: created.id }); // {{?jobs}}
    log.debug("Created a user", { id: created.id }); // {{?logging}}
    return ResponseEntity.created(`/users/${created.id}`).withJson(created);
  }
}
