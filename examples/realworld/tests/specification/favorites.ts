import { articleOf, refused, register, type Step, step, summaryOf } from "./steps.ts";

const article = { title: "Liked", description: "Short", body: "Long" };

/** The article, as a user sees it. */
const shown = (as: string | undefined, favorited: boolean, favoritesCount: number): Step =>
  step("GET /articles/{slug}", {
    as,
    status: 200,
    answer: {
      article: articleOf("ivan", { ...article, favorited, favoritesCount }),
    },
  });

const mark = (method: string, as: string, favorited: boolean, favoritesCount: number): Step =>
  step(`${method} /articles/{slug}/favorite`, {
    as,
    status: 200,
    answer: {
      article: articleOf("ivan", { ...article, favorited, favoritesCount }),
    },
  });

const listed = (as: string | undefined, favorited: boolean, favoritesCount: number): Step =>
  step("GET /articles?favorited=ivan", {
    as,
    status: 200,
    answer: {
      articles: [
        summaryOf("ivan", { slug: "{slug}", favorited, favoritesCount }),
      ],
      articlesCount: 1,
    },
  });

export const favorites: readonly Step[] = [
  register("ivan"),
  register("jane"),
  step("POST /articles", {
    as: "ivan",
    body: { article },
    status: 201,
    keep: { slug: "article.slug" },
  }),
  mark("POST", "ivan", true, 1),
  mark("POST", "ivan", true, 1), // Again.
  shown("ivan", true, 1),
  shown("jane", false, 1),
  shown(undefined, false, 1),
  mark("POST", "jane", true, 2),
  listed(undefined, false, 2),
  listed("ivan", true, 2),
  mark("DELETE", "jane", false, 1),
  listed("jane", false, 1),
  mark("DELETE", "ivan", false, 0),
  mark("DELETE", "ivan", false, 0), // Again.
  shown("ivan", false, 0),
  step("GET /articles?favorited=ivan", {
    status: 200,
    answer: { articles: [], articlesCount: 0 },
  }),

  ...["POST", "DELETE"].flatMap((method) => [
    refused(`${method} /articles/{slug}/favorite`, 401, {
      token: "is missing",
    }),
    refused(`${method} /articles/none/favorite`, 401, { token: "is missing" }),
    refused(
      `${method} /articles/none/favorite`,
      404,
      { article: "not found" },
      { as: "ivan" },
    ),
  ]),
  step("DELETE /articles/{slug}", { as: "ivan", status: 204 }),
];
