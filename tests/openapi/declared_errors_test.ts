import { assertEquals, assertRejects } from "@std/assert";
import { z } from "zod";
import {
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
} from "../../mod.ts";
import { client, isProblem, ProblemError } from "../../src/client/mod.ts";
import { contractModule, contractOf } from "../../src/contract/mod.ts";
import { openApiDocument, type OperationObject } from "../../src/openapi/mod.ts";
import { verify } from "../../src/testing/mod.ts";
import { appOf, Failures } from "../web/helpers.ts";

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
    409: undefined,
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
  assertEquals(contract.Orders?.get?.problems, [{ status: 409, type: "about:blank" }, {
    status: 422,
    type: undefined,
  }]);
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
