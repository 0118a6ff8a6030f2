import { type TestApplication, testApplication } from "irori/testing";
import { AttachmentRepository } from "../src/attachments/attachment_repository.ts";
import { CommentRepository } from "../src/comments/comment_repository.ts";
import { Database } from "../src/database/database.ts";
import { IssueRepository } from "../src/issues/issue_repository.ts";
import { ProjectRepository } from "../src/projects/project_repository.ts";
import { mountReports } from "../src/reports/reports.ts";
import { tracks } from "../tracks.ts";
import { attachment, comments, createdAt, issues, project } from "./data.ts";

/** The application with repositories that keep nothing: each request meets the same data. */
export async function startWithoutDatabase(): Promise<TestApplication> {
  const app = await testApplication({
    ...tracks,
    profiles: ["dev"],
    config: { datasource: [] },
    overrides: [
      [Database, { transaction: (action) => action() }],
      [ProjectRepository, {
        findAll: async () => ({ rows: [project], total: 1 }),
        find: async (key) => key === project.key ? project : undefined,
        insert: async ({ key, name }) => key === project.key ? undefined : { key, name, createdAt },
        delete: async (key) => key === project.key,
        statistics: async (key) => key === project.key ? { open: 2, closed: 1 } : undefined,
        nextNumber: async (key) => key === project.key ? 4 : undefined,
      }],
      [IssueRepository, {
        findAll: async (_, status, { offset, size }) => {
          const rows = issues.filter((issue) => !status || issue.status === status);
          return { rows: rows.slice(offset, offset + size), total: rows.length };
        },
        findAfter: async (_, number) => issues.filter((issue) => issue.number > number),
        find: async (id) => issues.find((issue) => issue.id === id),
        insert: async (issue) => ({ ...issue, id: 4, status: "open", createdAt }),
        update: async (id, change) => {
          const issue = issues.find((issue) => issue.id === id);
          return issue && { ...issue, ...change };
        },
        delete: async (id) => issues.some((issue) => issue.id === id),
        authors: async () => [{ author: "ada", issues: 2 }, { author: "bob", issues: 1 }],
      }],
      [CommentRepository, {
        findAll: async (_, { offset, size }) => comments.slice(offset, offset + size + 1),
        find: async (id) => comments.find((comment) => comment.id === id),
        insert: async (issue, author, text) => ({ id: 3, issue, author, text, createdAt }),
        delete: async () => {},
      }],
      [AttachmentRepository, {
        findAll: async () => [attachment],
        find: async (id) => id === attachment.id ? attachment : undefined,
        insert: async ({ issue, name, author }, content) => {
          let size = 0;
          for await (const bytes of content) size += bytes.length;
          return { id: attachment.id, issue, name, author, size };
        },
        content: async function* () {
          yield new Uint8Array([1, 2, 3]);
        },
      }],
    ],
  });
  mountReports(app);
  return app;
}
