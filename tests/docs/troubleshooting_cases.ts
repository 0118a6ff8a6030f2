/** How the errors of `troubleshooting.md` come about, by the titles of their sections. */
import { DatabaseSync } from "node:sqlite";
import type { MiddlewareHandler } from "hono";
import * as z from "zod";
import {
  Autowired,
  bootstrap,
  type BootstrapOptions,
  Component,
  GetMapping,
  inject,
  PathVariable,
  PostMapping,
  RequestBody,
  RequestParam,
  RestController,
  Service,
} from "../../mod.ts";
import type { Constructor } from "../../src/container/mod.ts";
import { basic, RolesAllowed, security } from "../../src/features/security/mod.ts";
import { Job } from "../../src/features/jobs/mod.ts";
import { startClusterDouble } from "../servers/cluster_double.ts";
import { type Workspace, workspace } from "../e2e/command_line.ts";
import { PackageNotFoundError } from "../../src/runtime/mod.ts";
import { node } from "../runtimes/executables.ts";
import { logged } from "../web/helpers.ts";

class Clock {}

@Service()
class Users {
  all() {
    return ["Ada"];
  }
}

@RestController()
class UserController {
  @GetMapping("/users", RequestParam("page", "int"))
  list(page: number) {
    return [page];
  }
  @PostMapping("/users", RequestBody(z.object({ name: z.string() })))
  create(user: { name: string }) {
    return user;
  }
}

/** Each gives all that is printed, for a response its status and detail. */
export const PRODUCED: Readonly<Record<string, () => Promise<string>>> = {
  "Parameters without a default": () => {
    // @ts-expect-error: the container has nothing to pass
    @RestController()
    class UserController {
      constructor(readonly users: Users) {}
    }
    return failing(() => start(Users, UserController as unknown as Constructor));
  },
  "Cannot find a bean of type": () => {
    @RestController()
    class UserController {
      @Autowired(Clock)
      readonly clock!: Clock;
    }
    return failing(() => start(UserController));
  },
  "Neither among the components nor in a folder of component-scan": () => {
    @RestController()
    class UserController {
      readonly users = inject(Users);
    }
    return failing(() => start(UserController));
  },
  "No bean is being created here": () => failing(() => Promise.resolve(inject(Users))),
  "Cannot build beans that need each other": () => {
    @Service()
    class Orders {
      readonly invoices: unknown = inject(() => Invoices as Constructor);
    }
    @Service()
    class Invoices {
      readonly orders: unknown = inject(Orders);
    }
    return failing(() => start(Orders, Invoices));
  },
  "Cannot inject 'undefined'": () => {
    @Service()
    class Orders {
      readonly invoices: unknown = inject(undefined as unknown as Constructor);
    }
    return failing(() => start(Orders));
  },
  "Is a standard decorator: remove experimentalDecorators": () =>
    failing(() => {
      const legacy = GetMapping("/users") as unknown as (...args: unknown[]) => unknown;
      return Promise.resolve(legacy(UserController.prototype, "list", {}));
    }),
  "Two handlers match the same requests": () => {
    @RestController()
    class UserController {
      @GetMapping("/users/{id}", PathVariable("id"))
      byId(id: string) {
        return id;
      }
      @GetMapping("/users/{name}", PathVariable("name"))
      byName(name: string) {
        return name;
      }
    }
    return failing(() => start(UserController));
  },
  "A variable is written {id}, not :id": () =>
    failing(() => {
      @RestController()
      class UserController {
        @GetMapping("/users/:id")
        get() {}
      }
      return start(UserController);
    }),
  "The path of its mapping does not contain": () => {
    @RestController()
    class UserController {
      // @ts-expect-error: the parameter has another name
      @GetMapping("/users/{id}", PathVariable("userId"))
      get(id: string) {
        return id;
      }
    }
    return failing(() => start(UserController));
  },
  "Requires a value of type number, which text cannot represent": () => {
    @RestController()
    class UserController {
      @GetMapping("/users", RequestParam("page", z.number()))
      list(page: number) {
        return page;
      }
    }
    return failing(() => start(UserController));
  },
  "No endpoint and no handler matches a path of security()": async () => {
    const schemes = { basic: basic({ users: [{ name: "ada", password: "secret" }] }) };
    await using app = await startWith({
      extensions: [security({ schemes, paths: { "/doc": "permitAll" } })],
    }, UserController);
    return await failing(() => app.request("/users"));
  },
  "Expected security() among the extensions": () => {
    @RestController()
    @RolesAllowed("admin")
    class UserController {
      @GetMapping("/users")
      list() {}
    }
    return failing(() => start(UserController));
  },
  "Cannot run jobs": async () => {
    const { jobs } = await import("../../src/features/jobs/mod.ts");
    @Component()
    class Mails {
      @Job("send-mail")
      send() {}
    }
    return await failing(() => startWith({ extensions: [jobs()] }, Mails));
  },
  "Invalid or unexpected token": async () => {
    await using space = await workspace({
      "main.ts": "@RestController()\nclass UserController {}\n",
      "package.json": '{ "type": "module" }',
    });
    const [command = "", ...args] = [...await node(24), `${space.path}/main.ts`];
    const { stderr } = await new Deno.Command(command, { args, stdin: "null" }).output();
    return /^SyntaxError: .*$/m.exec(new TextDecoder().decode(stderr))?.[0] ?? "";
  },
  "Cannot find the package": () =>
    Promise.resolve(new PackageNotFoundError("pg", "^8.23.0").message),
  "Cannot find the configuration": () =>
    failing(() => bootstrap({ root: "/srv/shop", config: undefined })),
  "Is not set and has no default": async () => {
    await using space = await workspace({ "config/application.yml": "token: ${SHOP_TOKEN}\n" });
    return await failing(() => bootstrap({ root: space.path }));
  },
  "The address is in use": async () => {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const server = { address: "127.0.0.1", port: listener.addr.port };
    const app = await startWith({ config: { server } }, UserController);
    return (await failing(() => app.listen())).replaceAll(String(server.port), "8080");
  },
  "The request body is not valid": () => ask("/users", json("{}")),
  "Cannot read a body of this type": () => ask("/users", { method: "POST", body: "a" }),
  "The request body is not well-formed JSON": () => ask("/users", json("{")),
  "Cannot bind the query parameter": () => ask("/users?page=x"),
  "No resource at": () => ask("/user"),
  "Expected one of GET, HEAD, POST": () => ask("/users", { method: "DELETE" }),
  "The request body is larger than": () =>
    ask("/users", json(JSON.stringify({ name: "a".repeat(2_000_000) }))),
  "Authentication is required": () => secured(),
  "Access is denied": () => secured("Basic " + btoa("ada:secret")),
  "Cannot write a value": () => {
    @RestController()
    class UserController {
      @GetMapping("/map")
      map() {
        return new Map();
      }
    }
    return askOf(UserController, "/map");
  },
  "Neither returned a response nor awaited next()": async () => {
    const middleware = [function audit() {} as unknown as MiddlewareHandler];
    const app = await startWith({ middleware }, UserController);
    return await loggedBy(() => app.request("/users?page=1"));
  },
  "Unknown command": () => printed({}, "plann"),
  "There is no setting": () =>
    printed({ "config/application.yml": DATABASE.replace("enabled", "enable") }, "status"),
  "There is no connection": () => printed(SHOP, "plan", "--connection", "shop2"),
  "Nothing to do: the configuration has no datasource": () =>
    printed({ "config/application.yml": "server: { port: 8080 }\n" }, "migrate"),
  "Cannot find the migrations of connection": () =>
    printed({ "config/application.yml": DATABASE }, "migrate"),
  "It was edited after it had been applied": async () => {
    await using space = await workspace(SHOP);
    await space.run("migrate");
    await space.write(
      "migrations/shop/001_users.sql",
      "CREATE TABLE users (name TEXT, email TEXT);\n",
    );
    return await output(space, "migrate");
  },
  "This is the first run here": async () => {
    await using space = await workspace({
      ...SHOP,
      "migrations/shop/000_flyway.sql":
        `CREATE TABLE flyway_schema_history (installed_rank INT PRIMARY KEY,
        version TEXT, description TEXT, type TEXT, script TEXT, checksum INT, installed_by TEXT,
        installed_on TEXT, execution_time INT, success INT)`,
    });
    const database = new DatabaseSync(`${space.path}/shop.db`);
    database.exec(await Deno.readTextFile(`${space.path}/migrations/shop/000_flyway.sql`));
    database.exec(
      "INSERT INTO flyway_schema_history VALUES (1, '1', 'users', 'SQL', 'V1__users.sql', 0, 'a', '2026-11-28', 1, 1)",
    );
    database.close();
    await space.remove("migrations/shop/000_flyway.sql");
    return await output(space, "migrate");
  },
  "Cannot use the D1 database": () =>
    printed(
      { ...D1, "config/application.yml": D1["config/application.yml"].replace("DB", "SHOP") },
      "migrate",
    ),
  "D1 always enforces foreign keys": async () => {
    await using space = await workspace(D1);
    await space.run("migrate");
    await space.write(
      "migrations/002_required.sql",
      "CREATE TABLE copy (id INTEGER PRIMARY KEY, name TEXT NOT NULL);\nDROP TABLE users;\nALTER TABLE copy RENAME TO users;\n",
    );
    return await output(space, "migrate");
  },
  "D1 does not allow": () => printed({ ...D1, "migrations/003_clean.sql": "VACUUM;\n" }, "migrate"),
  "The database refused statement": () =>
    printed({
      ...SHOP,
      "migrations/shop/002_orders.sql":
        "CREATE TABLE orders (id INT);\nINSERT INTO order VALUES (1);\n",
    }, "migrate"),
  "Deletes the data, and an application that still uses it fails": () =>
    printed({
      ...SHOP,
      "config/application.yml": DATABASE.replace("true }", "true, lint: error }"),
      "migrations/shop/002_drop.sql": "DROP TABLE users;\n",
    }, "validate"),
  "A down migration begins here": () =>
    printed({
      ...SHOP,
      "migrations/shop/002_orders.sql":
        "-- migrate:up\nCREATE TABLE orders (id INT);\n-- migrate:down\nDROP TABLE orders;\n",
    }, "migrate"),
  "Cannot connect to": () =>
    printed({
      ...SHOP,
      "config/application.yml": DATABASE.replace(
        "sqlite:./shop.db",
        "postgres://u:p@127.0.0.1:1/shop",
      ),
    }, "migrate"),
  "The database is locked by another process": async () => {
    await using space = await workspace(SHOP);
    const database = new DatabaseSync(`${space.path}/shop.db`);
    database.exec("BEGIN IMMEDIATE");
    const printed = await output(space, "migrate", "--lock-timeout", "1s");
    database.close();
    return printed;
  },
  "No host answers": () => printed(search("http://127.0.0.1:1"), "migrate", "-m", "search"),
  "Does not accept the credentials": async () => {
    await using cluster = startClusterDouble({
      intercept: () => new Response("{}", { status: 401 }),
    });
    return (await printed(search(cluster.url), "migrate", "-m", "search")).replaceAll(
      cluster.url,
      "http://search:9200",
    );
  },
  "Does not allow this": async () => {
    await using cluster = startClusterDouble({
      intercept: () => new Response("{}", { status: 403 }),
    });
    return (await printed(search(cluster.url), "migrate", "-m", "search")).replaceAll(
      cluster.url,
      "http://search:9200",
    );
  },
  "A placeholder needs quotes": () =>
    printed(
      search("http://127.0.0.1:1", '{ "settings": { "number_of_replicas": ${replicas} } }'),
      "validate",
      "-m",
      "search",
    ),
  "Cannot determine what the file defines": () =>
    printed(
      search("http://127.0.0.1:1", '{ "number_of_replicas": 1 }'),
      "validate",
      "-m",
      "search",
    ),
  "Close brace expected": () =>
    printed(search("http://127.0.0.1:1", '{ "mappings": { } '), "validate", "-m", "search"),
};

const DATABASE =
  `datasource: { name: shop, url: "sqlite:./shop.db", migrations: { enabled: true } }\n`;
const SHOP = {
  "config/application.yml": DATABASE,
  "migrations/shop/001_users.sql": "CREATE TABLE users (name TEXT);\n",
};

const D1 = {
  "config/application.yml":
    `datasource: { name: shop, url: "d1:DB", migrations: { enabled: true, lint: off } }\n`,
  "wrangler.jsonc": '{ "d1_databases": [{ "binding": "DB" }] }\n',
  "migrations/001_users.sql": `CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE orders (user_id INTEGER REFERENCES users (id) ON DELETE CASCADE);
    INSERT INTO users VALUES (1, 'Ada');
    INSERT INTO orders VALUES (1);\n`,
};

function search(url: string, index = '{ "mappings": {} }'): Record<string, string> {
  return {
    "config/application.yml":
      `search: { name: catalog, hosts: ["${url}"], migrations: { enabled: true, index_changes: reindex, placeholders: { replicas: 1 } } }\n`,
    "migrations/catalog/products.json": index,
  };
}

async function printed(files: Record<string, string>, ...args: string[]): Promise<string> {
  await using space = await workspace(files);
  return await output(space, ...args);
}

async function output(space: Workspace, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await space.run(...args);
  return `${stderr || stdout}exit code ${code}`;
}

async function secured(authorization?: string): Promise<string> {
  @RestController()
  class UserController {
    @GetMapping("/users")
    @RolesAllowed("admin")
    list() {}
  }
  const schemes = {
    basic: basic({
      users: [
        { name: "ada", password: "secret" },
        { name: "root", password: "secret", roles: ["admin"] },
      ],
    }),
  };
  const app = await startWith({ extensions: [security({ schemes })] }, UserController);
  const headers = authorization ? { Authorization: authorization } : undefined;
  return await summarize(await app.request("/users", { headers }));
}

async function failing(mistake: () => Promise<unknown>): Promise<string> {
  try {
    return `no error: ${await mistake()}`;
  } catch (error) {
    return (error as Error).message;
  }
}

function start(...components: readonly Constructor[]) {
  return startWith({}, ...components);
}

async function startWith(options: BootstrapOptions, ...components: readonly Constructor[]) {
  return await bootstrap({ ...options, components });
}

function json(body: string): RequestInit {
  return { method: "POST", body, headers: { "Content-Type": "application/json" } };
}

function ask(path: string, init?: RequestInit): Promise<string> {
  return askOf(UserController, path, init);
}

async function askOf(type: Constructor, path: string, init?: RequestInit): Promise<string> {
  const app = await start(type);
  return await loggedBy(() => app.request(path, init));
}

async function loggedBy(request: () => Response | Promise<Response>): Promise<string> {
  let response: Response | undefined;
  const [line] = await logged(async () => {
    response = await request();
  });
  return line
    ? String(line[1] instanceof Error ? line[1].message : line[1])
    : await summarize(response!);
}

async function summarize(response: Response): Promise<string> {
  const { status, detail } = await response.json();
  return `${status} ${detail}`;
}
