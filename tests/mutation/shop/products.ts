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
import { Operation } from "@irori/irori/openapi";
import * as z from "zod";
import { kind, NewProduct, page, PriceChange, type Product, product } from "./schemas.ts";

const absent = { description: "No such product" };

@RestController()
export class ProductController {
  readonly #products = new Map<number, Product>([
    [1, { id: 1, name: "Emma", kind: "book", price: 12, released: "1815-12-23" }],
    [2, { id: 2, name: "Go", kind: "game", price: 30 }],
  ]);
  #next = 3;

  @GetMapping(
    "/products",
    RequestParam("limit", "int", { defaultValue: 20 }),
    RequestParam("kind", ["book", "game", "film"], { required: false }),
    RequestParam("since", "date", { defaultValue: "0001-01-01" }),
  )
  @Operation({ responses: { 200: page(product) } })
  list(limit: number, only: string | undefined, since: string) {
    const all = [...this.#products.values()]
      .filter((one) =>
        (only === undefined || one.kind === only) && (one.released ?? "9999") > since
      );
    return { items: all.slice(0, Math.max(0, limit)), total: all.length, limit };
  }

  @GetMapping("/products/count")
  @Operation({ responses: { 200: z.object({ count: z.int() }) } })
  count() {
    return { count: this.#products.size };
  }

  @GetMapping("/products/kinds")
  @Operation({ responses: { 200: z.array(kind) } })
  kinds() {
    return ["book", "game", "film"];
  }

  @GetMapping("/products/{id}", PathVariable("id", "int"))
  @Operation({ responses: { 200: product, 404: absent } })
  get(id: number) {
    return this.#find(id);
  }

  @GetMapping(
    "/products/{id}/price",
    PathVariable("id", "int"),
    RequestParam("rate", "number", { defaultValue: 1 }),
  )
  @Operation({ responses: { 200: z.object({ price: z.number(), rate: z.number() }), 404: absent } })
  price(id: number, rate: number) {
    return { price: this.#find(id).price, rate };
  }

  @PostMapping("/products", RequestBody(NewProduct))
  @Operation({ responses: { 201: product, 409: { description: "The name is taken" } } })
  create(body: NewProduct) {
    if ([...this.#products.values()].some(({ name }) => name === body.name)) {
      throw new HttpError(HttpStatus.CONFLICT, "The name is taken");
    }
    const made = { ...body, id: this.#next++ };
    this.#products.set(made.id, made);
    return ResponseEntity.created(`/products/${made.id}`).withJson(made);
  }

  @PutMapping("/products/{id}", PathVariable("id", "int"), RequestBody(NewProduct))
  @Operation({ responses: { 200: product, 404: absent } })
  replace(id: number, body: NewProduct) {
    this.#find(id);
    const made = { ...body, id };
    this.#products.set(id, made);
    return made;
  }

  @PatchMapping("/products/{id}/price", PathVariable("id", "int"), RequestBody(PriceChange))
  @Operation({ responses: { 200: product, 404: absent } })
  reprice(id: number, { price }: PriceChange) {
    const made = { ...this.#find(id), price };
    this.#products.set(id, made);
    return made;
  }

  @DeleteMapping(
    { path: "/products/{id}", status: HttpStatus.NO_CONTENT },
    PathVariable("id", "int"),
  )
  @Operation({ responses: { 204: { description: "Gone" }, 404: absent } })
  remove(id: number) {
    this.#products.delete(this.#find(id).id);
  }

  #find(id: number): Product {
    const found = this.#products.get(id);
    if (!found) throw new HttpError(HttpStatus.NOT_FOUND, "No such product");
    return found;
  }
}
