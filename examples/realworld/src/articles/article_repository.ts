import { Autowired, Component } from "irori";
import { current } from "irori/transactions";
import { sql } from "kysely";
import { Database } from "../database/database.ts";
import type { Articles, ArticlesUpdate, NewArticles } from "../database/tables.ts";
import { authorProfile } from "../profiles/profile.ts";
import type { Article, ArticleSummary, Filter, Paging } from "./article.ts";

/** Selects all articles that match; `feedOf` is the id of a user, for the articles of those whom they follow. */
type Selection = Partial<Pick<Filter, "tag" | "author" | "favorited">> & {
  readonly feedOf?: string;
};

@Component()
export class ArticleRepository {
  @Autowired(Database)
  private readonly database!: Database;

  async find(slug: string, viewer?: string): Promise<Article | undefined> {
    return await this.articles().where("slug", "=", slug)
      .select(summary(viewer)).select("body").executeTakeFirst();
  }

  async list(
    selection: Selection,
    { limit, offset }: Paging,
    viewer?: string,
  ): Promise<ArticleSummary[]> {
    return await this.selected(selection).select(summary(viewer))
      .orderBy("articles.id", "desc").limit(limit).offset(offset).execute();
  }

  async count(selection: Selection): Promise<number> {
    const { total } = await this.selected(selection)
      .select(({ fn }) => fn.countAll().as("total")).executeTakeFirstOrThrow();
    return Number(total);
  }

  /** Until the transaction ends, no other one changes or deletes the article. */
  async lock(slug: string): Promise<Articles | undefined> {
    return await current(this.database).selectFrom("articles").selectAll()
      .where("slug", "=", slug).forUpdate().executeTakeFirst();
  }

  /** Until the transaction ends, no other one deletes the article. @returns the id */
  async hold(slug: string): Promise<string | undefined> {
    const row = await current(this.database).selectFrom("articles").select("id")
      .where("slug", "=", slug).forKeyShare().executeTakeFirst();
    return row?.id;
  }

  /** @returns the id */
  async insert(article: NewArticles): Promise<string> {
    const { id } = await current(this.database).insertInto("articles").values(article)
      .returning("id").executeTakeFirstOrThrow();
    return id;
  }

  /** Two changes within a millisecond differ in `updated_at`, too. */
  async update(id: string, change: ArticlesUpdate): Promise<void> {
    const updated_at = sql<Date>`greatest(now(), updated_at + interval '1 millisecond')`;
    await current(this.database).updateTable("articles").set({
      ...change,
      updated_at,
    })
      .where("id", "=", id).execute();
  }

  async delete(id: string): Promise<void> {
    await current(this.database).deleteFrom("articles").where("id", "=", id)
      .execute();
  }

  /** The tags of an article keep the order in which its author lists them. */
  async setTags(id: string, tags: readonly string[]): Promise<void> {
    await current(this.database).deleteFrom("article_tags").where("article_id", "=", id).execute();
    if (tags.length === 0) return;
    const rows = [...new Set(tags)].map((tag, position) => ({
      article_id: id,
      position,
      tag,
    }));
    await current(this.database).insertInto("article_tags").values(rows)
      .execute();
  }

  /** The most used ones first. */
  async tags(limit: number): Promise<string[]> {
    const rows = await current(this.database).selectFrom("article_tags").select("tag")
      .groupBy("tag").orderBy(({ fn }) => fn.countAll(), "desc").orderBy("tag")
      .limit(limit)
      .execute();
    return rows.map(({ tag }) => tag);
  }

  private articles() {
    return current(this.database).selectFrom("articles")
      .innerJoin("users as author", "author.id", "articles.author_id");
  }

  private selected({ tag, author, favorited, feedOf }: Selection) {
    let query = this.articles();
    if (author !== undefined) {
      query = query.where("author.username", "=", author);
    }
    if (tag !== undefined) {
      query = query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom("article_tags").select("tag")
            .whereRef("article_id", "=", "articles.id").where("tag", "=", tag),
        )
      );
    }
    if (favorited !== undefined) {
      query = query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom("favorites").innerJoin("users", "users.id", "user_id")
            .select("user_id")
            .whereRef("article_id", "=", "articles.id").where("username", "=", favorited),
        )
      );
    }
    if (feedOf !== undefined) {
      query = query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom("follows").select("followed_id")
            .whereRef("followed_id", "=", "articles.author_id").where("follower_id", "=", feedOf),
        )
      );
    }
    return query;
  }
}

/** The columns of a list, as `viewer` sees them. */
function summary(viewer: string | undefined) {
  return [
    "slug",
    "title",
    "description",
    "created_at as createdAt",
    "updated_at as updatedAt",
    sql<string[]>`ARRAY(
      SELECT tag FROM article_tags WHERE article_id = articles.id ORDER BY position
    )`.as("tagList"),
    sql<boolean>`EXISTS (
      SELECT FROM favorites WHERE article_id = articles.id AND user_id = ${viewer ?? null}
    )`.as("favorited"),
    sql<number>`(SELECT count(*)::integer FROM favorites WHERE article_id = articles.id)`
      .as("favoritesCount"),
    authorProfile(viewer).as("author"),
  ] as const;
}
