import type { FastifyInstance } from "fastify";

/** The routes as Fastify declares them. */
export function routes(app: FastifyInstance): void {
  app.get("/users/search", {
    schema: {
      querystring: {
        type: "object",
        required: ["email"],
        properties: { email: { type: "string" } },
      },
      response: {
        200: {
          type: "object",
          properties: { id: { type: "integer" }, email: { type: "string" } },
        },
      },
    },
  }, (request) => Promise.resolve({ id: 1, email: request.query.email }));

  app.get("/users/:id", {
    schema: {
      params: { type: "object", properties: { id: { type: "integer" } } },
      response: {
        200: {
          type: "object",
          properties: { id: { type: "integer" }, name: { type: "string" } },
        },
      },
    },
  }, (request) => Promise.resolve({ id: request.params.id, name: "Ada" }));

  app.get("/profiles/:id", {
    schema: {
      params: { type: "object", properties: { id: { type: "integer" } } },
      response: {
        200: {
          type: "object",
          required: ["id", "name", "email"],
          properties: {
            id: { type: "integer" },
            name: { type: "string" },
            email: { type: "string" },
          },
        },
      },
    },
  }, (request) => Promise.resolve({ id: request.params.id, name: "Ada", email: "ada@example.com" }));

  app.post("/users", {
    schema: {
      body: {
        type: "object",
        required: ["name", "email"],
        properties: {
          name: { type: "string", minLength: 1 },
          email: { type: "string", format: "email" },
        },
      },
      response: {
        201: {
          type: "object",
          properties: { name: { type: "string" }, email: { type: "string" } },
        },
      },
    },
  }, (request, reply) => {
    reply.code(201);
    return Promise.resolve(request.body);
  });

  app.post("/orders", {
    schema: {
      body: {
        type: "object",
        required: ["customer", "items"],
        properties: {
          customer: { type: "string", minLength: 1 },
          items: {
            type: "array",
            items: {
              type: "object",
              required: ["product", "quantity"],
              properties: {
                product: { type: "string", minLength: 1 },
                quantity: { type: "integer", minimum: 1 },
              },
            },
          },
        },
      },
      response: {
        201: {
          type: "object",
          properties: { customer: { type: "string" }, items: { type: "integer" } },
        },
      },
    },
  }, (request, reply) => {
    reply.code(201);
    const { customer, items } = request.body;
    return Promise.resolve({ customer, items: items.length });
  });
}
