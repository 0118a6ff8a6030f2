import { z } from "zod";
import {
  type Binder,
  binder,
  ControllerAdvice,
  CookieValue,
  ExceptionHandler,
  FormParam,
  GetMapping,
  type HttpRequest,
  HttpStatus,
  Model,
  PathVariable,
  PostMapping,
  RequestBody,
  RequestHeader,
  RequestMapping,
  RequestParam,
  RequestPart,
  RestController,
  STATUS,
} from "../../mod.ts";
import { assertCompiles } from "../compiler.ts";

// These classes are never run: the test is that they compile, and that the marked lines do not.

const Page = z.object({ size: z.number() });

class User extends Model(z.object({ name: z.string() })) {
  greet(): string {
    return `Hello ${this.name}`;
  }
}

const CurrentUser = binder((request) => Promise.resolve({ id: request.method }));
// Inferred, and said.
const PageNumber: Binder<number> = RequestParam("page", "int", { defaultValue: 1 });
const Id: Binder<string, "id"> = PathVariable("id");
/** A custom mapping passes binders on. */
function AdminMapping<A>(path: string, value: Binder<A>) {
  return RequestMapping({ path: `/admin${path}`, method: "GET" }, value);
}

@RestController()
@RequestMapping("/orgs/{org}")
export class Accepted {
  @GetMapping()
  nothing() {}

  @GetMapping("/requests")
  request(request: HttpRequest) {
    return request.path;
  }

  @GetMapping("/users/{id}", PathVariable("id", "int"))
  int(id: number) {
    return id;
  }

  @GetMapping("/users/{id}", PathVariable("id"))
  textAndRequest(id: string, request: HttpRequest) {
    return id + request.path;
  }

  @GetMapping("/users/{id}/tags", PathVariable("id", "int"))
  fewer() {}

  @GetMapping(
    "/{a}/{b:[0-9]{3}}/{*c}",
    PathVariable("a"),
    PathVariable("b", "int"),
    PathVariable("c"),
  )
  variables(a: string, b: number, c: string) {
    return a + b + c;
  }

  @GetMapping("/in-class", PathVariable("org", "int", { in: "class" }))
  prefix(org: number) {
    return org;
  }

  @GetMapping(
    "/search",
    RequestParam("a"),
    RequestParam("b", "bigint"),
    RequestParam("c", "boolean", { required: false }),
    RequestParam("d", "int", { defaultValue: 10 }),
    RequestParam("e", ["asc", "desc"]),
    RequestParam("f", "date-time", { list: true }),
    RequestParam("g", { required: false }),
    RequestParam("h", z.coerce.number()),
    RequestParam("i", "uuid", { list: true, required: false }),
    RequestParam("j", ["x", "y"], { defaultValue: "x", required: false }),
  )
  query(
    a: string,
    b: bigint,
    c: boolean | undefined,
    d: number,
    e: "asc" | "desc",
    f: Date[],
    g: string | undefined,
    h: number,
    i: string[] | undefined,
    j: "x" | "y",
  ) {
    return [a, b, c, d, e, f, g, h, i, j];
  }

  @PostMapping(
    { path: "/users/{id}", status: HttpStatus.CREATED },
    PathVariable("id", "uuid"),
    RequestBody(User),
  )
  model(id: string, user: User) {
    return id + user.greet();
  }

  @PostMapping("/pages", RequestBody(Page), RequestBody(Page, { required: false }), RequestBody())
  bodies(page: { size: number }, maybe: { size: number } | undefined, any: unknown) {
    return [page, maybe, any];
  }

  @PostMapping(
    "/forms",
    FormParam("name"),
    FormParam("age", "int", { required: false }),
    FormParam(User),
    RequestPart("file"),
    RequestPart("files", { list: true }),
    RequestPart("user", User),
    RequestPart("page", Page, { required: false }),
  )
  forms(
    name: string,
    age: number | undefined,
    form: User,
    file: File,
    files: File[],
    user: User,
    page: { size: number } | undefined,
  ) {
    return [name, age, form.greet(), file.size, files.length, user.greet(), page];
  }

  @GetMapping(
    "/others",
    RequestHeader("X-Count", "int"),
    CookieValue("theme", ["dark", "light"]),
    CurrentUser,
  )
  others(count: number, theme: "dark" | "light", user: { id: string }) {
    return [count, theme, user];
  }

  @GetMapping("/named/{id}", Id, PageNumber)
  named(id: string, page: number) {
    return [id, page];
  }

  @AdminMapping("/users", CurrentUser)
  admin(user: { id: string }) {
    return user;
  }

  @RequestMapping({ path: "/both/{id}", method: ["PUT", "PATCH"] }, PathVariable("id"))
  both(id: string) {
    return id;
  }
}

class OutOfStock extends Error {
  static readonly [STATUS] = HttpStatus.CONFLICT;
  readonly sku: string = "";
}

class Locked extends Error {
  constructor(readonly owner: { readonly id: number }) {
    super();
  }
}

abstract class Abstract extends Error {
  readonly isAbstract = true;
}

@ControllerAdvice()
export class AcceptedHandlers {
  @ExceptionHandler(OutOfStock)
  one(error: OutOfStock, request: HttpRequest) {
    return error.sku + request.path;
  }

  @ExceptionHandler(OutOfStock, Locked)
  several(error: OutOfStock | Locked) {
    return error.message;
  }

  @ExceptionHandler(OutOfStock, Locked, Abstract)
  wider(error: Error) {
    return error.message;
  }

  @ExceptionHandler(Abstract)
  async nothing() {}

  @ExceptionHandler({ status: HttpStatus.CONFLICT, returns: z.object({ sku: z.string() }) }, Locked)
  async declared(error: Locked) {
    return await Promise.resolve({ sku: error.message });
  }

  @ExceptionHandler(Error)
  unknown(error: unknown) {
    return error;
  }
}

export function neverCalledEither(): unknown {
  class Refused {
    // @ts-expect-error a handler of one class does not take another
    @ExceptionHandler(Locked)
    another(error: OutOfStock) {
      return error;
    }

    // @ts-expect-error the parameter has to take all of the classes
    @ExceptionHandler(OutOfStock, Locked)
    fewer(error: OutOfStock) {
      return error;
    }

    // @ts-expect-error it has to return what the schema takes
    @ExceptionHandler({ returns: z.object({ sku: z.string() }) }, Locked)
    unlike(error: Locked) {
      return { sku: error };
    }

    // @ts-expect-error it would return more than the schema has
    @ExceptionHandler({ returns: z.object({ sku: z.string() }) }, Locked)
    more(error: Locked) {
      return { sku: error.message, secret: 1 };
    }

    // @ts-expect-error one of the classes at least
    @ExceptionHandler()
    none(error: Error) {
      return error;
    }

    // @ts-expect-error only errors are handled
    @ExceptionHandler(Map)
    noError(error: unknown) {
      return error;
    }

    // @ts-expect-error a class, not an object of it
    @ExceptionHandler(new OutOfStock())
    object(error: OutOfStock) {
      return error;
    }

    // @ts-expect-error after the error comes the request
    @ExceptionHandler(OutOfStock)
    third(error: OutOfStock, request: HttpRequest, more: string) {
      return [error, request, more];
    }

    // @ts-expect-error the second parameter is the request
    @ExceptionHandler(OutOfStock)
    second(error: OutOfStock, status: HttpStatus) {
      return [error, status];
    }

    // @ts-expect-error a field is no handler
    @ExceptionHandler(OutOfStock)
    field = 1;

    // @ts-expect-error it has to be called
    @ExceptionHandler
    notCalled() {}
  }

  // @ts-expect-error an abstract class cannot be built

  @ControllerAdvice()
  abstract class AbstractAdvice {}

  return [Refused, AbstractAdvice];
}

export function neverCalled(): unknown {
  @RestController()
  class Refused {
    // @ts-expect-error a variable that is an int is no text
    @GetMapping("/a/{id}", PathVariable("id", "int"))
    wrongType(id: string) {
      return id;
    }

    // @ts-expect-error only what binder() and its like make is a binder
    @GetMapping("/a", { input: { in: "query" }, compile: () => () => 1 })
    noBinder(id: number) {
      return id;
    }

    // @ts-expect-error a binder that is said to give a text gives no number
    @GetMapping("/a/{id}", Id)
    wrongBinder(id: number) {
      return id;
    }

    // @ts-expect-error the path has no variable of this name
    @GetMapping("/b/{id}", PathVariable("di", "int"))
    unknownVariable(id: number) {
      return id;
    }

    // @ts-expect-error the path in the options has no variable of this name
    @GetMapping({ path: "/b2/{id}" }, PathVariable("di", "int"))
    unknownVariableInOptions(id: number) {
      return id;
    }

    // @ts-expect-error the value may be missing
    @GetMapping("/c", RequestParam("q", "string", { required: false }))
    missingUndefined(q: string) {
      return q;
    }

    // @ts-expect-error nothing binds the second parameter
    @GetMapping("/d/{id}", PathVariable("id"))
    extraParameter(id: string, other: number) {
      return id + other;
    }

    // @ts-expect-error the request is the last that a handler gets
    @GetMapping("/e/{id}", PathVariable("id"))
    afterRequest(id: string, request: HttpRequest, other: string) {
      return id + request.path + other;
    }

    // @ts-expect-error binders and parameters are in another order
    @GetMapping("/f/{a}/{b}", PathVariable("a", "int"), PathVariable("b"))
    wrongOrder(b: string, a: number) {
      return b + a;
    }

    // @ts-expect-error other literals than those of the binder
    @GetMapping("/g", RequestParam("sort", ["asc", "desc"]))
    wrongLiterals(sort: "up" | "down") {
      return sort;
    }

    // @ts-expect-error a list is not one value
    @GetMapping("/h", RequestParam("ids", "int", { list: true }))
    listForOne(ids: number) {
      return ids;
    }

    // @ts-expect-error the body is what its schema gives
    @PostMapping("/i", RequestBody(Page))
    wrongBody(page: { size: string }) {
      return page;
    }

    // @ts-expect-error without a schema the body is unknown
    @PostMapping("/j", RequestBody())
    untypedBody(page: { size: number }) {
      return page;
    }

    // @ts-expect-error there is no such type
    @GetMapping("/k", RequestParam("q", "integer"))
    unknownType(q: number) {
      return q;
    }

    // @ts-expect-error a default has the type of its parameter
    @GetMapping("/l", RequestParam("q", "int", { defaultValue: "1" }))
    wrongDefault(q: number) {
      return q;
    }

    // @ts-expect-error a variable of the class has to say so
    @GetMapping("/m", PathVariable("org", "int"))
    classVariable(org: number) {
      return org;
    }

    // @ts-expect-error the GET handler also answers HEAD requests
    @RequestMapping({ path: "/n", method: "HEAD" })
    head() {}

    // @ts-expect-error a prefix is for classes
    @RequestMapping("/o")
    prefixOnMethod() {}

    // @ts-expect-error a mapping has to be called
    @GetMapping
    notCalled() {}

    // @ts-expect-error a field is no handler
    @GetMapping("/p")
    field = 1;

    // @ts-expect-error a status is an HttpStatus
    @GetMapping({ path: "/q", status: "201" })
    wrongStatus() {}
  }

  // @ts-expect-error an abstract class cannot be built

  @RestController()
  abstract class AbstractController {}

  return [Refused, AbstractController];
}

Deno.test("mappings + compile with fitting binders and not with others", () =>
  assertCompiles(import.meta.url));
