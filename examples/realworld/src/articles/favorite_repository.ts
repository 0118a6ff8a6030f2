import { Autowired, Component } from "irori";
import { current } from "irori/transactions";
import { Database } from "../database/database.ts";

@Component()
export class FavoriteRepository {
  @Autowired(Database)
  private readonly database!: Database;

  async add(user_id: string, article_id: string): Promise<void> {
    await current(this.database).insertInto("favorites").values({
      user_id,
      article_id,
    })
      .onConflict((conflict) => conflict.doNothing()).execute();
  }

  async remove(user_id: string, article_id: string): Promise<void> {
    await current(this.database).deleteFrom("favorites")
      .where("user_id", "=", user_id).where("article_id", "=", article_id)
      .execute();
  }
}
