import {
  CurrentUser,
  PermitAll,
  PreAuthorize,
  type Principal,
} from "../../../src/features/security/mod.ts";
import { GetMapping, type HttpRequest, PathVariable, RestController } from "../../../mod.ts";
import { assertCompiles } from "../../compiler.ts";

interface User extends Principal {
  readonly id: number;
}

@RestController()
@PreAuthorize((user: User) => user.id > 0)
export class Users {
  @GetMapping("/users/{id}", PathVariable("id", "int"), PathVariable("id"))
  @PreAuthorize((user: User, id: number) => user.id === id)
  first(id: number, text: string) {
    return `${id} ${text}`;
  }

  @GetMapping("/all/{id}", PathVariable("id", "int"))
  @PreAuthorize(async (user: User, id: number, request: HttpRequest) =>
    await Promise.resolve(user.id === id && request.method === "GET")
  )
  all(id: number, request: HttpRequest) {
    return `${id} ${request.method}`;
  }

  @GetMapping("/default/{id}", PathVariable("id", "int"))
  @PreAuthorize((user) => user.name === "ada")
  byDefault(id: number) {
    return id;
  }

  readonly owners: readonly string[] = ["ada"];

  @GetMapping("/owned/{id}", PathVariable("id", "int"))
  @PreAuthorize(function (this: Users, user: User, id: number) {
    return this.owners[id] === user.name;
  })
  owned(id: number) {
    return id;
  }

  @GetMapping("/any-owned")
  @PreAuthorize(function (this: { readonly owners: readonly string[] }, user: User) {
    return this.owners.includes(user.name);
  })
  anyOwned() {
    return "";
  }

  @GetMapping("/others/{id}", PathVariable("id", "int"))
  // @ts-expect-error the controller has no members
  @PreAuthorize(function (this: { readonly members: string[] }, user: User, id: number) {
    return this.members[id] === user.name;
  })
  others(id: number) {
    return id;
  }

  @GetMapping("/wrong/{id}", PathVariable("id", "int"))
  // @ts-expect-error the handler's first parameter is a number
  @PreAuthorize((user: User, id: string) => user.name === id)
  wrongType(id: number) {
    return id;
  }

  @GetMapping("/more/{id}", PathVariable("id", "int"))
  // @ts-expect-error the handler has no second parameter
  @PreAuthorize((user: User, id: number, more: string) => user.id === id && more !== "")
  tooMany(id: number) {
    return id;
  }

  @GetMapping("/text")
  // @ts-expect-error a rule answers with a boolean
  @PreAuthorize((user: User) => user.name)
  text() {
    return "";
  }

  @GetMapping("/me", CurrentUser<User>())
  me(user: User) {
    return user.id;
  }

  // @ts-expect-error the user may be undefined
  @GetMapping("/maybe", CurrentUser<User>({ required: false }))
  @PermitAll()
  maybe(user: User) {
    return user.id;
  }

  // @ts-expect-error a principal is no number
  @GetMapping("/number", CurrentUser())
  number(user: number) {
    return user;
  }
}

export class Others {
  // @ts-expect-error no scheme gives a date
  @GetMapping("/date", CurrentUser<Date>())
  date(date: Date) {
    return date.getTime();
  }

  // @ts-expect-error nor the user, who may be undefined
  @GetMapping("/maybe-date", CurrentUser<Date>({ required: false }))
  maybeDate(date: Date | undefined) {
    return date?.getTime();
  }

  @GetMapping("/expression/{id}", PathVariable("id"))
  // @ts-expect-error nor an expression
  @PreAuthorize((user: RegExp, id: string) => user.test(id))
  expression(id: string) {
    return id;
  }
}

// @ts-expect-error a class has no parameters
@PreAuthorize((user: User, id: number) => user.id === id)
export class Whole {}

Deno.test("annotations + compile as above", () => assertCompiles(import.meta.url));
