import { Autowired, Service } from "irori";
import { Transactional } from "irori/transactions";
import type { Article } from "./article.ts";
import { ArticleService } from "./article_service.ts";
import { FavoriteRepository } from "./favorite_repository.ts";

/** All methods: @throws {ApiError} 404 */
@Service()
export class FavoriteService {
  @Autowired(ArticleService)
  private readonly articles!: ArticleService;
  @Autowired(FavoriteRepository)
  private readonly favorites!: FavoriteRepository;

  @Transactional()
  async add(slug: string, user: string): Promise<Article> {
    await this.favorites.add(user, await this.articles.hold(slug));
    return await this.articles.get(slug, user);
  }

  @Transactional()
  async remove(slug: string, user: string): Promise<Article> {
    await this.favorites.remove(user, await this.articles.hold(slug));
    return await this.articles.get(slug, user);
  }
}
