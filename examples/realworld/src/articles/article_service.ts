import { Autowired, Service } from "irori";
import { Transactional } from "irori/transactions";
import type { Articles } from "../database/tables.ts";
import { forbidden, notFound } from "../errors/api_error.ts";
import type { Article, ArticleChange, ArticleList, Filter, NewArticle, Paging } from "./article.ts";
import { ArticleRepository } from "./article_repository.ts";
import { slugOf } from "./slugs.ts";

/** `user` and `viewer` are ids. Methods with a slug: @throws {ApiError} 404 */
@Service()
export class ArticleService {
  @Autowired(ArticleRepository)
  private readonly articles!: ArticleRepository;

  /** One snapshot: the count belongs to the page. */
  @Transactional({ readOnly: true, isolation: "repeatable read" })
  async list(filter: Filter, viewer?: string): Promise<ArticleList> {
    const articles = await this.articles.list(filter, filter, viewer);
    return { articles, articlesCount: await this.articles.count(filter) };
  }

  @Transactional({ readOnly: true, isolation: "repeatable read" })
  async feed(user: string, page: Paging): Promise<ArticleList> {
    const selection = { feedOf: user };
    const articles = await this.articles.list(selection, page, user);
    return { articles, articlesCount: await this.articles.count(selection) };
  }

  async get(slug: string, viewer?: string): Promise<Article> {
    const article = await this.articles.find(slug, viewer);
    if (!article) throw notFound("article");
    return article;
  }

  /** Keeps an article from being deleted until the transaction ends. @returns its id */
  async hold(slug: string): Promise<string> {
    const id = await this.articles.hold(slug);
    if (id === undefined) throw notFound("article");
    return id;
  }

  @Transactional()
  async create({ tagList, ...article }: NewArticle, author: string): Promise<Article> {
    const slug = slugOf(article.title);
    const id = await this.articles.insert({
      ...article,
      slug,
      author_id: author,
    });
    await this.articles.setTags(id, tagList);
    return await this.get(slug, author);
  }

  /** A new title gives the article a new slug. @throws {ApiError} 403 for the article of another user */
  @Transactional()
  async change(slug: string, { tagList, ...change }: ArticleChange, user: string) {
    const { id, title } = await this.lockOwn(slug, user);
    const { title: newTitle = title } = change;
    const newSlug = newTitle === title ? slug : slugOf(newTitle);
    await this.articles.update(id, { ...change, slug: newSlug });
    if (tagList) await this.articles.setTags(id, tagList);
    return await this.get(newSlug, user);
  }

  /** @throws {ApiError} 403 for the article of another user */
  @Transactional()
  async delete(slug: string, user: string): Promise<void> {
    await this.articles.delete((await this.lockOwn(slug, user)).id);
  }

  private async lockOwn(slug: string, user: string): Promise<Articles> {
    const article = await this.articles.lock(slug);
    if (!article) throw notFound("article");
    if (article.author_id !== user) throw forbidden("article");
    return article;
  }
}
