/** The RealWorld specification 2.0, from its document and its published tests, sent by HTTP. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { articles } from "./specification/articles.ts";
import { comments } from "./specification/comments.ts";
import { favorites } from "./specification/favorites.ts";
import { feedAndPages } from "./specification/feed.ts";
import { profiles } from "./specification/profiles.ts";
import { run } from "./specification/run.ts";
import { tagList } from "./specification/tags.ts";
import { users } from "./specification/users.ts";
import { needsServer, start } from "./with_database.ts";

/** Each with its number of assertions, so that none is lost unnoticed. */
const PARTS = {
  users: [users, 307],
  profiles: [profiles, 114],
  articles: [articles, 552],
  "feed and pages": [feedAndPages, 264],
  favorites: [favorites, 270],
  comments: [comments, 202],
  tags: [tagList, 32],
} as const;

let conduit: Awaited<ReturnType<typeof start>>;
before(async () => {
  if (!needsServer.skip) conduit = await start();
});
after(() => conduit?.[Symbol.asyncDispose]());

for (const [name, [steps, assertions]] of Object.entries(PARTS)) {
  test(`the specification: ${name}`, needsServer, async () => {
    assert.equal(await run(conduit.url, steps), assertions);
  });
}
