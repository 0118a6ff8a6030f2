import { HTTPException } from "hono/http-exception";
import {
  BindingError,
  ControllerAdvice,
  ExceptionHandler,
  GetMapping,
  HttpError,
  type HttpRequest,
  HttpStatus,
  PathVariable,
  problem,
  RequestMapping,
  RequestParam,
  ResponseEntity,
  RestController,
  STATUS,
  Use,
} from "../../../mod.ts";

class OutOfStock extends Error {
  constructor(readonly sku: string) {
    super(`There is no ${sku} left`);
  }
}

class SoldOut extends OutOfStock {}

class Closed extends Error {
  static readonly [STATUS] = HttpStatus.GONE;
}

class Broken extends Error {}

@RestController()
@RequestMapping("/errors")
export class FailingController {
  @GetMapping("/stock/{sku}", PathVariable("sku"))
  stock(sku: string) {
    throw sku === "apples" ? new SoldOut(sku) : new OutOfStock(sku);
  }

  // deno-lint-ignore require-yield
  @GetMapping("/events")
  async *events() {
    await Promise.resolve();
    throw new OutOfStock("pears");
  }

  @GetMapping("/guarded")
  @Use(() => {
    throw new OutOfStock("guards");
  })
  guarded() {}

  @GetMapping("/closed")
  closed() {
    throw new Closed("Closed for good");
  }

  @GetMapping("/broken")
  broken() {
    throw new Broken("secret");
  }

  @GetMapping("/hono")
  hono() {
    throw new HTTPException(402, { message: "Pay" });
  }

  @GetMapping("/number", RequestParam("n", "int"))
  number(n: number) {
    return n;
  }

  @GetMapping("/http")
  http() {
    throw new HttpError(429, "Slower", { headers: { "Retry-After": "7" } });
  }

  /** For this controller alone: the others' are problems. */
  @ExceptionHandler(BindingError, HttpError)
  binding({ message, status }: HttpError) {
    return { message, code: status.value };
  }

  @ExceptionHandler(HTTPException)
  exception({ message }: HTTPException) {
    return `hono ${message}`;
  }
}

@ControllerAdvice()
export class StockErrors {
  @ExceptionHandler(OutOfStock)
  outOfStock({ sku }: OutOfStock, request: HttpRequest) {
    return problem(HttpStatus.CONFLICT, { detail: `No ${sku}`, instance: request.path, sku });
  }

  @ExceptionHandler(SoldOut)
  async soldOut({ sku }: SoldOut, request: HttpRequest) {
    await Promise.resolve();
    return ResponseEntity.status(HttpStatus.GONE).setBody(`${sku} ${request.pathVariable("sku")}`);
  }

  @ExceptionHandler(Broken)
  broken() {
    throw new Error("secret");
  }
}
