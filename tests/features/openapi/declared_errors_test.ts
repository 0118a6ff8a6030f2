import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { z } from "zod";
import {
  type Application,
  BindingError,
  ControllerAdvice,
  ExceptionHandler,
  GetMapping,
  HttpError,
  HttpStatus,
  PathVariable,
  PostMapping,
  Problem,
  problem,
  RequestBody,
  RequestParam,
  ResponseEntity,
  RestController,
} from "../../../mod.ts";
import { client, isProblem, ProblemError } from "../../../src/features/client/mod.ts";
import { contractModule, contractOf } from "../../../src/features/contract/mod.ts";
import { openApiDocument, type OperationObject } from "../../../src/features/openapi/mod.ts";
import { verify } from "../../../src/features/testing/mod.ts";
import { appOf, Failures } from "../../web/helpers.ts";

const Invalid = z.object({ fields: z.array(z.string()) });
const Order = z.object({ id: z.int() });
const Failure = z.object({ code: z.int(), message: z.string() });

@RestController()
class Orders {
  @GetMapping(
    { path: "/orders/{id}", returns: Order, problems: [HttpStatus.CONFLICT] },
    PathVariable("id", "int"),
  )
  get(id: number) {
    return { id };
  }
  @PostMapping({ path: "/orders", returns: Order }, RequestBody(Order))
  post(order: { id: number }) {
    return order;
  }
  @GetMapping({ path: "/health", returns: z.string() })
  health() {
    return "up";
  }
}

@ControllerAdvice()
class ApiErrors {
  @ExceptionHandler({ status: HttpStatus.UNPROCESSABLE_ENTITY, returns: Invalid }, BindingError)
  invalid({ errors }: BindingError) {
    const fields = errors.map(({ pointer, parameter }) => pointer ?? parameter ?? "");
    return { fields, secret: "not sent" } as { fields: string[] };
  }

  @ExceptionHandler({ returns: Failure }, Error)
  failed(error: Error) {
    return { code: error instanceof HttpError ? error.status.value : 500, message: error.name };
  }
}

const INFO = { title: "T", version: "1" };

Deno.test("ExceptionHandler() + declares status and body once, for document, contract and client", async () => {
  await using app = await appOf([Orders, ApiErrors]);
  const invalid = await app.request("/orders/x");
  assertEquals([invalid.status, await invalid.text()], [422, `{"fields":["id"]}`]);
  const missing = await app.request("/nothing");
  assertEquals([missing.status, await missing.text()], [404, `{"code":404,"message":"HttpError"}`]);

  const { paths, components } = openApiDocument(app.routeTable, INFO);
  assertEquals(Object.keys(components.responses ?? {}), ["failed", "invalid"]);
  assertEquals(Object.values(components.responses ?? {}).map(({ description }) => description), [
    "An error",
    "Unprocessable Content",
  ]);
  assertEquals(
    (components.responses?.invalid?.content?.["application/json"]?.schema as { required: unknown })
      .required,
    ["fields"],
  );
  assertEquals(Object.keys(components.responses?.failed?.content ?? {}), ["application/json"]);
  const responses = (operation: OperationObject | undefined) =>
    Object.fromEntries(
      Object.entries(operation?.responses ?? {}).map((
        [status, { $ref }],
      ) => [status, $ref?.split("/").at(-1)]),
    );
  assertEquals(responses(paths["/orders/{id}"]?.get), {
    200: undefined,
    409: "failed",
    422: "invalid",
    default: "failed",
  });
  assertEquals(responses(paths["/orders"]?.post), {
    200: undefined,
    413: "failed",
    415: "failed",
    422: "invalid",
    default: "failed",
  });
  assertEquals(responses(paths["/health"]?.get), { 200: undefined, default: "failed" });

  const contract = contractOf(app.routeTable);
  assertEquals(contract.Orders?.get?.problems, [
    { status: 409, type: undefined },
    { status: 422, type: undefined },
  ]);
  assertEquals(contract.Orders?.health?.problems, undefined);
  const module = contractModule(app.routeTable);
  assertEquals(module.match(/fields: string\[\]/g), [
    "fields: string[]",
    "fields: string[]",
  ]);
  const api = client("http://localhost", contract, {
    fetch: async (request) => await app.fetch(request),
  });
  const error = await assertRejects(() => api.orders!.get!({ id: "x" }), ProblemError);
  assertEquals(isProblem(api.orders!.get!, error) && error.problem as unknown, { fields: ["id"] });
  const gone = client("http://localhost", contract, {
    fetch: () => Promise.resolve(Response.json({ fields: [] }, { status: 404 })),
  });
  const other = await assertRejects(() => gone.orders!.get!({ id: 1 }), ProblemError);
  assertEquals([isProblem(gone.orders!.get!, other), other.problem], [false, undefined]);
});

class Taken extends Problem({
  status: HttpStatus.CONFLICT,
  type: "/problems/taken",
  schema: z.object({ name: z.string() }),
}) {}

@RestController()
class Names {
  @GetMapping({ path: "/status", problems: [HttpStatus.CONFLICT] })
  status() {
    throw new HttpError(409, "Taken");
  }
  @GetMapping({ path: "/class", problems: [Taken, HttpStatus.CONFLICT] })
  class() {
    throw new Taken({ name: "a" });
  }
  @PostMapping(
    { path: "/xml", produces: "application/xml", problems: [HttpStatus.CONFLICT] },
    RequestBody(Order),
  )
  xml(_order: { id: number }) {
    throw new HttpError(409, "Taken");
  }
}

/**
 * The problems that the application sends, by status and type, and those that its document declares for the operation.
 */
async function described(
  app: Application,
  method: "get" | "post",
  path: string,
  init?: RequestInit,
) {
  const response = await app.request(path, { method, ...init });
  const { paths, components } = openApiDocument(app.routeTable, INFO);
  const { responses } = paths[path]![method]!;
  const { $ref = "", content } = responses[response.status] ?? {};
  const shared = components.responses?.[$ref.split("/").at(-1)!];
  return {
    sent: `${response.status} ${response.headers.get("Content-Type")} ${await response.text()}`,
    types: Object.keys(shared?.content ?? content ?? {}),
    statuses: Object.keys(responses).join(" "),
  };
}

const WITH_BODY = { headers: { "Content-Type": "application/json" }, body: `{"id":1}` };

Deno.test("ExceptionHandler() + of HttpError replaces the problems of mappings that it answers", async () => {
  @ControllerAdvice()
  class Errors {
    @ExceptionHandler({ returns: Failure }, HttpError)
    failed({ status, name }: HttpError) {
      return { code: status.value, message: name };
    }
  }
  await using app = await appOf([Names, Errors]);
  const contract = contractOf(app.routeTable);
  const api = client("http://localhost", contract, {
    fetch: async (request) => await app.fetch(request),
  });
  for (const [name, error] of [["status", "HttpError"], ["class", "Taken"]] as const) {
    const body = { code: 409, message: error };
    assertEquals(await described(app, "get", `/${name}`), {
      sent: `409 application/json ${JSON.stringify(body)}`,
      types: ["application/json"],
      statuses: "200 409 default",
    });
    assertEquals(contract.Names?.[name]?.problems, [{ status: 409, type: undefined }]);
    const thrown = await assertRejects(() => api.names![name]!({}), ProblemError);
    assertEquals(isProblem(api.names![name]!, thrown) && thrown.problem as unknown, body);
  }
  assertEquals(contractModule(app.routeTable).match(/about:blank|taken/g), null);
  await verify(app, { except: ["/xml"], failing: ["/status", "/class"] });
});

Deno.test("ExceptionHandler() + with a status is the only response to what the library refuses", async () => {
  @ControllerAdvice()
  class Errors {
    @ExceptionHandler({ status: HttpStatus.BAD_REQUEST, returns: Failure }, HttpError)
    failed({ status, name }: HttpError) {
      return { code: status.value, message: name };
    }
  }
  await using app = await appOf([Names, Orders, Errors]);
  const text = { headers: { "Content-Type": "text/plain" }, body: "1" };
  assertEquals(await described(app, "post", "/orders", text), {
    sent: `400 application/json {"code":415,"message":"HttpError"}`,
    types: ["application/json"],
    statuses: "200 400 default",
  });
  assertEquals((await described(app, "get", "/class")).statuses, "200 400 default");
  // Without an acceptable type it is JSON.
  const { sent, types, statuses } = await described(app, "post", "/xml", {
    ...WITH_BODY,
    headers: { ...WITH_BODY.headers, Accept: "image/png" },
  });
  assertEquals(sent, `400 application/json {"code":406,"message":"HttpError"}`);
  assertEquals([types, statuses], [["application/xml", "application/json"], "200 400 default"]);
});

Deno.test("ExceptionHandler() + is described in the media type that the route produces", async () => {
  @ControllerAdvice()
  class Errors {
    @ExceptionHandler({ returns: Failure }, HttpError)
    failed({ status, name }: HttpError) {
      return { code: status.value, message: name };
    }
  }
  await using app = await appOf([Names, Errors]);
  const xml = (code: number, message: string) =>
    `${code} application/xml <?xml version="1.0" encoding="UTF-8"?>\n` +
    `<response><code>${code}</code><message>${message}</message></response>`;
  const types = ["application/xml"];
  const statuses = "200 400 406 409 413 415 default";
  assertEquals(await described(app, "post", "/xml", WITH_BODY), {
    ...{ sent: xml(409, "HttpError"), types, statuses },
  });
  const invalid = { ...WITH_BODY, body: "{}" };
  assertEquals(await described(app, "post", "/xml", invalid), {
    ...{ sent: xml(400, "HttpError"), types, statuses },
  });
  const picture = { ...WITH_BODY, headers: { ...WITH_BODY.headers, Accept: "image/png" } };
  assertEquals((await described(app, "post", "/xml", picture)).types, ["application/json"]);
});

Deno.test("ExceptionHandler() + rejects 'returns' that is no schema", () => {
  for (const returns of ["x", class Plain {}]) {
    assertThrows(
      () => ExceptionHandler({ returns } as never, HttpError),
      TypeError,
      `expected a Standard Schema or a class made by Problem() as 'returns', found ${typeof returns}`,
    );
  }
});

Deno.test("verify() + holds declared errors against what is sent", async () => {
  @ControllerAdvice()
  class Undeclared {
    @ExceptionHandler(BindingError)
    invalid() {
      return ResponseEntity.status(HttpStatus.UNPROCESSABLE_ENTITY).withJson({ anything: true });
    }
  }
  await using app = await appOf([Orders, ApiErrors]);
  await verify(app);
  await using undeclared = await appOf([Orders, Undeclared]);
  await assertRejects(() => verify(undeclared), Error, "422");
});

class NotValid extends Problem({
  status: HttpStatus.UNPROCESSABLE_ENTITY,
  type: "/problems/invalid",
  schema: z.object({ places: z.array(z.string()) }),
}) {}

Deno.test("ExceptionHandler() + takes a class made by Problem(), and sends what is returned of it", async () => {
  @ControllerAdvice()
  class Errors {
    @ExceptionHandler({ returns: NotValid }, BindingError)
    invalid({ errors }: BindingError) {
      return new NotValid({ places: errors.map(({ parameter = "" }) => parameter) });
    }
  }
  @RestController()
  class Own {
    @GetMapping("/own", RequestParam("a", "int"))
    own(a: number) {
      return { a };
    }
    @ExceptionHandler(BindingError)
    invalid() {
      return problem(HttpStatus.CONFLICT);
    }
  }
  await using app = await appOf([Orders, Own, Errors]);
  const invalid = await app.request("/orders/x");
  assertEquals([invalid.status, invalid.headers.get("Content-Type"), await invalid.json()], [
    422,
    "application/problem+json",
    {
      type: "/problems/invalid",
      title: "Unprocessable Content",
      status: 422,
      instance: "/orders/x",
      places: ["id"],
    },
  ]);
  const { paths, components } = openApiDocument(app.routeTable, INFO);
  assertEquals(components.responses?.NotValid?.content, {
    "application/problem+json": { schema: { $ref: "#/components/schemas/NotValid" } },
  });
  // The handler of the controller comes first, and declares nothing.
  assertEquals(Object.keys(paths["/own"]!.get!.responses), ["200", "400", "default"]);
  const { problems } = contractOf(app.routeTable).Orders!.get!;
  assertEquals(problems, [{ status: 409, type: "about:blank" }, {
    status: 422,
    type: "/problems/invalid",
  }]);
  await verify(app, { except: ["/own"] });
});

Deno.test("ExceptionHandler() + answers 500 for a body that its schema refuses", async () => {
  @ControllerAdvice()
  class Errors {
    @ExceptionHandler({ returns: Invalid }, BindingError)
    invalid() {
      return { fields: [1] } as never;
    }
  }
  const failures = new Failures();
  await using app = await appOf([Orders, Errors], { extensions: [failures.extension] });
  assertEquals((await app.request("/orders/x")).status, 500);
  assertEquals(failures.errors.map(([, error]) => (error as Error).message), [
    "Cannot send what 'Errors.invalid' returned: it does not match the schema of 'returns' at '/fields/0'",
  ]);
});
