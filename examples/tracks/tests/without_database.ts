import { type TestApplication, testApplication } from "irori/testing";
import { PgTransactions } from "irori/transactions";
import { AttachmentRepository } from "../src/attachments/attachment_repository.ts";
import { CommentRepository } from "../src/comments/comment_repository.ts";
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
      [PgTransactions, { run: (_, work) => work({ query: () => Promise.reject() }) }],
      [ProjectRepository, {
        findAll: () => Promise.resolve({ rows: [project], total: 1 }),
        find: (key) => Promise.resolve(key === project.key ? project : undefined),
        insert: ({ key, name }) =>
          Promise.resolve(key === project.key ? undefined : { key, name, createdAt }),
        delete: (key) => Promise.resolve(key === project.key),
        statistics: (key) =>
          Promise.resolve(key === project.key ? { open: 2, closed: 1 } : undefined),
        nextNumber: (key) => Promise.resolve(key === project.key ? 4 : undefined),
      }],
      [IssueRepository, {
        findAll: (_, status, { offset, size }) => {
          const rows = issues.filter((issue) => !status || issue.status === status);
          return Promise.resolve({ rows: rows.slice(offset, offset + size), total: rows.length });
        },
        findAfter: (_, number) => Promise.resolve(issues.filter((one) => one.number > number)),
        find: (id) => Promise.resolve(issueOf(id)),
        insert: (issue) => Promise.resolve({ ...issue, id: 4, status: "open", createdAt }),
        update: (id, change) => Promise.resolve(issueOf(id) && { ...issueOf(id)!, ...change }),
        delete: (id) => Promise.resolve(issueOf(id) !== undefined),
        authors: () =>
          Promise.resolve([{ author: "ada", issues: 2 }, { author: "bob", issues: 1 }]),
      }],
      [CommentRepository, {
        findAll: (_, { offset, size }) =>
          Promise.resolve(comments.slice(offset, offset + size + 1)),
        find: (id) => Promise.resolve(comments.find((comment) => comment.id === id)),
        insert: (issue, author, text) => Promise.resolve({ id: 3, issue, author, text, createdAt }),
        delete: () => Promise.resolve(),
      }],
      [AttachmentRepository, {
        findAll: () => Promise.resolve([attachment]),
        find: (id) => Promise.resolve(id === attachment.id ? attachment : undefined),
        insert: async ({ issue, name, author }, content) => {
          const { size } = new Blob(await Array.fromAsync(content, (bytes) => bytes.slice()));
          return { id: attachment.id, issue, name, author, size };
        },
        content: async function* () {
          yield await Promise.resolve(new Uint8Array([1, 2, 3]));
        },
      }],
    ],
  });
  mountReports(app);
  return app;
}

function issueOf(id: number) {
  return issues.find((issue) => issue.id === id);
}
