import { Autowired, Service } from "irori";
import { Jobs } from "irori/jobs";
import { current, PgTransactions, Transactional } from "irori/transactions";
import type { NewOrder, Order } from "./order.ts";

@Service()
export class OrderService {
  @Autowired(PgTransactions)
  private readonly database!: PgTransactions;
  @Autowired(Jobs)
  private readonly jobs!: Jobs;

  /** The order and its job are committed together: no order is forgotten, no job lacks its order. */
  @Transactional()
  async place({ sku, quantity }: NewOrder): Promise<Order> {
    const insert = "INSERT INTO orders (sku, quantity) VALUES ($1, $2) RETURNING *";
    const { rows: [order] } = await current(this.database).query<Order>(insert, [sku, quantity]);
    await this.jobs.enqueue("reserve-stock", { order: order!.id });
    return order!;
  }

  async find(id: number): Promise<Order | undefined> {
    // As BIGINT, a number beyond INTEGER finds nothing instead of failing.
    const select = "SELECT * FROM orders WHERE id = $1::BIGINT";
    return (await current(this.database).query<Order>(select, [id])).rows[0];
  }
}
