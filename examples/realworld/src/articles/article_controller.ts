import {
  Autowired,
  DeleteMapping,
  GetMapping,
  HttpStatus,
  PathVariable,
  PostMapping,
  PutMapping,
  RequestBody,
  RequestParam,
  RestController,
} from "irori";
import { CurrentUser, PermitAll } from "irori/security";
import type { CurrentUserId } from "../users/tokens.ts";
import {
  Article,
  ArticleChange,
  ArticleList,
  Filter,
  NewArticle,
  Paging,
  slug,
} from "./article.ts";
import { ArticleService } from "./article_service.ts";
import * as z from "zod";

const { CREATED, FORBIDDEN, NO_CONTENT, NOT_FOUND } = HttpStatus;
const returns = z.object({ article: Article });

@RestController()
export class ArticleController {
  @Autowired(ArticleService)
  private readonly articles!: ArticleService;

  @GetMapping(
    { path: "/articles", returns: ArticleList },
    RequestParam(Filter),
    CurrentUser<CurrentUserId>({ required: false }),
  )
  @PermitAll()
  async list(filter: Filter, viewer?: CurrentUserId) {
    return await this.articles.list(filter, viewer?.id);
  }

  @GetMapping(
    { path: "/articles/feed", returns: ArticleList },
    RequestParam(Paging),
    CurrentUser<CurrentUserId>(),
  )
  async feed(page: Paging, { id }: CurrentUserId) {
    return await this.articles.feed(id, page);
  }

  @GetMapping(
    { path: "/articles/{slug}", returns, problems: [NOT_FOUND] },
    PathVariable("slug", slug),
    CurrentUser<CurrentUserId>({ required: false }),
  )
  @PermitAll()
  async get(slug: string, viewer?: CurrentUserId) {
    return { article: await this.articles.get(slug, viewer?.id) };
  }

  @PostMapping(
    { path: "/articles", status: CREATED, returns },
    RequestBody(z.object({ article: NewArticle })),
    CurrentUser<CurrentUserId>(),
  )
  async create({ article }: { article: NewArticle }, { id }: CurrentUserId) {
    return { article: await this.articles.create(article, id) };
  }

  @PutMapping(
    { path: "/articles/{slug}", returns, problems: [FORBIDDEN, NOT_FOUND] },
    PathVariable("slug", slug),
    RequestBody(z.object({ article: ArticleChange })),
    CurrentUser<CurrentUserId>(),
  )
  async change(
    slug: string,
    { article }: { article: ArticleChange },
    { id }: CurrentUserId,
  ) {
    return { article: await this.articles.change(slug, article, id) };
  }

  @DeleteMapping(
    {
      path: "/articles/{slug}",
      status: NO_CONTENT,
      returns: z.void(),
      problems: [FORBIDDEN, NOT_FOUND],
    },
    PathVariable("slug", slug),
    CurrentUser<CurrentUserId>(),
  )
  async delete(slug: string, { id }: CurrentUserId): Promise<void> {
    await this.articles.delete(slug, id);
  }
}
