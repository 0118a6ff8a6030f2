import {
  Autowired,
  GetMapping,
  HttpError,
  HttpStatus,
  PathVariable,
  PostMapping,
  RequestBody,
  RestController,
} from "irori";
import { Idempotent } from "irori/idempotency";
import { NewOrder, Order } from "./order.ts";
import { OrderService } from "./order_service.ts";

@RestController()
export class OrderController {
  @Autowired(OrderService)
  private readonly orders!: OrderService;

  @Idempotent()
  @PostMapping(
    { path: "/orders", status: HttpStatus.CREATED, returns: Order },
    RequestBody(NewOrder),
  )
  async place(order: NewOrder): Promise<Order> {
    return await this.orders.place(order);
  }

  @GetMapping({ path: "/orders/{id}", returns: Order }, PathVariable("id", "int"))
  async get(id: number): Promise<Order> {
    const order = await this.orders.find(id);
    if (!order) throw new HttpError(HttpStatus.NOT_FOUND, `There is no order ${id}`);
    return order;
  }
}
