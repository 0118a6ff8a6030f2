import { Elysia, t } from "elysia";

const app = new Elysia()
  .get("/users/search", ({ query: { email } }) => ({ id: 1, email }), {
    query: t.Object({ email: t.String() }),
  })
  .get("/users/:id", ({ params: { id } }) => ({ id, name: "Ada" }), {
    params: t.Object({ id: t.Integer() }),
  })
  .post("/users", ({ body, set }) => {
    set.status = 201;
    return body;
  }, {
    body: t.Object({ name: t.String({ minLength: 1 }), email: t.String({ format: "email" }) }),
  })
  .listen({ hostname: "127.0.0.1", port: 0 });

console.log(`http://127.0.0.1:${app.server?.port}`);
