import { Autowired, Service } from "irori";
import { Job } from "irori/jobs";
import { Scheduled } from "irori/scheduling";
import { current, PgTransactions } from "irori/transactions";
import * as z from "zod";

const Payload = z.object({ order: z.int() });
type Payload = z.infer<typeof Payload>;

@Service()
export class StockJobs {
  @Autowired(PgTransactions)
  private readonly database!: PgTransactions;

  /** Goods may still arrive: tries again after 1, 2 and 4 seconds, and then gives the order up. */
  @Job("reserve-stock", {
    schema: Payload,
    retry: 3,
    backoff: { delay: 1 },
    deadLetter: "reject-order",
  })
  async reserve({ order }: Payload): Promise<void> {
    // An error rolls both statements back, and a repeated run does not count twice.
    const { rowCount } = await current(this.database).query(
      `UPDATE stock SET quantity = stock.quantity - orders.quantity FROM orders
        WHERE orders.id = $1 AND stock.sku = orders.sku AND stock.quantity >= orders.quantity`,
      [order],
    );
    if (rowCount === 0) throw new Error(`There is not enough stock for order ${order}`);
    await this.set(order, "reserved");
  }

  @Job("reject-order", { schema: Payload })
  async reject({ order }: Payload): Promise<void> {
    await this.set(order, "rejected");
  }

  /** Each hour, on one replica. */
  @Scheduled({ every: 3600, name: "delete-rejected-orders" })
  async deleteRejected(): Promise<void> {
    await current(this.database).query(
      "DELETE FROM orders WHERE status = 'rejected' AND placed_at < now() - INTERVAL '30 days'",
    );
  }

  private async set(order: number, status: "reserved" | "rejected"): Promise<void> {
    await current(this.database).query(
      "UPDATE orders SET status = $2 WHERE id = $1",
      [order, status],
    );
  }
}
