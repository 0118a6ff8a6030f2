import {
  Autowired,
  DeleteMapping,
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
import { UserRepository } from "../repositories/user_repository.ts";
import { User } from "../user.ts";

@RestController()
@RequestMapping("/users")
export class UserController {
  @Autowired(UserRepository)
  private readonly users!: UserRepository;

  @GetMapping("")
  list() {
    return this.users.findAll();
  }

  @GetMapping("/{id}", PathVariable("id", "int"))
  get(id: number) {
    const user = this.users.findById(id);
    if (!user) throw new HttpError(HttpStatus.NOT_FOUND, `User ${id} was not found`);
    return user;
  }

  @PostMapping("", RequestBody(User))
  create(user: User) {
    const created = this.users.insert(user);
    return ResponseEntity.created(`/users/${created.id}`).withJson(created);
  }

  @DeleteMapping("/{id}", PathVariable("id", "int"))
  delete(id: number): void {
    if (!this.users.delete(id)) {
      throw new HttpError(HttpStatus.NOT_FOUND, `User ${id} was not found`);
    }
  }
}
