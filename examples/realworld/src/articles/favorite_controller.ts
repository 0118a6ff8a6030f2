import { Autowired, DeleteMapping, HttpStatus, PostMapping, RestController } from "irori";
import { type Caller, caller } from "../users/caller.ts";
import { Article, slug } from "./article.ts";
import { FavoriteService } from "./favorite_service.ts";
import * as z from "zod";

const FAVORITE = {
  path: "/articles/{slug}/favorite",
  returns: z.object({ article: Article }),
  problems: [HttpStatus.NOT_FOUND],
};

@RestController()
export class FavoriteController {
  @Autowired(FavoriteService)
  private readonly favorites!: FavoriteService;

  @PostMapping(FAVORITE, slug, caller)
  async add(slug: string, { id }: Caller) {
    return { article: await this.favorites.add(slug, id) };
  }

  @DeleteMapping(FAVORITE, slug, caller)
  async remove(slug: string, { id }: Caller) {
    return { article: await this.favorites.remove(slug, id) };
  }
}
