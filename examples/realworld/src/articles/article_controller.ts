import {
  Autowired,
  DeleteMapping,
  GetMapping,
  HttpStatus,
  PostMapping,
  PutMapping,
  RequestBody,
  RequestParam,
  RestController,
} from "irori";
import { PermitAll } from "irori/security";
import { type Caller, caller, viewer } from "../users/caller.ts";
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

  @GetMapping({ path: "/articles", returns: ArticleList }, RequestParam(Filter), viewer)
  @PermitAll()
  async list(filter: Filter, viewer?: Caller) {
    return await this.articles.list(filter, viewer?.id);
  }

  @GetMapping({ path: "/articles/feed", returns: ArticleList }, RequestParam(Paging), caller)
  async feed(page: Paging, { id }: Caller) {
    return await this.articles.feed(id, page);
  }

  @GetMapping({ path: "/articles/{slug}", returns, problems: [NOT_FOUND] }, slug, viewer)
  @PermitAll()
  async get(slug: string, viewer?: Caller) {
    return { article: await this.articles.get(slug, viewer?.id) };
  }

  @PostMapping(
    { path: "/articles", status: CREATED, returns },
    RequestBody(z.object({ article: NewArticle })),
    caller,
  )
  async create({ article }: { article: NewArticle }, { id }: Caller) {
    return { article: await this.articles.create(article, id) };
  }

  @PutMapping(
    { path: "/articles/{slug}", returns, problems: [FORBIDDEN, NOT_FOUND] },
    slug,
    RequestBody(z.object({ article: ArticleChange })),
    caller,
  )
  async change(slug: string, { article }: { article: ArticleChange }, { id }: Caller) {
    return { article: await this.articles.change(slug, article, id) };
  }

  @DeleteMapping(
    {
      path: "/articles/{slug}",
      status: NO_CONTENT,
      returns: z.void(),
      problems: [FORBIDDEN, NOT_FOUND],
    },
    slug,
    caller,
  )
  async delete(slug: string, { id }: Caller): Promise<void> {
    await this.articles.delete(slug, id);
  }
}
