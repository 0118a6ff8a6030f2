import { z } from "zod";
import { bootstrap, PostMapping, RequestBody, RestController } from "../../mod.ts";
import { median } from "../web/report.ts";
import type { Chart, Point } from "./chart.ts";

const KILOBYTES = [1, 4, 16, 64, 256, 1000];
const ROUNDS = 9;
/** Bytes that one round sends. */
const ROUND_BYTES = 4_000_000;

const Order = z.object({
  items: z.array(z.object({ id: z.int(), name: z.string(), price: z.number() })),
});

@RestController()
class OrderController {
  @PostMapping("/orders", RequestBody(Order))
  create(order: z.infer<typeof Order>) {
    return { items: order.items.length };
  }
}

/** How the time of a request grows with its JSON body, which a schema checks. */
export async function bodies(): Promise<readonly Chart[]> {
  const app = await bootstrap({ components: [OrderController] });
  const points: Point[] = [];
  for (const kilobytes of KILOBYTES) {
    const body = bodyOf(kilobytes * 1000);
    const count = Math.ceil(ROUND_BYTES / body.length);
    const rounds: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const started = performance.now();
      for (let index = 0; index < count; index++) {
        const response = await app.fetch(
          new Request("http://localhost/orders", {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body,
          }),
        );
        if (response.status !== 200) throw new Error(await response.text());
      }
      if (round > 0) rounds.push((performance.now() - started) / count * 1000);
    }
    points.push([kilobytes, median(rounds)]);
  }
  return [{ title: "Body", by: "kB", unit: "µs", lines: [{ name: "POST, checked", points }] }];
}

function bodyOf(bytes: number): string {
  const items = [];
  for (let length = 12, id = 0; length < bytes; id++) {
    const item = { id, name: `thing number ${id}`, price: id / 100 };
    length += JSON.stringify(item).length + 1;
    items.push(item);
  }
  return JSON.stringify({ items });
}
