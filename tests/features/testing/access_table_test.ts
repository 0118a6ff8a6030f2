import { assertEquals } from "@std/assert";
import {
  DeleteMapping,
  GetMapping,
  HttpError,
  type HttpRequest,
  HttpStatus,
  PathVariable,
  PostMapping,
  PutMapping,
  RequestMapping,
  RestController,
} from "../../../mod.ts";
import {
  CurrentUser,
  jwt,
  PermitAll,
  PreAuthorize,
  type Principal,
  RolesAllowed,
  security,
} from "../../../src/features/security/mod.ts";
import { accessTable, asUser, testApplication } from "../../../src/features/testing/mod.ts";

@RestController()
@RequestMapping("/reports")
class Reports {
  @GetMapping("", CurrentUser())
  mine({ name }: Principal): string {
    return name;
  }

  @PermitAll()
  @GetMapping("/public")
  open(): string {
    return "open";
  }

  @RolesAllowed("admin")
  @DeleteMapping("/{id}", PathVariable("id", "int"))
  remove(_id: number): void {}

  @PreAuthorize((user: Principal) => user.name === "ada")
  @PostMapping("/{name}/copies", PathVariable("name"))
  copy(name: string): string {
    return name;
  }

  @GetMapping("/events")
  async *events({ signal }: HttpRequest): AsyncGenerator<string> {
    yield "open";
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  }

  @RolesAllowed("admin")
  @PutMapping({ path: "/{id}/cover", consumes: "image/*" }, PathVariable("id", "int"))
  cover(_id: number): void {}
}

const ada: Principal = { name: "ada" };
const root: Principal = { name: "root", roles: ["admin"] };
const options = {
  components: [Reports],
  extensions: [
    security({ schemes: { token: jwt({ issuer: "i", audience: "a", secret: "s".repeat(32) }) } }),
  ],
};

Deno.test("accessTable() + has each route and each user", async () => {
  await using app = await testApplication(options);
  const table = await accessTable(app, { users: { anonymous: undefined, ada, root } });
  assertEquals(
    table,
    `
                             anonymous  ada  root
GET /reports                 401        200  200
GET /reports/events          401        200  200
GET /reports/public          200        200  200
DELETE /reports/{id}         401        403  204
POST /reports/{name}/copies  401        200  403
PUT /reports/{id}/cover      401        403  204
`,
  );
});

Deno.test("accessTable() + sends each route its path and its version", async () => {
  @RestController()
  class Versions {
    @GetMapping("/years/{year:\\d{4}}/{month-name}", PathVariable("year"))
    year(_year: string): void {}

    @GetMapping("/files/{*path}", PathVariable("path"))
    file(path: string): void {
      if (path !== "/a/b c") throw new HttpError(404);
    }

    @GetMapping({ path: "/orders", version: "1" })
    first(): void {}

    @GetMapping({ path: "/orders", version: "2", status: HttpStatus.ACCEPTED })
    second(): void {}
  }
  const version = { header: "X-Version", default: "1" };
  await using app = await testApplication({
    components: [Versions],
    config: { server: { "api-version": version } },
  });
  const values = { year: "2026", path: "/a/b c" };
  const headers = { "x-version": "1" };
  assertEquals(
    await accessTable(app, { users: { anonymous: undefined }, values, headers }),
    `
                                      anonymous
GET /files/{*path}                    204
GET /orders 2                         202
GET /orders 1                         204
GET /years/{year:\\d{4}}/{month-name}  204
`,
  );
});

Deno.test("asUser() + takes the place of the schemes for its own request alone", async () => {
  await using app = await testApplication(options);
  const request = asUser(ada, "/reports", { headers: { Authorization: "Bearer nonsense" } });
  assertEquals(await (await app.request(request)).text(), "ada");
  assertEquals((await app.request("/reports")).status, 401);
  assertEquals((await app.request(new Request(request))).status, 401);
  assertEquals(
    await (await app.fetch(asUser(root, new Request("http://h/reports")))).text(),
    "root",
  );
});

Deno.test("asUser() + authenticates a request with a body", async () => {
  await using app = await testApplication(options);
  const request = asUser(ada, "/reports/ada/copies", { method: "POST", body: "text" });
  assertEquals((await app.request(request)).status, 200);
});

Deno.test("asUser() + does not authenticate a request over the network", async () => {
  await using app = await testApplication({
    ...options,
    config: { server: { address: "127.0.0.1", port: 0 } },
  });
  const { url } = await app.listen();
  const response = await fetch(asUser(root, new URL("/reports", url)));
  assertEquals(response.status, 401);
  await response.body?.cancel();
});
