import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { Validator } from "@seriousme/openapi-schema-validator";
import { z } from "zod";
import {
  type Application,
  bootstrap,
  GetMapping,
  PathVariable,
  PostMapping,
  RequestBody,
  RequestMapping,
  RestController,
} from "../../../mod.ts";
import { client } from "../../../src/features/client/mod.ts";
import {
  contractModule,
  contractOf,
  documentVersions,
  openApi,
  openApiDocument,
} from "../../../src/features/contract/mod.ts";
import { VerificationError, verify } from "../../../src/features/testing/mod.ts";

const first = z.object({ name: z.string() }).meta({ id: "First" });
const second = z.object({ first: z.string(), last: z.string() }).meta({ id: "Second" });

@RestController()
@RequestMapping("/users/{id}")
class UserController {
  @GetMapping({
    version: "1",
    returns: first,
    deprecated: { since: "2026-01-31", sunset: "2026-12-31", link: "https://example.com/v1" },
  }, PathVariable("id", "int", { in: "class" }))
  first(_id: number) {
    return { name: "Ada Lovelace" };
  }
  @GetMapping(
    { version: ["2", "3"], returns: second },
    PathVariable("id", "int", { in: "class" }),
  )
  second(_id: number) {
    return { first: "Ada", last: "Lovelace" };
  }
  @GetMapping({ path: "/health", returns: z.object({ up: z.boolean() }) })
  health() {
    return { up: true };
  }
  @GetMapping({ path: "/open", returns: first })
  open() {
    return { name: "open" };
  }
  @GetMapping({ path: "/open", version: "3", returns: second })
  newOpen() {
    return { first: "open", last: "3" };
  }
}

function application(settings: Record<string, string>): Promise<Application> {
  return bootstrap({
    components: [UserController],
    config: { server: { "api-version": { ...settings, supported: ["1", "2", "3"] } } },
    extensions: [openApi()],
  });
}

const info = { title: "t", version: "1" };

/** `/users/{id} Second required 2`. */
function summaryOf(app: Application, apiVersion?: string): readonly string[] {
  const document = openApiDocument(app.routeTable, info, { apiVersion });
  return Object.entries(document.paths).map(([path, { get }]) => {
    const { schema } = get?.responses[200]?.content?.["application/json"] ?? {};
    const header = get?.parameters?.find((parameter) => parameter.in === "header");
    const name = String(schema?.$ref ?? "").split("/").at(-1);
    const said = header && `${header.required ? "required" : "optional"} ${header.schema.enum}`;
    return [path, name, said].filter(Boolean).join(" ");
  }).sort();
}

Deno.test("openApiDocument() + describes one version of the API, where a header selects it", async () => {
  await using app = await application({ header: "X-API-Version" });
  assertEquals(documentVersions(app.routeTable), ["1", "2", "3"]);
  assertEquals(summaryOf(app, "1"), [
    "/users/{id} First required 1",
    "/users/{id}/health",
    "/users/{id}/open First optional 1",
  ]);
  assertEquals(summaryOf(app, "3"), [
    "/users/{id} Second required 3",
    "/users/{id}/health",
    "/users/{id}/open Second required 3",
  ]);
  // The newest.
  assertEquals(summaryOf(app), summaryOf(app, "3"));
  assertThrows(() => summaryOf(app, "4"), RangeError, "expected one of '1', '2', '3'");
  for (const apiVersion of ["1", "2", "3"]) {
    const document = openApiDocument(app.routeTable, info, { apiVersion });
    const { valid, errors } = await new Validator().validate(document as never);
    assertEquals([valid, errors], [true, undefined]);
    const { get } = document.paths["/users/{id}"] ?? {};
    assertEquals(get?.deprecated, apiVersion === "1" ? true : undefined);
    assertEquals(
      Object.keys(get?.responses[200]?.headers ?? {}),
      apiVersion === "1" ? ["Deprecation", "Sunset", "Link"] : [],
    );
  }
});

Deno.test("openApiDocument() + what has no version may be reached by saying one alone", async () => {
  await using app = await application({ header: "X-API-Version", default: "3" });
  assertEquals(summaryOf(app), summaryOf(app, "3"));
  assertEquals(summaryOf(app, "3")[2], "/users/{id}/open Second optional 3");
  assertEquals(summaryOf(app, "1")[2], "/users/{id}/open First required 1");
});

Deno.test("openApiDocument() + describes all versions, where the path selects one", async () => {
  await using app = await application({ path: "/v{version}", default: "2" });
  assertEquals(documentVersions(app.routeTable), [undefined]);
  assertEquals(summaryOf(app), [
    "/users/{id}/health",
    "/users/{id}/open First",
    "/v1/users/{id} First",
    "/v2/users/{id} Second",
    "/v3/users/{id} Second",
    "/v3/users/{id}/open Second",
  ]);
});

Deno.test("openApiDocument() and verify() + refuse a version where one document has all", async () => {
  const message = "Cannot describe the version '2' of the API: one document has all routes";
  await using app = await application({ path: "/v{version}" });
  assertThrows(() => summaryOf(app, "2"), RangeError, message);
  await assertRejects(() => verify(app, { apiVersion: "2" }), RangeError, message);
  await using plain = await bootstrap({});
  assertThrows(() => summaryOf(plain, "2"), RangeError, message);
});

Deno.test("openApi() + reports an unknown schema once for all versions", async () => {
  const unknown = {
    "~standard": { version: 1, vendor: "own", validate: (value: unknown) => ({ value }) },
  } as const;
  @RestController()
  class OpaqueController {
    @PostMapping({ path: "/a", version: ["1", "2"] }, RequestBody(unknown))
    a(): void {}
    @PostMapping("/b", RequestBody(unknown))
    b(): void {}
    @PostMapping({ path: "/c", version: "2" }, RequestBody(unknown))
    c(): void {}
  }
  const named: string[] = [];
  await using _ = await bootstrap({
    components: [OpaqueController],
    config: { server: { "api-version": { header: "X-API-Version" } } },
    extensions: [openApi({ onUnknownSchema: (name) => named.push(name) })],
  });
  assertEquals(named, [...new Set(named)]);
  assertEquals(named.length, 3);
});

Deno.test("openApi() + serves a document for each version", async () => {
  await using app = await application({ header: "X-API-Version", default: "1" });
  const versionOf = async (query: string) => {
    const response = await app.request(`/openapi.json${query}`);
    const { paths, detail } = await response.json();
    return detail ?? paths["/users/{id}"].get.parameters[1].schema.enum;
  };
  assertEquals(await versionOf(""), ["1"]);
  assertEquals(await versionOf("?version=3"), ["3"]);
  assertStringIncludes(await versionOf("?version=4"), "expected one of '1', '2', '3'");
});

Deno.test("contractOf() + has the version header, and clients send it", async () => {
  const byHeader: Record<string, string> = { header: "X-API-Version", default: "3" };
  for (const settings of [byHeader, { path: "/v{version}", default: "2" }]) {
    await using app = await application(settings);
    const { UserController: contract = {} } = contractOf(app.routeTable);
    const users = client<UserController>("http://localhost", contract, {
      fetch: async (request) => await app.fetch(request),
    });
    assertEquals(await users.first(1), { name: "Ada Lovelace" });
    assertEquals(await users.second(1), { first: "Ada", last: "Lovelace" });
    assertStringIncludes(contractModule(app.routeTable), "result: First;");
    if (settings !== byHeader) continue;
    assertEquals(contract.first?.headers, { "X-API-Version": "1" });
    assertEquals(contract.second?.headers, { "X-API-Version": "3" });
    // Not the default one, which another handler answers.
    assertEquals(contract.open?.headers, { "X-API-Version": "2" });
    assertEquals(contract.health?.headers, undefined);
  }
});

Deno.test("verify() + sends requests to all versions", async () => {
  const defaults: readonly Record<string, string>[] = [{}, { default: "1" }, { default: "3" }];
  for (const settings of defaults) {
    await using app = await application({ header: "X-API-Version", ...settings });
    assertEquals((await verify(app, { runs: 5 })).operations, 9);
    assertEquals((await verify(app, { runs: 5, apiVersion: "2" })).operations, 3);
  }
  await using byPath = await application({ path: "/v{version}" });
  assertEquals((await verify(byPath, { runs: 5 })).operations, 6);
});

Deno.test("verify() + names the version with a violation", async () => {
  @RestController()
  class BrokenController {
    @GetMapping({ path: "/a", version: "1", returns: first })
    good() {
      return { name: "a" };
    }
    @GetMapping({ path: "/a", version: "2", returns: first })
    broken() {
      return { name: 1 as unknown as string };
    }
  }
  await using app = await bootstrap({
    components: [BrokenController],
    config: { server: { "api-version": { header: "X-API-Version" } } },
    extensions: [() => ({ log: () => {} })],
  });
  const error = await assertRejects(() => verify(app, { runs: 2 }), VerificationError);
  assertEquals([...new Set(error.violations.map(({ operation }) => operation))], [
    "GET /a of version 2",
  ]);
});
