import {
  articleOf,
  type Expected,
  refused,
  register,
  type Step,
  step,
  summaryOf,
} from "./steps.ts";

const content = {
  title: "Slow is smooth",
  description: "On haste",
  body: "Smooth is fast",
};
const tags = ["zen", "haste"];
const listed = summaryOf("erin", {
  title: content.title,
  tagList: tags,
  slug: "{slug}",
});

const list = (
  query: string,
  articles: readonly Expected[],
  as?: string,
): Step =>
  step(`GET /articles${query}`, {
    as,
    status: 200,
    answer: { articles, articlesCount: articles.length },
  });

const changed = (change: object, answer: Record<string, Expected>): Step[] => {
  const article = articleOf("erin", {
    ...content,
    slug: "{slug}",
    tagList: tags,
    createdAt: "{created}",
    ...answer,
  });
  const body = { article: change };
  return [
    step("PUT /articles/{slug}", {
      as: "erin",
      body,
      status: 200,
      answer: { article },
    }),
    step("GET /articles/{slug}", { status: 200, answer: { article } }),
  ];
};

export const articles: readonly Step[] = [
  register("erin"),
  register("finn"),
  step("POST /articles", {
    as: "erin",
    body: { article: { ...content, tagList: tags } },
    status: 201,
    answer: { article: articleOf("erin", { ...content, tagList: tags }) },
    keep: { slug: "article.slug", created: "article.createdAt" },
  }),
  step("GET /articles/{slug}", {
    status: 200,
    answer: {
      article: articleOf("erin", { ...content, slug: "{slug}", tagList: tags }),
    },
  }),

  // No list has bodies.
  ...[undefined, "erin"].flatMap((as) => [
    list("", [listed], as),
    list("?author=erin", [listed], as),
    list("?tag=zen", [listed], as),
    list("?author=erin&tag=haste", [listed], as),
    list("?author=finn", [], as),
    list("?tag=nothing", [], as),
    list("?author=unknown", [], as),
    list("?favorited=erin", [], as),
  ]),

  // Members that are not sent stay; an empty list removes the tags.
  ...changed({ body: "Fast is slow" }, { body: "Fast is slow" }),
  ...changed({ description: "On patience" }, {
    description: "On patience",
    body: "Fast is slow",
  }),
  ...changed({ tagList: [] }, {
    tagList: [],
    description: "On patience",
    body: "Fast is slow",
  }),
  refused("PUT /articles/{slug}", 422, { tagList: "is invalid" }, {
    as: "erin",
    body: { article: { tagList: null } },
  }),

  // A new title gives a new slug.
  step("PUT /articles/{slug}", {
    as: "erin",
    body: { article: { title: "Slow is slow" } },
    status: 200,
    answer: { article: articleOf("erin", { title: "Slow is slow" }) },
    keep: { renamed: "article.slug" },
  }),
  refused("GET /articles/{slug}", 404, { article: "not found" }),
  step("GET /articles/{renamed}", {
    status: 200,
    answer: { article: articleOf("erin", { slug: "{renamed}" }) },
  }),

  // The same title twice.
  ...["first", "second"].map((name) =>
    step("POST /articles", {
      as: "erin",
      body: { article: content },
      status: 201,
      answer: { article: articleOf("erin", content) },
      keep: { [name]: "article.slug" },
    })
  ),
  list("?author=erin", [
    summaryOf("erin", { slug: "{second}" }),
    summaryOf("erin", { slug: "{first}" }),
    summaryOf("erin", { slug: "{renamed}" }),
  ]),

  ...Object.keys(content).map((field) =>
    refused("POST /articles", 422, { [field]: "can't be blank" }, {
      as: "erin",
      body: { article: { ...content, [field]: "" } },
    })
  ),
  refused("POST /articles", 422, undefined, {
    as: "erin",
    body: { article: {} },
  }),

  ...["PUT", "DELETE"].flatMap((method) => {
    const body = method === "PUT" ? { article: { body: "Of another" } } : undefined;
    return [
      refused(`${method} /articles/{first}`, 401, { token: "is missing" }, {
        body,
      }),
      refused(`${method} /articles/none`, 401, { token: "is missing" }, {
        body,
      }),
      refused(`${method} /articles/none`, 404, { article: "not found" }, {
        as: "erin",
        body,
      }),
      refused(`${method} /articles/{first}`, 403, { article: "forbidden" }, {
        as: "finn",
        body,
      }),
    ];
  }),
  refused("POST /articles", 401, { token: "is missing" }, {
    body: { article: content },
  }),
  refused("GET /articles/none", 404, { article: "not found" }),

  ...["renamed", "first", "second"].flatMap((name) => [
    step(`DELETE /articles/{${name}}`, { as: "erin", status: 204 }),
    refused(`GET /articles/{${name}}`, 404, { article: "not found" }),
  ]),
  list("", []),
];
