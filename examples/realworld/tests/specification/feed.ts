import { profileOf, refused, register, type Step, step, summaryOf } from "./steps.ts";

const article = { title: "News", description: "Short", body: "Long" };
const author = profileOf("gina", true);
const older = summaryOf("gina", { slug: "{older}", author });
const newer = summaryOf("gina", { slug: "{newer}", author });

/** The feed of hugo, and how many articles all its pages have. */
const feed = (
  query: string,
  articles: readonly ReturnType<typeof summaryOf>[],
  articlesCount: number,
) =>
  step(`GET /articles/feed${query}`, {
    as: "hugo",
    status: 200,
    answer: { articles, articlesCount },
  });

/** A page of the articles of gina, as a client without a token sees them. */
const page = (query: string, slugs: readonly string[], articlesCount = 2) =>
  step(`GET /articles?author=gina${query}`, {
    status: 200,
    answer: {
      articles: slugs.map((slug) => summaryOf("gina", { slug })),
      articlesCount,
    },
  });

export const feedAndPages: readonly Step[] = [
  register("gina"),
  register("hugo"),
  feed("", [], 0),
  step("POST /profiles/gina/follow", {
    as: "hugo",
    status: 200,
    answer: { profile: author },
  }),
  ...["older", "newer"].map((name) =>
    step("POST /articles", {
      as: "gina",
      body: { article },
      status: 201,
      keep: { [name]: "article.slug" },
    })
  ),
  step("POST /articles", {
    as: "hugo",
    body: { article },
    status: 201,
    keep: { own: "article.slug" },
  }),

  feed("", [newer, older], 2),
  feed("?limit=1", [newer], 2),
  feed("?limit=1&offset=1", [older], 2),
  feed("?offset=2", [], 2),

  page("", ["{newer}", "{older}"]),
  page("&limit=1", ["{newer}"]),
  page("&limit=1&offset=1", ["{older}"]),
  page("&offset=2", []),
  page("&limit=1000", ["{newer}", "{older}"]),

  ...["limit=0", "limit=-1", "limit=many", "offset=-1", "offset=1.5"].flatMap(
    (query) => {
      const [name = ""] = query.split("=");
      return [
        refused(`GET /articles?${query}`, 422, { [name]: "is invalid" }),
        refused(`GET /articles/feed?${query}`, 422, { [name]: "is invalid" }, {
          as: "hugo",
        }),
      ];
    },
  ),
  refused("GET /articles/feed", 401, { token: "is missing" }),

  ...["older", "newer"].map((name) =>
    step(`DELETE /articles/{${name}}`, { as: "gina", status: 204 })
  ),
  step("DELETE /articles/{own}", { as: "hugo", status: 204 }),
  feed("", [], 0),
  step("DELETE /profiles/gina/follow", {
    as: "hugo",
    status: 200,
    answer: { profile: profileOf("gina") },
  }),
];
