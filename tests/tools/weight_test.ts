import { assertEquals } from "@std/assert";
import { BOUNDS, weigh } from "../../tools/weight.ts";

Deno.test("src + weighs no more than its bounds", async () => {
  const weight = await weigh();
  const over = Object.entries(BOUNDS).flatMap(([what, bound]) => {
    const measured = weight[what as keyof typeof BOUNDS];
    const count = typeof measured === "number" ? measured : measured.length;
    return count > bound ? [`${what}: ${count}, at most ${bound}`] : [];
  });
  assertEquals(over, []);
});
