import {
  CookieValue,
  GetMapping,
  HttpError,
  HttpStatus,
  PathVariable,
  PostMapping,
  RequestBody,
  RequestHeader,
  RequestParam,
  ResponseEntity,
  RestController,
} from "@irori/irori";
import { Operation } from "@irori/irori/openapi";
import * as z from "zod";
import {
  type Customer,
  customer,
  NewCustomer,
  NewOrder,
  type Order,
  order,
  page,
} from "./schemas.ts";

const FIRST = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";

@RestController()
export class OrderController {
  readonly #orders = new Map<string, Order>([[FIRST, {
    id: FIRST,
    customer: 1,
    state: "open",
    lines: [{ product: 1, amount: 2 }],
    total: 24,
    ordered: "2026-11-21T10:30:00Z",
  }]]);

  @GetMapping(
    "/orders",
    RequestParam("state", ["open", "paid", "sent"], { list: true, required: false }),
    RequestParam("before", "date-time", { required: false }),
    RequestParam("limit", "int", { defaultValue: 50 }),
  )
  @Operation({ responses: { 200: page(order) } })
  list(states: string[] | undefined, before: Date | undefined, limit: number) {
    const all = [...this.#orders.values()].filter((one) =>
      (!states || states.includes(one.state)) && (!before || new Date(one.ordered) < before)
    );
    return { items: all.slice(0, Math.max(0, limit)), total: all.length, limit };
  }

  @GetMapping("/orders/{id}", PathVariable("id", "uuid"))
  @Operation({ responses: { 200: order, 404: { description: "No such order" } } })
  get(id: string) {
    return this.#find(id);
  }

  @GetMapping("/orders/{id}/lines", PathVariable("id", "uuid"))
  @Operation({
    responses: {
      200: z.object({ lines: order.shape.lines }),
      404: { description: "No such order" },
    },
  })
  lines(id: string) {
    return { lines: this.#find(id).lines };
  }

  @PostMapping(
    "/orders",
    RequestBody(NewOrder),
    RequestHeader("X-Channel", { defaultValue: "web" }),
  )
  @Operation({ responses: { 201: order, 422: { description: "Too many" } } })
  create(body: NewOrder, channel: string) {
    const amount = body.lines.reduce((sum, line) => sum + line.amount, 0);
    if (amount > 200 && channel === "web") {
      throw new HttpError(HttpStatus.UNPROCESSABLE_ENTITY, "Too many");
    }
    const made: Order = {
      id: crypto.randomUUID(),
      customer: body.customer,
      state: "open",
      lines: body.lines,
      total: amount,
      ordered: new Date().toISOString(),
    };
    this.#orders.set(made.id, made);
    return ResponseEntity.created(`/orders/${made.id}`).withJson(made);
  }

  @PostMapping("/orders/{id}/payment", PathVariable("id", "uuid"))
  @Operation({
    responses: {
      200: z.object({ state: order.shape.state }),
      404: { description: "No such order" },
      409: { description: "It is paid" },
    },
  })
  pay(id: string) {
    const found = this.#find(id);
    if (found.state !== "open") throw new HttpError(HttpStatus.CONFLICT, "It is paid");
    this.#orders.set(id, { ...found, state: "paid" });
    return { state: "paid" };
  }

  @GetMapping("/totals", RequestParam("rounded", "boolean", { defaultValue: false }))
  @Operation({ responses: { 200: z.object({ total: z.number(), orders: z.int() }) } })
  totals(rounded: boolean) {
    const total = [...this.#orders.values()].reduce((sum, one) => sum + one.total, 0);
    return { total: rounded ? Math.round(total) : total, orders: this.#orders.size };
  }

  #find(id: string): Order {
    const found = this.#orders.get(id);
    if (!found) throw new HttpError(HttpStatus.NOT_FOUND, "No such order");
    return found;
  }
}

@RestController()
export class CustomerController {
  readonly #customers: Customer[] = [{ id: 1, name: "Ada", email: "ada@example.com" }];

  @GetMapping("/customers")
  @Operation({ responses: { 200: z.array(customer) } })
  list() {
    return this.#customers.map(({ id, name, email }) => ({ id, name, email }));
  }

  @GetMapping("/customers/{id}", PathVariable("id", "int"))
  @Operation({ responses: { 200: customer, 404: { description: "No such customer" } } })
  get(id: number) {
    const found = this.#customers.find((one) => one.id === id);
    if (!found) throw new HttpError(HttpStatus.NOT_FOUND, "No such customer");
    return { id: found.id, name: found.name, email: found.email };
  }

  @PostMapping({ path: "/customers", status: HttpStatus.CREATED }, RequestBody(NewCustomer))
  @Operation({ responses: { 201: customer } })
  create({ name, email }: NewCustomer) {
    const made = { id: this.#customers.length + 1, name, email };
    this.#customers.push(made);
    return made;
  }

  @GetMapping("/greeting", CookieValue("language", ["de", "en"], { defaultValue: "en" }))
  @Operation({ responses: { 200: z.object({ text: z.string(), language: z.string() }) } })
  greeting(language: string) {
    return { text: language === "de" ? "Hallo" : "Hello", language };
  }

  @GetMapping("/time", RequestParam("zone", { defaultValue: "UTC" }))
  @Operation({ responses: { 200: z.object({ now: z.iso.datetime(), zone: z.string() }) } })
  time(zone: string) {
    return { now: new Date(0).toISOString(), zone };
  }
}
