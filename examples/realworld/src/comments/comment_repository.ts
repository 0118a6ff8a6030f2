import { Autowired, Component } from "irori";
import { current } from "irori/transactions";
import { Database } from "../database/database.ts";
import type { Comments, NewComments } from "../database/tables.ts";
import { authorProfile } from "../profiles/profile.ts";
import type { Comment } from "./comment.ts";

@Component()
export class CommentRepository {
  @Autowired(Database)
  private readonly database!: Database;

  async list(slug: string, viewer?: string): Promise<Comment[]> {
    return await this.comments(viewer).innerJoin("articles", "articles.id", "article_id")
      .where("slug", "=", slug).orderBy("comments.id").execute();
  }

  async get(id: number, viewer: string): Promise<Comment> {
    return await this.comments(viewer).where("comments.id", "=", id)
      .executeTakeFirstOrThrow();
  }

  async find(article: string, id: number): Promise<Comments | undefined> {
    return await current(this.database).selectFrom("comments").selectAll()
      .where("article_id", "=", article).where("id", "=", id)
      .executeTakeFirst();
  }

  /** @returns the id */
  async insert(comment: NewComments): Promise<number> {
    const { id } = await current(this.database).insertInto("comments").values(comment)
      .returning("id").executeTakeFirstOrThrow();
    return id;
  }

  async delete(id: number): Promise<void> {
    await current(this.database).deleteFrom("comments").where("id", "=", id)
      .execute();
  }

  private comments(viewer: string | undefined) {
    return current(this.database).selectFrom("comments")
      .innerJoin("users as author", "author.id", "comments.author_id")
      .select(["comments.id", "comments.body"])
      .select([
        "comments.created_at as createdAt",
        "comments.updated_at as updatedAt",
      ])
      .select(authorProfile(viewer).as("author"));
  }
}
