import {
  DeleteMapping,
  GetMapping,
  HttpError,
  HttpStatus,
  PatchMapping,
  PathVariable,
  PostMapping,
  PutMapping,
  RequestBody,
  RequestParam,
  ResponseEntity,
  RestController,
} from "@irori/irori";
import * as z from "zod";
import { kind, NewProduct, page, PriceChange, type Product, product } from "./schemas.ts";

@RestController()
export class ProductController {
  readonly #products = new Map<number, Product>([
    [1, { id: 1, name: "Emma", kind: "book", price: 12, released: "1815-12-23" }],
    [2, { id: 2, name: "Go", kind: "game", price: 30 }],
  ]);
  #next = 3;

  @GetMapping(
    { path: "/products", returns: page(product) },
    RequestParam("limit", "int", { defaultValue: 20 }),
    RequestParam("kind", ["book", "game", "film"], { required: false }),
    RequestParam("since", "date", { defaultValue: "0001-01-01" }),
  )
  list(limit: number, only: string | undefined, since: string) {
    const all = [...this.#products.values()]
      .filter((one) =>
        (only === undefined || one.kind === only) && (one.released ?? "9999") > since
      );
    return { items: all.slice(0, Math.max(0, limit)), total: all.length, limit };
  }

  @GetMapping({ path: "/products/count", returns: z.object({ count: z.int() }) })
  count() {
    return { count: this.#products.size };
  }

  @GetMapping({ path: "/products/kinds", returns: z.array(kind) })
  kinds() {
    return ["book" as const, "game" as const, "film" as const];
  }

  @GetMapping(
    { path: "/products/{id}", returns: product, problems: [HttpStatus.NOT_FOUND] },
    PathVariable("id", "int"),
  )
  get(id: number) {
    return this.#find(id);
  }

  @GetMapping(
    {
      path: "/products/{id}/price",
      returns: z.object({ price: z.number(), rate: z.number() }),
      problems: [HttpStatus.NOT_FOUND],
    },
    PathVariable("id", "int"),
    RequestParam("rate", "number", { defaultValue: 1 }),
  )
  price(id: number, rate: number) {
    return { price: this.#find(id).price, rate };
  }

  @PostMapping({
    path: "/products",
    status: HttpStatus.CREATED,
    returns: product,
    problems: [HttpStatus.CONFLICT],
  }, RequestBody(NewProduct))
  create(body: NewProduct) {
    if ([...this.#products.values()].some(({ name }) => name === body.name)) {
      throw new HttpError(HttpStatus.CONFLICT, "The name is taken");
    }
    const made = { ...body, id: this.#next++ };
    this.#products.set(made.id, made);
    return ResponseEntity.created(`/products/${made.id}`).withJson(made);
  }

  @PutMapping(
    { path: "/products/{id}", returns: product, problems: [HttpStatus.NOT_FOUND] },
    PathVariable("id", "int"),
    RequestBody(NewProduct),
  )
  replace(id: number, body: NewProduct) {
    this.#find(id);
    const made = { ...body, id };
    this.#products.set(id, made);
    return made;
  }

  @PatchMapping(
    { path: "/products/{id}/price", returns: product, problems: [HttpStatus.NOT_FOUND] },
    PathVariable("id", "int"),
    RequestBody(PriceChange),
  )
  reprice(id: number, { price }: PriceChange) {
    const made = { ...this.#find(id), price };
    this.#products.set(id, made);
    return made;
  }

  @DeleteMapping({
    path: "/products/{id}",
    status: HttpStatus.NO_CONTENT,
    problems: [HttpStatus.NOT_FOUND],
  }, PathVariable("id", "int"))
  remove(id: number) {
    this.#products.delete(this.#find(id).id);
  }

  #find(id: number): Product {
    const found = this.#products.get(id);
    if (!found) throw new HttpError(HttpStatus.NOT_FOUND, "No such product");
    return found;
  }
}
