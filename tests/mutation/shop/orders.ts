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
const SENT = "5d1c7b20-6e3f-4a8d-9c41-7f2b0e9a3d64";

@RestController()
export class OrderController {
  readonly #orders = new Map<string, Order>([[FIRST, {
    id: FIRST,
    customer: 1,
    state: "open",
    lines: [{ product: 1, amount: 2 }],
    total: 24,
    ordered: "2026-11-21T10:30:00Z",
  }], [SENT, {
    id: SENT,
    customer: 1,
    state: "sent",
    lines: [{ product: 2, amount: 1 }],
    total: 30,
    ordered: "2026-11-20T10:30:00Z",
  }]]);

  @GetMapping(
    { path: "/orders", returns: page(order) },
    RequestParam("state", ["open", "paid", "sent"], { list: true, required: false }),
    RequestParam("before", "date-time", { required: false }),
    RequestParam("limit", "int", { defaultValue: 50 }),
  )
  list(states: string[] | undefined, before: Date | undefined, limit: number) {
    const all = [...this.#orders.values()].filter((one) =>
      (!states || states.includes(one.state)) && (!before || new Date(one.ordered) < before)
    );
    return { items: all.slice(0, Math.max(0, limit)), total: all.length, limit };
  }

  @GetMapping(
    { path: "/orders/{id}", returns: order, problems: [HttpStatus.NOT_FOUND] },
    PathVariable("id", "uuid"),
  )
  get(id: string) {
    return this.#find(id);
  }

  @GetMapping({
    path: "/orders/{id}/lines",
    returns: z.object({ lines: order.shape.lines }),
    problems: [HttpStatus.NOT_FOUND],
  }, PathVariable("id", "uuid"))
  lines(id: string) {
    return { lines: this.#find(id).lines };
  }

  @PostMapping(
    {
      path: "/orders",
      status: HttpStatus.CREATED,
      returns: order,
      problems: [HttpStatus.CONFLICT],
    },
    RequestBody(NewOrder),
    RequestHeader("X-Channel", { defaultValue: "web" }),
  )
  create(body: NewOrder, channel: string) {
    const amount = body.lines.reduce((sum, line) => sum + line.amount, 0);
    if (amount > 200 && channel === "web") {
      throw new HttpError(HttpStatus.CONFLICT, "Too many");
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

  @PostMapping({
    path: "/orders/{id}/payment",
    returns: z.object({ state: order.shape.state }),
    problems: [HttpStatus.NOT_FOUND, HttpStatus.CONFLICT],
  }, PathVariable("id", "uuid"))
  pay(id: string) {
    const found = this.#find(id);
    if (found.state !== "open") throw new HttpError(HttpStatus.CONFLICT, "It is paid");
    this.#orders.set(id, { ...found, state: "paid" });
    return { state: "paid" as const };
  }

  @GetMapping(
    { path: "/totals", returns: z.object({ total: z.number(), orders: z.int() }) },
    RequestParam("rounded", "boolean", { defaultValue: false }),
  )
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

  @GetMapping({ path: "/customers", returns: z.array(customer) })
  list() {
    return this.#customers.map(({ id, name, email }) => ({ id, name, email }));
  }

  @GetMapping(
    { path: "/customers/{id}", returns: customer, problems: [HttpStatus.NOT_FOUND] },
    PathVariable("id", "int"),
  )
  get(id: number) {
    const found = this.#customers.find((one) => one.id === id);
    if (!found) throw new HttpError(HttpStatus.NOT_FOUND, "No such customer");
    return { id: found.id, name: found.name, email: found.email };
  }

  @PostMapping(
    { path: "/customers", status: HttpStatus.CREATED, returns: customer },
    RequestBody(NewCustomer),
  )
  create({ name, email }: NewCustomer) {
    const made = { id: this.#customers.length + 1, name, email };
    this.#customers.push(made);
    return made;
  }

  @GetMapping(
    { path: "/greeting", returns: z.object({ text: z.string(), language: z.string() }) },
    CookieValue("language", ["de", "en"], { defaultValue: "en" }),
  )
  greeting(language: string) {
    return { text: language === "de" ? "Hallo" : "Hello", language };
  }

  @GetMapping(
    { path: "/time", returns: z.object({ now: z.iso.datetime(), zone: z.string() }) },
    RequestParam("zone", { defaultValue: "UTC" }),
  )
  time(zone: string) {
    return { now: new Date(0).toISOString(), zone };
  }
}
