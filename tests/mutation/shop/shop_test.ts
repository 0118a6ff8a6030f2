import { assertEquals } from "@std/assert";
import { bootstrap } from "@irori/irori";
import { CustomerController, OrderController } from "./orders.ts";
import { ProductController } from "./products.ts";

const components = [ProductController, OrderController, CustomerController];
const json = (method: string, body: unknown) => ({
  method,
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});
const emma = { id: 1, name: "Emma", kind: "book", price: 12, released: "1815-12-23" };

Deno.test("shop + lists and finds products", async () => {
  await using app = await bootstrap({ components });
  const list = await (await app.request("/products?kind=book")).json();
  assertEquals(list, { items: [emma], total: 1, limit: 20 });
  assertEquals(await (await app.request("/products/1")).json(), emma);
  assertEquals((await app.request("/products/9")).status, 404);
  assertEquals((await app.request("/products/one")).status, 400);
});

Deno.test("shop + creates, reprices and removes products", async () => {
  await using app = await bootstrap({ components });
  const made = await app.request("/products", json("POST", { name: "Go 2", price: 5 }));
  assertEquals([made.status, made.headers.get("Location")], [201, "/products/3"]);
  assertEquals(await made.json(), { name: "Go 2", kind: "book", price: 5, id: 3 });
  const again = await app.request("/products", json("POST", { name: "Go 2", price: 5 }));
  assertEquals(again.status, 409);
  const changed = await app.request("/products/3/price", json("PATCH", { price: 6 }));
  assertEquals((await changed.json()).price, 6);
  assertEquals((await app.request("/products/3", { method: "DELETE" })).status, 204);
});

Deno.test("shop + takes and pays orders", async () => {
  await using app = await bootstrap({ components });
  const body = { customer: 1, lines: [{ product: 1, amount: 2 }] };
  const made = await app.request("/orders", json("POST", body));
  assertEquals(made.status, 201);
  const { id, state, total } = await made.json();
  assertEquals([state, total], ["open", 2]);
  const pay = () => app.request(`/orders/${id}/payment`, { method: "POST" });
  assertEquals(await (await pay()).json(), { state: "paid" });
  assertEquals((await pay()).status, 409);
});

Deno.test("shop + takes large orders by other channels alone", async () => {
  await using app = await bootstrap({ components });
  const lines = Array(3).fill({ product: 1, amount: 99 });
  const order = json("POST", { customer: 1, lines });
  const refused = await app.request("/orders", order);
  assertEquals([refused.status, (await refused.json()).detail], [409, "Too many"]);
  const headers = { ...order.headers, "X-Channel": "phone" };
  assertEquals((await app.request("/orders", { ...order, headers })).status, 201);
});

Deno.test("shop + knows its customers", async () => {
  await using app = await bootstrap({ components });
  const made = await app.request("/customers", json("POST", { name: "Grace" }));
  assertEquals([made.status, await made.json()], [201, { id: 2, name: "Grace", email: null }]);
  assertEquals((await app.request("/customers/7")).status, 404);
});
