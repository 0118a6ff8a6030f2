import { Client } from "@opensearch-project/opensearch";
import { Autowired, Component } from "irori";
import { Page, type Pageable } from "irori/paging";
import type { Article, NewArticle } from "./article.ts";

const index = "articles"; // The alias, so that a live reindex may change the index behind it.

@Component()
export class ArticleRepository {
  @Autowired(Client)
  private readonly client!: Client;

  async put(id: string, article: NewArticle): Promise<void> {
    // The response waits until a search finds the article.
    await this.client.index({ index, id, body: { id, ...article }, refresh: "wait_for" });
  }

  async search(text: string, pageable: Pageable): Promise<Page<Article>> {
    const { body } = await this.client.search({
      index,
      body: {
        query: { multi_match: { query: text, fields: ["title^3", "text"] } },
        sort: ["_score", "id"], // The second one makes the order of equal scores stable.
        from: pageable.offset,
        size: pageable.size,
        track_total_hits: true, // Otherwise it counts to 10,000.
      },
    });
    const { total, hits } = body.hits;
    const articles = hits.map(({ _source }) => _source as Article);
    return new Page(articles, pageable, typeof total === "object" ? total.value : total ?? 0);
  }
}
