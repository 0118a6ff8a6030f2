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
import { NewUser } from "./user.ts";
import { UserRepository } from "./user_repository.ts";

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

  @PostMapping("", RequestBody(NewUser))
  create(user: NewUser) {
    const created = this.users.insert(user);
    if (!created) {
      throw new HttpError(HttpStatus.CONFLICT, `The email ${user.email} belongs to another user`);
    }
    return ResponseEntity.created(`/users/${created.id}`).withJson(created);
  }
}
