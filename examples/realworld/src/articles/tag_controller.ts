import { Autowired, GetMapping, RestController } from "irori";
import { PermitAll } from "irori/security";
import { ArticleRepository } from "./article_repository.ts";
import * as z from "zod";

@RestController()
export class TagController {
  @Autowired(ArticleRepository)
  private readonly articles!: ArticleRepository;

  @GetMapping({
    path: "/tags",
    returns: z.object({ tags: z.array(z.string()) }),
  })
  @PermitAll()
  async list() {
    return { tags: await this.articles.tags(100) };
  }
}
