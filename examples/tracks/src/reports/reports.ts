import { Hono } from "hono";
import type { Application } from "irori";
import { IssueRepository } from "../issues/issue_repository.ts";

/** Routes of Hono itself, such as an application has that was there before; `paths` in `tracks.ts` says who may call them. */
export function mountReports(app: Pick<Application, "context" | "hono">): void {
  const issues = app.context.get(IssueRepository);
  const reports = new Hono().get(
    "/authors",
    async (c) => c.json(await issues.authors()),
  );
  app.hono.route("/reports", reports);
}
