import { client, isProblem } from "irori/client";
import assert from "node:assert/strict";
import { test } from "node:test";
import { contract } from "../contract.ts";
import { needsServer, start } from "./with_database.ts";

test("a typed client writes, reads and is refused", needsServer, async () => {
  await using conduit = await start();
  const anonymous = client(conduit.url, contract);
  const { user } = await anonymous.user.register({
    body: {
      user: {
        username: "ada",
        email: "ada@example.com",
        password: "correct horse",
      },
    },
  });
  const ada = client(conduit.url, contract, {
    headers: { Authorization: `Token ${user.token}` },
  });

  const { article } = await ada.article.create({
    body: {
      article: {
        title: "Typed",
        description: "Short",
        body: "Long",
        tagList: ["types"],
      },
    },
  });
  await ada.comment.add({
    slug: article.slug,
    body: { comment: { body: "Well said" } },
  });
  await ada.favorite.add({ slug: article.slug });

  const { articles } = await anonymous.article.list({ tag: "types", limit: 1 });
  assert.deepEqual(
    articles.map(({ title, favoritesCount }) => [title, favoritesCount]),
    [
      ["Typed", 1],
    ],
  );
  const { comments } = await anonymous.comment.list({ slug: article.slug });
  assert.deepEqual(comments.map(({ author }) => author.username), ["ada"]);

  const error = await ada.article.get({ slug: "none" }).catch((error) => error);
  assert.ok(isProblem(ada.article.get, error));
  assert.deepEqual(error.problem.errors, { article: ["not found"] });
});
