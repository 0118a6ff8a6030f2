/** The RealWorld specification 2.0, from its document and its published tests, sent by HTTP. */
import { after, before, test } from "node:test";
import { articles } from "./specification/articles.ts";
import { comments } from "./specification/comments.ts";
import { favorites } from "./specification/favorites.ts";
import { feedAndPages } from "./specification/feed.ts";
import { profiles } from "./specification/profiles.ts";
import { run } from "./specification/run.ts";
import { tagList as tags } from "./specification/tags.ts";
import { users } from "./specification/users.ts";
import { needsServer, start } from "./with_database.ts";

const PARTS = {
  users,
  profiles,
  articles,
  "feed and pages": feedAndPages,
  favorites,
  comments,
  tags,
};

let conduit: Awaited<ReturnType<typeof start>>;
before(async () => {
  if (!needsServer.skip) conduit = await start();
});
after(() => conduit?.[Symbol.asyncDispose]());

for (const [name, steps] of Object.entries(PARTS)) {
  test(`the specification: ${name}`, needsServer, async () => {
    console.log(`${name}: ${await run(conduit.url, steps)} assertions`);
  });
}
