import { Model, PathVariable } from "irori";
import { Profile } from "../profiles/profile.ts";
import { text } from "../texts.ts";
import * as z from "zod";

export const slug = PathVariable("slug", text(200));

const content = z.object({
  title: text(200),
  description: text(1_000),
  body: text(100_000),
  tagList: z.array(text(50), "is invalid").max(
    20,
    "is too long (maximum is 20 tags)",
  ),
});

export class NewArticle extends Model(
  content.extend({ tagList: content.shape.tagList.default([]) }),
) {}

export class ArticleChange extends Model(content.partial()) {}

const summary = z.object({
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  tagList: z.array(z.string()),
  createdAt: z.date(),
  updatedAt: z.date(),
  favorited: z.boolean(),
  favoritesCount: z.int(),
  author: Profile,
});

/** An article of a list. */
export class ArticleSummary extends Model(summary) {}

export class Article extends Model(summary.extend({ body: z.string() })) {}

export class ArticleList extends Model(
  z.object({ articles: z.array(ArticleSummary), articlesCount: z.int() }),
) {}

const count = (least: number) =>
  z.coerce.number("is invalid").int("is invalid").min(least, "is invalid");

const paging = {
  limit: count(1).default(20).transform((limit) => Math.min(limit, 100)),
  offset: count(0).default(0),
};

/** The page of a list, the most recent articles first. */
export class Paging extends Model(z.object(paging)) {}

export class Filter extends Model(z.object({
  tag: text(50).optional(),
  /** Names of users. */
  author: text(50).optional(),
  favorited: text(50).optional(),
  ...paging,
})) {}
