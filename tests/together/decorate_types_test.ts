import { z } from "zod";
import {
  Autowired,
  decorate,
  GetMapping,
  inject,
  PathVariable,
  PostConstruct,
  PostMapping,
  RequestBody,
  RequestMapping,
  RequestParam,
  RestController,
  Use,
} from "../../mod.ts";
import { PreAuthorize, type Principal } from "../../src/features/security/mod.ts";
import { assertCompiles } from "../compiler.ts";

// These classes are never built: the test is that the calls compile, and that the marked lines do not.

const user = z.object({ id: z.int(), name: z.string() });
const id = PathVariable("id", "int");
const name = PathVariable("id");
const body = RequestBody(user);

class Users {
  find(id: number) {
    return { id, name: "Ada", password: "secret" };
  }
}

class Empty {
  static find(id: number) {
    return id;
  }
  private secret(id: number) {
    return id;
  }
}

class Named {
  constructor(readonly name: string) {}
}

class UserController {
  readonly users: Users = inject(Users);
  autowired!: Users;

  get(id: number) {
    return { id, name: "Ada" };
  }
  async later(id: number) {
    return await Promise.resolve({ id, name: "Ada" });
  }
  leaks(id: number) {
    return this.users.find(id);
  }
  create(form: z.infer<typeof user>, notify?: boolean) {
    return { ...form, notify };
  }
  byName(name: string) {
    return name;
  }
  start() {}
  private secret(id: number) {
    return id;
  }
  protected shielded(id: number) {
    return this.secret(id);
  }
}

export function neverCalled(): typeof UserController {
  decorate(
    { UserController },
    {
      get: [
        GetMapping({ path: "/users/{id}", returns: user }, id),
        PreAuthorize((caller: Principal, id: number) => caller.name === `${id}`),
      ],
      later: [GetMapping({ path: "/later/{id}", returns: user }, id), Use()],
      create: [
        PostMapping(
          "/users",
          RequestBody(user),
          RequestParam("notify", "boolean", { required: false }),
        ),
      ],
      start: [PostConstruct()],
    },
    RestController(),
    RequestMapping("/api"),
  );
  decorate(UserController, { get: [GetMapping("/{id}", id)] }, RestController());
  const same: typeof UserController = decorate(UserController, {});

  // @ts-expect-error a field that the schema does not have would leak
  decorate(UserController, { leaks: [GetMapping({ path: "/{id}", returns: user }, id)] });
  // @ts-expect-error the method returns something else than the schema
  decorate(UserController, { byName: [GetMapping({ path: "/{id}", returns: user }, name)] });
  // @ts-expect-error a private method is none of the public ones
  decorate(UserController, { secret: [GetMapping("/{id}", id)] });
  // @ts-expect-error nor is a protected one
  decorate(UserController, { shielded: [GetMapping("/{id}", id)] });
  // @ts-expect-error there is no such method
  decorate(UserController, { gett: [GetMapping("/{id}", id)] });
  // @ts-expect-error the binder gives a number, the method takes a string
  decorate(UserController, { byName: [GetMapping("/{id}", id)] });
  // @ts-expect-error the path has no such variable
  decorate(UserController, { get: [GetMapping("/users", id)] });
  // @ts-expect-error the second parameter is no body
  decorate(UserController, { create: [PostMapping("/users", body, body)] });
  // @ts-expect-error a method that takes a parameter is not called by the container
  decorate(UserController, { get: [PostConstruct()] });
  // @ts-expect-error the rule takes another type than the method
  decorate(UserController, { get: [PreAuthorize((_: Principal, id: string) => id === "")] });
  // @ts-expect-error a decorator of classes on a method
  decorate(UserController, { get: [RestController()] });
  // @ts-expect-error a decorator of methods on a class
  decorate(UserController, {}, GetMapping("/"));
  // @ts-expect-error a decorator of classes in place of the methods
  decorate(UserController, RestController());
  decorate(Empty, {}, RestController());
  // @ts-expect-error nor in place of none
  decorate(Empty, RestController());
  // @ts-expect-error a class without public methods has no others either
  decorate(Empty, { gett: [GetMapping("/{id}", id)] });
  // @ts-expect-error a static method is none of the public ones
  decorate(Empty, { find: [GetMapping("/{id}", id)] });
  // @ts-expect-error nor is a private one
  decorate(Empty, { secret: [GetMapping("/{id}", id)] });
  // @ts-expect-error fields are set by inject()
  decorate(UserController, { autowired: [Autowired(Users)] });
  // @ts-expect-error the container cannot build what takes a parameter
  decorate(Named, {}, RestController());
  return same;
}

Deno.test("types of decorate() + refuse what the syntax refuses", () =>
  assertCompiles(import.meta.url));
