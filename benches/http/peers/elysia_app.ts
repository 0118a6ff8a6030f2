import { Elysia, t } from "elysia";

/** The routes as Elysia declares them. */
export const routes = new Elysia()
  .get("/users/search", ({ query: { email } }) => ({ id: 1, email }), {
    query: t.Object({ email: t.String() }),
  })
  .get("/users/:id", ({ params: { id } }) => ({ id, name: "Ada" }), {
    params: t.Object({ id: t.Integer() }),
  })
  .get("/profiles/:id", ({ params: { id } }) => ({ id, name: "Ada", email: "ada@example.com" }), {
    params: t.Object({ id: t.Integer() }),
    response: t.Object({ id: t.Integer(), name: t.String(), email: t.String() }),
  })
  .post("/users", ({ body, set }) => {
    set.status = 201;
    return body;
  }, {
    body: t.Object({ name: t.String({ minLength: 1 }), email: t.String({ format: "email" }) }),
  })
  .post("/orders", ({ body: { customer, items }, set }) => {
    set.status = 201;
    return { customer, items: items.length };
  }, {
    body: t.Object({
      customer: t.String({ minLength: 1 }),
      items: t.Array(
        t.Object({ product: t.String({ minLength: 1 }), quantity: t.Integer({ minimum: 1 }) }),
      ),
    }),
  });
