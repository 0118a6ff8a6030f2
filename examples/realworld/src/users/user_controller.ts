import {
  Autowired,
  GetMapping,
  HttpStatus,
  PostMapping,
  PutMapping,
  RequestBody,
  RestController,
} from "irori";
import { PermitAll } from "irori/security";
import { type Caller, caller } from "./caller.ts";
import { Login, NewUser, User, UserChange } from "./user.ts";
import { UserService } from "./user_service.ts";
import * as z from "zod";

const UserResponse = z.object({ user: User });

@RestController()
export class UserController {
  @Autowired(UserService)
  private readonly users!: UserService;

  @PostMapping(
    {
      path: "/users",
      status: HttpStatus.CREATED,
      returns: UserResponse,
      problems: [HttpStatus.CONFLICT],
    },
    RequestBody(z.object({ user: NewUser })),
  )
  @PermitAll()
  async register({ user }: { user: NewUser }) {
    return { user: await this.users.register(user) };
  }

  @PostMapping(
    {
      path: "/users/login",
      returns: UserResponse,
      problems: [HttpStatus.UNAUTHORIZED],
    },
    RequestBody(z.object({ user: Login })),
  )
  @PermitAll()
  async login({ user }: { user: Login }) {
    return { user: await this.users.login(user) };
  }

  @GetMapping({ path: "/user", returns: UserResponse }, caller)
  async get({ id }: Caller) {
    return { user: await this.users.get(id) };
  }

  @PutMapping(
    { path: "/user", returns: UserResponse, problems: [HttpStatus.CONFLICT] },
    caller,
    RequestBody(z.object({ user: UserChange })),
  )
  async change({ id }: Caller, { user }: { user: UserChange }) {
    return { user: await this.users.change(id, user) };
  }
}
