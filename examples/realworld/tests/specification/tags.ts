import { register, type Step, step } from "./steps.ts";

const tags = (...tags: string[]): Step => step("GET /tags", { status: 200, answer: { tags } });

const write = (title: string, ...tagList: string[]): Step =>
  step("POST /articles", {
    as: "mona",
    body: { article: { title, description: "Short", body: "Long", tagList } },
    status: 201,
    keep: { [title]: "article.slug" },
  });

const remove = (title: string): Step =>
  step(`DELETE /articles/{${title}}`, { as: "mona", status: 204 });

export const tagList: readonly Step[] = [
  register("mona"),
  tags(),
  write("one", "sea", "air"),
  tags("air", "sea"),
  write("two", "sea"),
  tags("sea", "air"),
  remove("one"),
  tags("sea"),
  remove("two"),
  tags(),
];
