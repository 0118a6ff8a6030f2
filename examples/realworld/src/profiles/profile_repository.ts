import { Autowired, Component } from "irori";
import { current } from "irori/transactions";
import { Database } from "../database/database.ts";
import { authorProfile, type Profile } from "./profile.ts";

@Component()
export class ProfileRepository {
  @Autowired(Database)
  private readonly database!: Database;

  async find(username: string, viewer?: string): Promise<Profile | undefined> {
    const row = await current(this.database).selectFrom("users as author")
      .select(authorProfile(viewer).as("profile"))
      .where("username", "=", username).executeTakeFirst();
    return row?.profile;
  }

  async follow(follower: string, username: string): Promise<void> {
    await current(this.database).insertInto("follows")
      .columns(["follower_id", "followed_id"])
      .expression(({ selectFrom, val, cast }) =>
        selectFrom("users").select([
          cast<string>(val(follower), "bigint").as("follower"),
          "id",
        ])
          .where("username", "=", username)
      )
      .onConflict((conflict) => conflict.doNothing()).execute();
  }

  async unfollow(follower: string, username: string): Promise<void> {
    await current(this.database).deleteFrom("follows").using("users")
      .whereRef("followed_id", "=", "users.id")
      .where("follower_id", "=", follower).where("username", "=", username)
      .execute();
  }
}
