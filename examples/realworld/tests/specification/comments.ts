import { commentOf, type Expected, refused, register, type Step, step } from "./steps.ts";

const add = (as: string, body: string, name: string): Step =>
  step("POST /articles/{slug}/comments", {
    as,
    body: { comment: { body } },
    status: 201,
    answer: { comment: commentOf(as, body) },
    keep: { [name]: "comment.id" },
  });

const list = (comments: readonly Expected[], as?: string): Step =>
  step("GET /articles/{slug}/comments", {
    as,
    status: 200,
    answer: { comments },
  });

const comment = { comment: { body: "Too late" } };

export const comments: readonly Step[] = [
  register("kate"),
  register("liam"),
  step("POST /articles", {
    as: "kate",
    body: {
      article: { title: "Discussed", description: "Short", body: "Long" },
    },
    status: 201,
    keep: { slug: "article.slug" },
  }),
  list([]),
  add("kate", "First", "first"),
  list([commentOf("kate", "First")]),
  list([commentOf("kate", "First")], "kate"),
  step("DELETE /articles/{slug}/comments/{first}", { as: "kate", status: 204 }),
  list([]),

  // Only the one that is named goes.
  add("kate", "Second", "second"),
  add("liam", "Third", "third"),
  list([commentOf("kate", "Second"), commentOf("liam", "Third")], "liam"),
  refused("DELETE /articles/{slug}/comments/{second}", 403, {
    comment: "forbidden",
  }, { as: "liam" }),
  // The author of an article has no power over its comments.
  refused("DELETE /articles/{slug}/comments/{third}", 403, {
    comment: "forbidden",
  }, { as: "kate" }),
  list([commentOf("kate", "Second"), commentOf("liam", "Third")]),
  step("DELETE /articles/{slug}/comments/{second}", {
    as: "kate",
    status: 204,
  }),
  list([commentOf("liam", "Third")]),

  refused("POST /articles/{slug}/comments", 422, { body: "can't be blank" }, {
    as: "kate",
    body: { comment: { body: "" } },
  }),
  refused("POST /articles/{slug}/comments", 422, undefined, {
    as: "kate",
    body: {},
  }),
  refused("POST /articles/{slug}/comments", 401, { token: "is missing" }, {
    body: comment,
  }),
  refused("POST /articles/none/comments", 401, { token: "is missing" }, {
    body: comment,
  }),
  refused("DELETE /articles/{slug}/comments/{third}", 401, {
    token: "is missing",
  }),
  refused("DELETE /articles/none/comments/1", 401, { token: "is missing" }),

  refused("GET /articles/none/comments", 404, { article: "not found" }),
  refused("POST /articles/none/comments", 404, { article: "not found" }, {
    as: "kate",
    body: comment,
  }),
  refused("DELETE /articles/none/comments/{third}", 404, {
    article: "not found",
  }, { as: "liam" }),
  refused("DELETE /articles/{slug}/comments/{second}", 404, {
    comment: "not found",
  }, { as: "kate" }),
  refused("DELETE /articles/{slug}/comments/99999", 404, {
    comment: "not found",
  }, { as: "kate" }),

  // Comments go with their article.
  step("DELETE /articles/{slug}", { as: "kate", status: 204 }),
  refused("GET /articles/{slug}/comments", 404, { article: "not found" }),
];
