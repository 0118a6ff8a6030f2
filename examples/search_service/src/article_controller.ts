import {
  Autowired,
  GetMapping,
  HttpError,
  HttpStatus,
  PathVariable,
  PutMapping,
  RequestBody,
  RequestMapping,
  RequestParam,
  RestController,
} from "irori";
import { type Page, Pageable, pageOf } from "irori/paging";
import * as z from "zod";
import { Article, NewArticle } from "./article.ts";
import { ArticleRepository } from "./article_repository.ts";

@RestController()
@RequestMapping("/articles")
export class ArticleController {
  @Autowired(ArticleRepository)
  private readonly articles!: ArticleRepository;

  @PutMapping(
    { path: "/{id}", status: HttpStatus.NO_CONTENT },
    PathVariable("id", z.string().regex(/^[a-z0-9-]{1,40}$/)),
    RequestBody(NewArticle),
  )
  async put(id: string, article: NewArticle): Promise<void> {
    await this.articles.put(id, article);
  }

  @GetMapping(
    { path: "", returns: pageOf(Article) },
    RequestParam("q", z.string().min(1).max(200)),
    Pageable({ size: 10, maxSize: 100 }),
  )
  async search(q: string, pageable: Pageable): Promise<Page<Article>> {
    if (pageable.offset + pageable.size > 10_000) {
      throw new HttpError(HttpStatus.BAD_REQUEST, "Refine the search");
    }
    return await this.articles.search(q, pageable);
  }
}
