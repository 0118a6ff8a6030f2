import { Model } from "irori";
import { type RawBuilder, sql } from "kysely";
import * as z from "zod";

/** A user, as another one sees it. */
export class Profile extends Model(z.object({
  username: z.string(),
  bio: z.string().nullable(),
  image: z.string().nullable(),
  following: z.boolean(),
})) {}

/** The profile of a row that a query has joined as `author`. */
export function authorProfile(viewer: string | undefined): RawBuilder<Profile> {
  return sql`json_build_object(
    'username', author.username, 'bio', author.bio, 'image', author.image,
    'following', EXISTS (
      SELECT FROM follows WHERE follower_id = ${viewer ?? null} AND followed_id = author.id
    ))`;
}
