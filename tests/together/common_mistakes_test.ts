import { AsyncLocalStorage } from "node:async_hooks";
import { EventEmitter } from "node:events";
import { Agent } from "node:http";
import { PassThrough } from "node:stream";
import { assertEquals } from "@std/assert";
import type { Context, Next } from "hono";
import { z } from "zod";
import {
  type Application,
  Autowired,
  Bean,
  bootstrap,
  type BootstrapOptions,
  Component,
  Configuration,
  ControllerAdvice,
  ExceptionHandler,
  FormParam,
  GetMapping,
  HttpError,
  type HttpRequest,
  inject,
  PathVariable,
  PostConstruct,
  PostMapping,
  problem,
  RequestBody,
  RequestHeader,
  RequestMapping,
  RequestParam,
  RequestPart,
  ResponseEntity,
  RestController,
  Scope,
  Service,
  Use,
  Value,
} from "../../mod.ts";
import type { Constructor } from "../../src/container/mod.ts";
import { migrateSql } from "../../src/migrations/mod.ts";
import { Operation } from "../../src/features/contract/mod.ts";
import { PermitAll, RolesAllowed, security } from "../../src/features/security/mod.ts";
import { logged } from "../web/helpers.ts";

/*
 * Mistakes of people who come from NestJS, Spring, Express and Hono, and the message for each: when
 * the application starts, or for a request. A line below `@ts-expect-error` is refused by the compiler, too; scripts
 * and runtimes that only remove types get the message alone.
 */

@Service()
class Users {
  all() {
    return ["Ada"];
  }
}

class Plain {}

type Mistakes = Readonly<Record<string, readonly [mistake: () => unknown, message: string]>>;

const DEPENDENCIES: Mistakes = {
  "a constructor with parameters, as in NestJS and Spring": [
    () => {
      // @ts-expect-error: the container has nothing to pass
      @RestController()
      class UserController {
        constructor(private users: Users) {}
        @GetMapping("/users")
        list() {
          return this.users.all();
        }
      }
      return start(Users, UserController as unknown as Constructor);
    },
    "Cannot build the bean 'userController': the constructor of 'UserController' has parameters without a " +
    "default; write users = inject(UserService), or clock: Clock | undefined = undefined",
  ],
  "a constructor with a parameter that the compiler takes for optional": [
    () => {
      @Service()
      class Sessions {
        constructor(readonly clock?: Plain) {}
      }
      return start(Sessions);
    },
    "Cannot build the bean 'sessions': the constructor of 'Sessions' has parameters without a default; write " +
    "users = inject(UserService), or clock: Clock | undefined = undefined",
  ],
  "a @Bean method with parameters, as in Spring": [
    () => {
      class Beans {
        // @ts-expect-error: the container has nothing to pass
        @Bean()
        pool(users: Users) {
          return users.all();
        }
      }
      return Beans;
    },
    "Cannot apply @Bean to 'pool': the container calls it without arguments; remove its parameters, and inject beans " +
    "into fields, as in service = inject(Service)",
  ],
  "a @PostConstruct method with parameters": [
    () => {
      class Cache {
        // @ts-expect-error: the container has nothing to pass
        @PostConstruct()
        fill(users: Users) {
          users.all();
        }
      }
      return Cache;
    },
    "Cannot apply @PostConstruct to 'fill': the container calls it without arguments; remove its parameters, and " +
    "inject beans into fields, as in service = inject(Service)",
  ],
  "@Autowired() without a class, as in Spring": [
    () => {
      class UserController {
        // @ts-expect-error: the class is missing
        @Autowired()
        users!: Users;
      }
      return UserController;
    },
    "Cannot apply @Autowired to 'users': types are not known at run time; name the class, @Autowired(UserService)",
  ],
  "@Autowired of a class that is no bean": [
    () => {
      @Component()
      class UserController {
        @Autowired(Plain)
        readonly plain!: Plain;
      }
      return start(UserController);
    },
    "Cannot find a bean of type Plain (needed by userController): expected @Service() or another " +
    "stereotype, or a @Bean() method",
  ],
  "a service that is not listed": [
    () => {
      @Component()
      class UserController {
        readonly users = inject(Users);
      }
      return start(UserController);
    },
    "Cannot find a bean of type Users (needed by userController): the class has @Service(), but is neither among " +
    "the components nor in a folder of 'component-scan'",
  ],
  "inject() outside of a bean": [
    () => inject(Users),
    "Cannot inject Users: no bean is being created here; declare the class as a component, and call " +
    "inject() in a constructor or field initialiser only",
  ],
  "inject() in a handler": [
    () => {
      @RestController()
      class UserController {
        @GetMapping("/users")
        list() {
          return inject(Users).all();
        }
      }
      return ask([Users, UserController], "/users");
    },
    "500, logged: Cannot inject Users: no bean is being created here; declare the class as a " +
    "component, and call inject() in a constructor or field initialiser only",
  ],
  "services that need each other": [
    () => {
      @Service()
      class Orders {
        readonly invoices: unknown = inject(Invoices);
      }
      @Service()
      class Invoices {
        readonly orders: unknown = inject(Orders);
      }
      return start(Orders, Invoices);
    },
    "Cannot build beans that need each other: orders → invoices → orders",
  ],
  "a @Bean method that returns nothing": [
    () => {
      @Configuration()
      class Beans {
        @Bean()
        pool() {}
      }
      return start(Beans);
    },
    "Cannot build the bean 'pool': its factory returned undefined; expected it to return the bean",
  ],
  "@Value without ${}, as in NestJS, with a type": [
    () => {
      @Component()
      class Pool {
        @Value("pool.size", "int")
        readonly size!: number;
      }
      return startWith({ config: { pool: { size: 3 } } }, Pool);
    },
    "Cannot build the bean 'pool': Cannot fill 'Pool.size' with 'pool.size': expected an integer, found 'pool.size'",
  ],
  "@Value with an expression of Spring": [
    () => {
      @Component()
      class Pool {
        @Value("#{pool.size}")
        readonly size!: number;
      }
      return start(Pool);
    },
    `Cannot build the bean 'pool': Cannot fill 'Pool.size': expected a placeholder, "\${pool.size}", found ` +
    `"#{pool.size}"`,
  ],
  'the scope "request"': [
    // @ts-expect-error: there are two scopes
    () => Scope("request"),
    'Cannot use @Scope("request"): expected "singleton" or "prototype"; for the current request, call currentRequest()',
  ],
};

const CLASSES: Mistakes = {
  '@RestController("/users"), as in NestJS': [
    () => {
      @RestController("/users")
      class UserController {}
      return UserController;
    },
    "Cannot apply @RestController to 'UserController': expected the name of a bean as a string; for a path " +
    'write @RequestMapping("/path")',
  ],
  "@RestController({ path }), as in NestJS": [
    () => {
      // @ts-expect-error: a name is a text
      @RestController({ path: "/users" })
      class UserController {}
      return UserController;
    },
    `Cannot apply @RestController to 'UserController': expected the name of a bean as a string; for a path ` +
    `write @RequestMapping("/path")`,
  ],
  "@RestController without parentheses, as in Spring": [
    () => {
      // @ts-expect-error: it is no decorator itself
      @RestController
      class UserController {}
      return UserController;
    },
    "Cannot apply @RestController to 'UserController': expected @RestController()",
  ],
  "@GetMapping without parentheses": [
    () => {
      class UserController {
        // @ts-expect-error: it is no decorator itself
        @GetMapping
        list() {}
      }
      return UserController;
    },
    "Cannot apply @GetMapping to 'list': expected @GetMapping()",
  ],
  "@PostConstruct without parentheses": [
    () => {
      class Cache {
        // @ts-expect-error: it is no decorator itself
        @PostConstruct
        fill() {}
      }
      return Cache;
    },
    "Cannot apply @PostConstruct to 'fill': expected @PostConstruct()",
  ],
  "@ExceptionHandler without parentheses": [
    () => {
      class Errors {
        // @ts-expect-error: it is no decorator itself
        @ExceptionHandler
        failed() {}
      }
      return Errors;
    },
    "Cannot apply @ExceptionHandler to 'failed': expected @ExceptionHandler()",
  ],
  "@PermitAll without parentheses": [
    () => {
      class UserController {
        // @ts-expect-error: it is no decorator itself
        @PermitAll
        list() {}
      }
      return UserController;
    },
    "Cannot apply @PermitAll to 'list': expected @PermitAll()",
  ],
  "@Use without parentheses": [
    () => {
      class UserController {
        // @ts-expect-error: it is no decorator itself
        @Use
        @GetMapping("/users")
        list() {}
      }
      return UserController;
    },
    "Cannot apply @Use to 'list': expected @Use(…)",
  ],
  "@Use without parentheses on a class": [
    () => {
      // @ts-expect-error: it is no decorator itself
      @Use
      class UserController {}
      return UserController;
    },
    "Cannot apply @Use to 'UserController': expected @Use(…)",
  ],
  "@Operation without parentheses": [
    () => {
      class UserController {
        // @ts-expect-error: it is no decorator itself
        @Operation
        @GetMapping("/users")
        list() {}
      }
      return UserController;
    },
    "Cannot apply @Operation to 'list': expected @Operation(…)",
  ],
  "@Operation of a text": [
    () => {
      class UserController {
        // @ts-expect-error: options are an object
        @Operation("One user")
        @GetMapping("/users")
        list() {}
      }
      return UserController;
    },
    "Cannot apply @Operation to 'list': expected options such as @Operation({ summary: \"One user\" })",
  ],
  "@Operation() without options": [
    () => {
      class UserController {
        // @ts-expect-error: options are missing
        @Operation()
        @GetMapping("/users")
        list() {}
      }
      return UserController;
    },
    "Cannot apply @Operation to 'list': expected options such as @Operation({ summary: \"…\" })",
  ],
  "@Autowired without parentheses": [
    () => {
      class UserController {
        // @ts-expect-error: it is no decorator itself
        @Autowired
        users!: Users;
      }
      return UserController;
    },
    "Cannot apply @Autowired to 'users': expected @Autowired(UserService)",
  ],
  "@ControllerAdvice(Class)": [
    () => {
      // @ts-expect-error: a name is a text
      @ControllerAdvice(Users)
      class Errors {}
      return Errors;
    },
    `Cannot apply @ControllerAdvice to 'Errors': expected the name of a bean as a string; for a path write ` +
    `@RequestMapping("/path")`,
  ],
  "@Configuration of a path": [
    () => {
      @Configuration("/beans")
      class Beans {}
      return Beans;
    },
    `Cannot apply @Configuration to 'Beans': expected the name of a bean as a string; for a path write ` +
    `@RequestMapping("/path")`,
  ],
  "a class without a decorator": [
    () => start(Plain),
    "Cannot register 'Plain': expected a class with @Component(), @Service(), @RestController() or the like",
  ],
  "a controller without @RestController": [
    () => {
      @Service()
      class UserController {
        @GetMapping("/users")
        list() {}
      }
      return start(UserController);
    },
    "Cannot map 'UserController': 'list' has a mapping, but the class has no @RestController()",
  ],
  "a subclass without a decorator": [
    () => {
      class AdminController extends Users {}
      return start(AdminController);
    },
    "Cannot register 'AdminController': expected a class with @Component(), @Service(), @RestController() or the like",
  ],
  "a controller without a mapping": [
    () => {
      @RestController()
      class UserController {
        list() {}
      }
      return start(UserController);
    },
    `Cannot map 'UserController': no method has a mapping such as @GetMapping("/users")`,
  ],
  "@ExceptionHandler in a service": [
    () => {
      @Service()
      class Errors {
        @ExceptionHandler(Error)
        failed() {}
      }
      return start(Errors);
    },
    "Cannot map 'Errors': 'failed' handles errors, but the class has no @ControllerAdvice() or @RestController()",
  ],
  "two classes of one name": [
    () => {
      const [one, two] = [0, 1].map(() => {
        @Service()
        class UserService {}
        return UserService;
      });
      return start(one!, two!);
    },
    "Cannot register two beans named 'userService': found UserService and UserService; give one of them another " +
    "name, or keep the names of classes where a bundler shortens them " +
    "(--keep-names, the plugin of '@irori/irori/vite', decorate({ Name }, …))",
  ],
  "a class whose name a bundler has removed": [
    () => {
      const [anonymous] = [
        @Service() class {
          hello() {}
        },
      ];
      return start(anonymous!);
    },
    'Cannot register a class without a name: name the class or its bean, as in @Service("users"), or keep the names of ' +
    "classes where a bundler shortens them (--keep-names, the plugin of '@irori/irori/vite', decorate({ Name }, …))",
  ],
  "a decorator that returns a class without a name": [
    () => {
      class Greetings {
        hello() {}
      }
      const [anonymous] = [@Service() class extends Greetings {}];
      return start(anonymous!);
    },
    'Cannot register a class without a name: name the class or its bean, as in @Service("users"), or keep the names of ' +
    "classes where a bundler shortens them (--keep-names, the plugin of '@irori/irori/vite', decorate({ Name }, …))",
  ],
  "an error controller of another name": [
    () => {
      @Component()
      class Errors {
        handleError() {}
      }
      return start(Errors);
    },
    "Cannot use the bean 'errors' ('Errors') as the error controller: it has handleError(), but is not named " +
    `'errorController'; name it with @Component("errorController"), or keep the names of classes where a bundler ` +
    "shortens them (--keep-names, the plugin of '@irori/irori/vite', decorate({ Name }, …))",
  ],
};

const MAPPINGS: Mistakes = {
  "/users/:id, as in Express, Hono and NestJS": [
    () => {
      @RestController()
      class UserController {
        @GetMapping("/users/:id")
        get() {}
      }
      return start(UserController);
    },
    "Cannot read the path '/users/:id': a variable is written '{id}', not ':id' (mapped to 'UserController.get')",
  ],
  "an optional path variable": [
    () => {
      @RestController()
      class UserController {
        @GetMapping("/users/{id?}")
        get() {}
      }
      return start(UserController);
    },
    "Cannot read the path '/users/{id?}': expected no '?'; write a mapping for each path (mapped to " +
    "'UserController.get')",
  ],
  "a percent-encoded path": [
    () => {
      @RestController()
      class UserController {
        @GetMapping("/caf%C3%A9/{id}")
        get() {}
      }
      return start(UserController);
    },
    "Cannot read the path '/caf%C3%A9/{id}': expected a path such as '/my api', not percent-encoded (mapped to " +
    "'UserController.get')",
  ],
  "a query in the path": [
    () => {
      @RestController()
      class UserController {
        @GetMapping("/users?page={page}")
        list() {}
      }
      return start(UserController);
    },
    "Cannot read the path '/users?page={page}': expected no '?'; write a mapping for each path (mapped to " +
    "'UserController.list')",
  ],
  "@RequestMapping(path) on a method": [
    () => {
      class UserController {
        // @ts-expect-error: the method is missing
        @RequestMapping("/users")
        list() {}
      }
      return UserController;
    },
    "Cannot apply @RequestMapping to the method 'list': expected a prefix or { path, version } on a class, or " +
    "{ path, method } on a method",
  ],
  "a status as a number, as @HttpCode(201) of NestJS": [
    () => {
      class UserController {
        // @ts-expect-error: a number is no status
        @PostMapping({ path: "/users", status: 201 })
        create() {}
      }
      return UserController;
    },
    "Cannot map 'create': expected a status such as HttpStatus.NOT_FOUND, found '201'",
  ],
  "a status as a text": [
    () => {
      class UserController {
        // @ts-expect-error: a text is no status
        @PostMapping({ path: "/users", status: "201" })
        create() {}
      }
      return UserController;
    },
    "Cannot map 'create': expected a status such as HttpStatus.NOT_FOUND, found '201'",
  ],
  "problems as numbers": [
    () => {
      class UserController {
        // @ts-expect-error: a number is no status
        @GetMapping({ path: "/users", problems: [404] })
        list() {}
      }
      return UserController;
    },
    "Cannot map 'list': expected a status such as HttpStatus.NOT_FOUND, found '404'",
  ],
  "a problem without a list": [
    () => {
      class UserController {
        // @ts-expect-error: a number is no status
        @GetMapping({ path: "/users", problems: 404 })
        list() {}
      }
      return UserController;
    },
    "Cannot map 'list': expected a status such as HttpStatus.NOT_FOUND, found '404'",
  ],
  "two handlers of one path": [
    () => {
      @RestController()
      class UserController {
        @GetMapping("/users/{id}")
        byId() {}
        @GetMapping("/users/{name}")
        byName() {}
      }
      return start(UserController);
    },
    "Two handlers match the same requests: 'UserController.byId' (GET /users/{id}) and " +
    "'UserController.byName' (GET /users/{name})",
  ],
  "a handler that is named by a symbol": [
    () => {
      class UserController {
        @GetMapping("/users")
        [Symbol.iterator]() {}
      }
      return UserController;
    },
    "Cannot apply @GetMapping to 'Symbol(Symbol.iterator)': expected a public instance method, found a method " +
    "named by a symbol",
  ],
  "a static method": [
    () => {
      class UserController {
        @GetMapping("/users")
        static list() {}
      }
      return UserController;
    },
    "Cannot apply @GetMapping to 'list': expected a public instance method, found a static method",
  ],
  "a private method": [
    () => {
      class UserController {
        @GetMapping("/users")
        #list() {}
        list = () => this.#list();
      }
      return UserController;
    },
    "Cannot apply @GetMapping to '#list': expected a public instance method, found a private method",
  ],
  "an arrow function in a field": [
    () => {
      class UserController {
        // @ts-expect-error: it is for methods
        @GetMapping("/users")
        list = () => [];
      }
      return UserController;
    },
    "Cannot apply @GetMapping to 'list': expected a public instance method, found a field",
  ],
  "a getter": [
    () => {
      class UserController {
        // @ts-expect-error: it is for methods
        @GetMapping("/users")
        get list() {
          return [];
        }
      }
      return UserController;
    },
    "Cannot apply @GetMapping to 'list': expected a public instance method, found a getter",
  ],
  "a handler (req, res), as in Express": [
    () => {
      class UserController {
        // @ts-expect-error: there is no response to take
        @GetMapping("/users")
        list(_req: HttpRequest, res: { send(text: string): void }) {
          res.send("Ada");
        }
      }
      return UserController;
    },
    `Cannot map 'list': its 2 parameters without a default (the last may be the request) need ` +
    `a binder such as RequestParam("name") each, found 0`,
  ],
  "a parameter without a binder, as with @Param() of NestJS": [
    () => {
      class UserController {
        // @ts-expect-error: two parameters have no binder
        @PostMapping("/users/{id}")
        change(id: string, form: { name: string }) {
          return [id, form.name];
        }
      }
      return UserController;
    },
    `Cannot map 'change': its 2 parameters without a default (the last may be the request) need ` +
    `a binder such as RequestParam("name") each, found 0`,
  ],
  "binders in another order than the parameters": [
    () => {
      @RestController()
      class UserController {
        // @ts-expect-error: the first parameter is a number
        @PostMapping("/users/{id}", RequestBody(z.object({})), PathVariable("id", "int"))
        change(id: number, form: { name: string }) {
          return id.toFixed() + form;
        }
      }
      return ask([UserController], "/users/7", json({}));
    },
    // Only the compiler knows the parameters.
    "500, logged: id.toFixed is not a function",
  ],
  "PathVariable of another name": [
    () => {
      @RestController()
      class UserController {
        // @ts-expect-error: the path has no such variable
        @GetMapping("/users/{id}", PathVariable("userId"))
        get(id: string) {
          return id;
        }
      }
      return start(UserController);
    },
    "Cannot bind the path variable 'userId' of 'UserController.get': the path of its mapping does not contain '{userId}'",
  ],
  "several paths in a list, as in Spring and NestJS": [
    () => {
      class UserController {
        // @ts-expect-error: a path is a text
        @GetMapping(["/users", "/people"])
        list() {}
      }
      return UserController;
    },
    `Cannot map 'list': expected one path or options such as { path: "/users" }, found ` +
    `'/users,/people'`,
  ],
  "several paths in an option": [
    () => {
      class UserController {
        // @ts-expect-error: a path is a text
        @RequestMapping({ path: ["/users", "/people"], method: "GET" })
        list() {}
      }
      return UserController;
    },
    `Cannot map 'list': expected one path or options such as { path: "/users" }, found ` +
    `'/users,/people'`,
  ],
  "several prefixes": [
    () => {
      // @ts-expect-error: a prefix is a text
      @RequestMapping(["/v1", "/v2"])
      class UserController {}
      return UserController;
    },
    `Cannot map 'UserController': expected one path or options such as { path: "/users" }, found '/v1,/v2'`,
  ],
  "no path": [
    () => {
      class UserController {
        // @ts-expect-error: a path is a text
        @GetMapping(null)
        list() {}
      }
      return UserController;
    },
    `Cannot map 'list': expected one path or options such as { path: "/users" }, found 'null'`,
  ],
  "the path as the option 'value', as in Spring": [
    () => {
      class UserController {
        // @ts-expect-error: no option has this name
        @GetMapping({ value: "/users" })
        list() {}
      }
      return UserController;
    },
    `Cannot map 'list': expected one path or options such as { path: "/users" }, found 'value'`,
  ],
  "the path as the option 'url', as in Fastify": [
    () => {
      class UserController {
        // @ts-expect-error: no option has this name
        @GetMapping({ url: "/users" })
        list() {}
      }
      return UserController;
    },
    `Cannot map 'list': expected one path or options such as { path: "/users" }, found 'url'`,
  ],
  "the prefix as an option of another name": [
    () => {
      // @ts-expect-error: no option has this name
      @RequestMapping({ value: "/users" })
      class UserController {}
      return UserController;
    },
    `Cannot map 'UserController': expected one path or options such as { path: "/users" }, found 'value'`,
  ],
  "an option that is misspelled": [
    () => {
      class UserController {
        // @ts-expect-error: no option has this name
        @PostMapping({ path: "/users", consume: "text/csv" })
        create() {}
      }
      return UserController;
    },
    `Cannot map 'create': expected one path or options such as { path: "/users" }, found 'consume'`,
  ],
  "a method in small letters, as in Express": [
    () => {
      class UserController {
        // @ts-expect-error: methods are written in capitals
        @RequestMapping({ path: "/users", method: "get" })
        list() {}
      }
      return UserController;
    },
    `Cannot map 'list': expected a method such as "GET", which answers HEAD, found 'get'`,
  ],
  "the method []": [
    () => {
      class UserController {
        @RequestMapping({ path: "/users", method: [] })
        list() {}
      }
      return UserController;
    },
    `Cannot map 'list': expected a method such as "GET", which answers HEAD, found ''`,
  ],
  "the name as an option of RequestParam, as in Spring": [
    // @ts-expect-error: a name is a text
    () => RequestParam({ name: "id" }),
    `Cannot bind a query parameter: expected its name first, such as "id", found an object`,
  ],
  "the name as an option of PathVariable, as in Spring": [
    // @ts-expect-error: a name is a text
    () => PathVariable({ name: "id" }),
    `Cannot bind a path variable: expected its name first, such as "id", found an object`,
  ],
  "the name as an option of FormParam, as in Spring": [
    // @ts-expect-error: a name is a text
    () => FormParam({ name: "id" }),
    `Cannot bind a form field: expected its name first, such as "id", found an object`,
  ],
  "the name as an option of RequestPart, as in Spring": [
    // @ts-expect-error: a name is a text
    () => RequestPart({ name: "id" }),
    `Cannot bind a part: expected its name first, such as "id", found an object`,
  ],
  "a binder that is not called": [
    () => {
      class UserController {
        // @ts-expect-error: it is no binder itself
        @GetMapping("/users/{id}", PathVariable)
        get(id: string) {
          return id;
        }
      }
      return UserController;
    },
    `Cannot map 'get': expected a binder such as RequestParam("name") for parameter 1, found function`,
  ],
};

const VALUES: Mistakes = {
  "a type of JavaScript": [
    // @ts-expect-error: a type is a word
    () => RequestParam("page", Number),
    "Cannot bind the query parameter 'page': expected a type such as \"int\", a list of strings or a schema, found " +
    "the function 'Number'",
  ],
  "a word that is no type": [
    // @ts-expect-error: the word is "int"
    () => RequestParam("page", "integer"),
    "Cannot bind the query parameter 'page': expected a type such as \"int\", a list of strings or a schema, found " +
    "'integer'",
  ],
  "a type of JavaScript for a path variable": [
    // @ts-expect-error: a type is a word
    () => PathVariable("id", Number),
    "Cannot bind the path variable 'id': expected a type such as \"int\", a list of strings or a schema, found " +
    "the function 'Number'",
  ],
  "a word that is no type of a path variable": [
    // @ts-expect-error: the word is "int"
    () => PathVariable("id", "integer"),
    "Cannot bind the path variable 'id': expected a type such as \"int\", a list of strings or a schema, found " +
    "'integer'",
  ],
  "a default in place of options": [
    // @ts-expect-error: the default is an option
    () => RequestParam("q", "int", "5"),
    "Cannot bind the query parameter 'q': expected options such as { defaultValue: 5 }, found '5'",
  ],
  "a pipe of NestJS": [
    () => {
      class ParseIntPipe {}
      // @ts-expect-error: it is no schema
      return RequestParam("id", ParseIntPipe);
    },
    "Cannot bind the query parameter 'id': expected a type such as \"int\", a list of strings or a schema, found the " +
    "class 'ParseIntPipe'",
  ],
  "z.number() for a text": [
    () => {
      @RestController()
      class UserController {
        @GetMapping("/users", RequestParam("page", z.number()))
        list(page: number) {
          return page;
        }
      }
      return start(UserController);
    },
    "Cannot map 'UserController.list': parameter 1 (query 'page') requires a value of type 'number', which text " +
    `cannot represent; expected z.coerce.number() or the word "number"`,
  ],
  "z.date() in a body": [
    () => {
      @RestController()
      class UserController {
        @PostMapping("/users", RequestBody(z.object({ born: z.date() })))
        create(form: { born: Date }) {
          return form;
        }
      }
      return start(UserController);
    },
    "Cannot map 'UserController.create': parameter 1 (body) requires a value of type 'date' at '/born', which " +
    "JSON cannot represent; expected z.iso.datetime(), with .pipe(z.coerce.date()) " +
    "for a Date",
  ],
  "a class of class-validator": [
    () => {
      class CreateUser {
        name!: string;
      }
      // @ts-expect-error: it is no schema
      return RequestBody(CreateUser);
    },
    "Cannot bind the body: expected a Standard Schema such as z.object({ … }), a class made with Model(schema), or " +
    `the word "text", "bytes" or "stream", found the class 'CreateUser'`,
  ],
  "a schema of Joi, or the shape of one": [
    // @ts-expect-error: it is no schema
    () => RequestBody({ validate: (value: unknown) => ({ value }) }),
    "Cannot bind the body: expected a Standard Schema such as z.object({ … }), a class made with Model(schema), or " +
    `the word "text", "bytes" or "stream", found an object`,
  ],
  'a field of the body, as @Body("name") of NestJS': [
    // @ts-expect-error: it is no word for a body
    () => RequestBody("name"),
    "Cannot bind the body: expected a Standard Schema such as z.object({ … }), a class made with Model(schema), or " +
    `the word "text", "bytes" or "stream", found 'name'`,
  ],
  "a body of GET, which no browser sends": [
    () => {
      @RestController()
      class UserController {
        @GetMapping("/users", RequestBody(z.object({})))
        list(query: object) {
          return query;
        }
      }
      return ask([UserController], "/users");
    },
    "400: The request body is not valid",
  ],
  "a body without its type": [
    () => {
      @RestController()
      class UserController {
        @PostMapping("/users", RequestBody(z.object({})))
        create(form: object) {
          return form;
        }
      }
      return ask([UserController], "/users", { method: "POST", body: "{}" });
    },
    "415: Cannot read a body of this type: expected application/json, application/*+json, found " +
    "'text/plain;charset=UTF-8'",
  ],
};

const ANSWERS: Mistakes = {
  "return without a value": [() => answerOf(() => void Users), "204"],
  "throw of a text": [
    () =>
      answerOf(() => {
        throw "no such user";
      }),
    "500, logged: no such user",
  ],
  "the HttpException of NestJS": [
    () =>
      answerOf(() => {
        throw Object.assign(new Error("no such user"), { getStatus: () => 404 });
      }),
    "500, logged: no such user",
  ],
  "HttpError with the message first": [
    // @ts-expect-error: the status comes first
    () => answerOf(() => new HttpError("no such user", 404)),
    "500, logged: Expected a status such as HttpStatus.NOT_FOUND, found 'no such user'",
  ],
  "return of an error": [
    () => answerOf(() => new HttpError(404)),
    "500, logged: Cannot write a value: it is an Error; expected it to be thrown",
  ],
  "problem(404)": [
    // @ts-expect-error: a number is no status
    () => answerOf(() => problem(404)),
    "500, logged: Expected a status such as HttpStatus.NOT_FOUND, found '404'",
  ],
  "ResponseEntity.status(404)": [
    // @ts-expect-error: a number is no status
    () => answerOf(() => ResponseEntity.status(404)),
    "500, logged: Expected a status such as HttpStatus.NOT_FOUND, found '404'",
  ],
  "ResponseEntity.ok without parentheses": [
    () => answerOf(() => ResponseEntity.ok),
    "500, logged: Cannot write a value as JSON: it is a function",
  ],
  "return of a Map": [
    () => answerOf(() => new Map()),
    "500, logged: Cannot write a value: it is a Map; expected Object.fromEntries(map)",
  ],
};

const MIDDLEWARE: Mistakes = {
  "(req, res, next), as in Express": [
    // @ts-expect-error: it takes two
    () => startWith({ middleware: [(_req: unknown, _res: unknown, next: () => void) => next()] }),
    "Cannot use '(_req, _res, next)=>next()' as middleware of the application: expected a function (context, next), " +
    "or a class with handle(context, next)",
  ],
  "next() that is not awaited": [
    () => {
      @RestController()
      class UserController {
        // deno-lint-ignore require-await -- that is the mistake
        @Use(async function audit(_context: Context, next: Next) {
          next();
        })
        @GetMapping("/users")
        async list() {
          return await Promise.resolve([]);
        }
      }
      return ask([UserController], "/users");
    },
    "500, logged: The middleware 'audit' neither returned a response nor awaited next()",
  ],
  "a factory of middleware that is not called": [
    () => {
      const cors = () => (_context: Context, next: Next) => next();
      @RestController()
      class UserController {
        // @ts-expect-error: it gives no response
        @Use(cors)
        @GetMapping("/users")
        list() {}
      }
      return ask([UserController], "/users");
    },
    "500, logged: The middleware 'cors' returned a function: expected a Response, or that it awaits next()",
  ],
  "a guard or an interceptor of NestJS": [
    () => {
      class RolesGuard {
        canActivate() {
          return true;
        }
      }
      // @ts-expect-error: it has no handle()
      return startWith({ middleware: [RolesGuard] });
    },
    "Cannot use 'RolesGuard' as middleware: expected a method handle(context, next)",
  ],
  "an object of a middleware class": [
    () => {
      class Audit {
        handle(_context: Context, next: Next) {
          return next();
        }
      }
      // @ts-expect-error: it is no class
      return startWith({ middleware: [new Audit()] });
    },
    "Cannot use '[object Object]' as middleware of the application: expected a function (context, next), or a class " +
    "with handle(context, next)",
  ],
  "middleware that is an object": [
    // @ts-expect-error: it is no list
    () => startWith({ middleware: {} }),
    "Cannot use '[object Object]' as middleware of the application: expected a function (context, next), or a class " +
    "with handle(context, next)",
  ],
  "a middleware class with (req, res, next), as in NestJS": [
    () => {
      class Audit {
        handle(_request: unknown, _response: unknown, next: Next) {
          return next();
        }
      }
      // @ts-expect-error: it takes two
      return startWith({ middleware: [Audit] });
    },
    "Cannot use 'Audit' as middleware: expected a method handle(context, next)",
  ],
  "two middleware classes without a name": [
    () => {
      const limit = () =>
        class {
          handle(_context: Context, next: Next) {
            return next();
          }
        };
      return startWith({ middleware: [limit(), limit()] });
    },
    'Cannot register a class without a name: name the class or its bean, as in @Service("users"), or keep the names of ' +
    "classes where a bundler shortens them (--keep-names, the plugin of '@irori/irori/vite', decorate({ Name }, …))",
  ],
  "a middleware class with parameters": [
    () => {
      class Audit {
        constructor(readonly users: Users) {}
        handle(_context: Context, next: Next) {
          return next();
        }
      }
      return startWith({ middleware: [Audit] });
    },
    "Cannot use 'Audit' as middleware: the constructor of 'Audit' has parameters without a default; write users " +
    "= inject(UserService), or clock: Clock | undefined = undefined",
  ],
  "@Use on a method without a mapping": [
    () => {
      @RestController()
      class UserController {
        @Use((_context: Context, next: Next) => next())
        check() {}
        @GetMapping("/users")
        list() {}
      }
      return start(UserController);
    },
    "Cannot map 'UserController': 'check' has @Use, but no mapping",
  ],
  "@RolesAllowed without security()": [
    () => {
      @RestController()
      class UserController {
        @RolesAllowed("admin")
        @GetMapping("/users")
        list() {}
      }
      return start(UserController);
    },
    "Cannot protect 'UserController.list': expected security() of '@irori/irori/security' among the extensions",
  ],
  "security without parentheses": [
    // @ts-expect-error: it is no extension itself
    () => startWith({ extensions: [security] }),
    "Cannot use 'security' before it is called: write security()",
  ],
};

const START: Mistakes = {
  "a provider of NestJS": [
    // @ts-expect-error: it is no class
    () => bootstrap({ components: [{ provide: "users", useClass: Users }] }),
    "Cannot register 'object': expected a class with @Component(), @Service(), @RestController() or the like",
  ],
  "a component of modules that import each other": [
    // @ts-expect-error: it is no class
    () => bootstrap({ components: [undefined] }),
    "Cannot register 'undefined': expected a class with @Component(), @Service(), @RestController() or the like; modules that import " +
    "each other may not have defined it yet",
  ],
  "components in a list of their own": [
    // @ts-expect-error: it is no class
    () => bootstrap({ components: [[Users]] }),
    "Cannot register 'object': expected a class with @Component(), @Service(), @RestController() or the like",
  ],
  "a startup function that is not called": [
    // @ts-expect-error: it is no startup function itself
    () => bootstrap({ startup: [migrateSql] }),
    "Cannot use 'migrateSql' before it is called: write migrateSql()",
  ],
  "bootstrap() that is not awaited": [
    // @ts-expect-error: a promise does not listen
    () => bootstrap({}).listen(),
    "bootstrap(...).listen is not a function",
  ],
  "a port that is a text": [
    () => bootstrap({ config: { server: { port: "http" } } }),
    "'server.port': Expected a number, found 'http'",
  ],
  "a setting that is mistyped": [
    () => bootstrap({ config: { server: { prot: 8080 } } }),
    "'server.prot': Unknown setting: did you mean 'server.port'?",
  ],
};

/** The compiler refuses these, and nothing checks them at startup, because their effect shows at once. */
export const REFUSED_BY_THE_COMPILER: Readonly<Record<string, () => unknown>> = {
  "a constructor with parameters, of the parent": () => {
    class Base {
      constructor(readonly users: Users) {}
    }
    // @ts-expect-error: the container has nothing to pass
    @RestController()
    class UserController extends Base {
      @GetMapping("/users")
      list() {
        return this.users.all();
      }
    }
    return start(Users, UserController as unknown as Constructor);
  },
  "@Autowired on a method": () => {
    class UserController {
      // @ts-expect-error: only fields are filled
      @Autowired(Users)
      setUsers(_users: Users) {}
    }
    return UserController;
  },
  "@RestController on a method": () => {
    class UserController {
      // @ts-expect-error: it is for classes
      @RestController()
      list() {}
    }
    return UserController;
  },
  "several paths in one mapping, as in Spring": () => {
    class UserController {
      // @ts-expect-error: a path is a text
      @GetMapping(["/users", "/people"])
      list() {}
    }
    return UserController;
  },
  "{ value } in place of { path }, as in Spring": () => {
    class UserController {
      // @ts-expect-error: there is no such option
      @GetMapping({ value: "/users" })
      list() {}
    }
    return UserController;
  },
  'method: "get"': () => {
    class UserController {
      // @ts-expect-error: methods are written in capitals
      @RequestMapping({ path: "/users", method: "get" })
      list() {}
    }
    return UserController;
  },
  "an option that there is not":
    // @ts-expect-error: the option is 'defaultValue'
    () => RequestParam("page", "int", { default: 1 }),
  "a binder without a name":
    // @ts-expect-error: the name is missing
    () => RequestHeader(),
  "ResponseEntity.ok(body), as in Spring":
    // @ts-expect-error: it takes none
    () => answerOf(() => ResponseEntity.ok({ name: "Ada" })),
  "a module of NestJS": () => {
    class AppModule {}
    // @ts-expect-error: these are no options
    return bootstrap(AppModule);
  },
  "{ controllers, providers }, as @Module() of NestJS":
    // @ts-expect-error: there is no such option
    () => bootstrap({ controllers: [Users], providers: [] }),
  "{ port } in place of the configuration":
    // @ts-expect-error: there is no such option
    () => bootstrap({ port: 3000 }),
  "listen(3000), as in Express and NestJS":
    // @ts-expect-error: it takes none
    async () => await (await bootstrap({})).listen(3000),
};

const ALL = { DEPENDENCIES, CLASSES, MAPPINGS, VALUES, ANSWERS, MIDDLEWARE, START };
for (const [subject, mistakes] of Object.entries(ALL)) {
  Deno.test(`common mistakes + ${subject.toLowerCase()}: each has a message that says what to write`, async (t) => {
    for (const [name, [mistake, message]] of Object.entries(mistakes)) {
      await t.step(name, async () => assertEquals(await messageOf(mistake), message));
    }
  });
}

Deno.test("common mistakes + inherited constructors with parameters are no mistake", async () => {
  class Base {
    constructor(readonly clock?: () => number) {}
  }
  @Service()
  class Derived extends Base {}
  @Service()
  class Passing extends Base {
    constructor() {
      const list: [] = [];
      super(...list);
    }
  }
  @Service()
  class Events extends EventEmitter {}
  @Service()
  class Requests extends Agent {}
  @Service()
  class Pipe extends PassThrough {}
  @Service()
  class Store extends AsyncLocalStorage<string> {}
  @Service()
  class Failure extends Error {}
  @Service()
  class Names extends Array<string> {}
  @Service()
  class Form extends FormData {}
  const all = [Derived, Passing, Events, Requests, Pipe, Store, Failure, Names, Form];
  const app = await start(...all);
  assertEquals(app.context.get(Derived) instanceof Base, true);
  await app.close();
});

Deno.test("common mistakes + a middleware class of a factory needs no name", async () => {
  const marking = (text: string) =>
    class {
      async handle(context: Context, next: Next) {
        await next();
        context.header("x-limit", text);
      }
    };
  @RestController()
  class UserController {
    @Use(marking("3"))
    @GetMapping("/users")
    list() {
      return [];
    }
  }
  const app = await start(UserController);
  assertEquals((await app.request("/users")).headers.get("x-limit"), "3");
});

Deno.test("@Value + literal text stays what it is when a key of that name is added", async () => {
  @Component()
  class Pool {
    @Value("pool.size")
    readonly label!: string;
  }
  const app = await startWith({ config: { pool: { size: 3 } } }, Pool);
  assertEquals(app.context.get(Pool).label, "pool.size");
});

Deno.test("@Configuration + takes the name of the bean", async () => {
  @Configuration("settings")
  class Beans {}
  const app = await start(Beans);
  assertEquals(app.context.getByName("settings") instanceof Beans, true);
});

/** The message about a mistake: the error, or the response to the request. */
async function messageOf(mistake: () => unknown): Promise<unknown> {
  try {
    return await mistake();
  } catch (error) {
    return (error as Error).message;
  }
}

function start(...components: readonly Constructor[]): Promise<Application> {
  return startWith({}, ...components);
}

function startWith(
  options: BootstrapOptions,
  ...components: readonly Constructor[]
): Promise<Application> {
  return bootstrap({ ...options, components });
}

async function ask(
  components: readonly Constructor[],
  path: string,
  init?: RequestInit,
): Promise<string> {
  const app = await start(...components);
  let response = new Response();
  const [line] = await logged(async () => {
    response = await app.request(path, init);
  });
  const { status } = response;
  if (line) return `${status}, logged: ${line[1] instanceof Error ? line[1].message : line[1]}`;
  return response.body ? `${status}: ${(await response.json()).detail}` : `${status}`;
}

function answerOf(answer: () => unknown): Promise<string> {
  @RestController()
  class UserController {
    @GetMapping("/users")
    list() {
      return answer();
    }
  }
  return ask([UserController], "/users");
}

function json(value: unknown): RequestInit {
  return {
    method: "POST",
    body: JSON.stringify(value),
    headers: { "Content-Type": "application/json" },
  };
}
