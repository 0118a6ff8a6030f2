import {
  Autowired,
  DeleteMapping,
  HttpStatus,
  PathVariable,
  PostMapping,
  RestController,
} from "irori";
import { CurrentUser } from "irori/security";
import type { CurrentUserId } from "../users/tokens.ts";
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

  @PostMapping(
    FAVORITE,
    PathVariable("slug", slug),
    CurrentUser<CurrentUserId>(),
  )
  async add(slug: string, { id }: CurrentUserId) {
    return { article: await this.favorites.add(slug, id) };
  }

  @DeleteMapping(
    FAVORITE,
    PathVariable("slug", slug),
    CurrentUser<CurrentUserId>(),
  )
  async remove(slug: string, { id }: CurrentUserId) {
    return { article: await this.favorites.remove(slug, id) };
  }
}
