import { client, isProblem } from "irori/client";
import { contract } from "../contract.ts";

/** The expected results of `callEveryRoute()` with the data of `data.ts`, by the names of the client. */
export const FOUND: Readonly<Record<string, unknown>> = {
  "activity.events": [
    "welcome: You will receive all issues",
    'issue-created: {"issue":4,"by":"ada"}',
  ],
  "project.list": ["TRA"],
  "project.create": [201, "/projects/NEW", { key: "NEW", name: "New" }],
  "project.create, again": { status: 409, key: "NEW" },
  "project.get": { key: "NEW", name: "New" },
  "project.statistics": { open: 2, closed: 1 },
  "project.delete": undefined,
  "issue.create": {
    id: 4,
    number: 4,
    title: "Too big",
    description: "",
    author: "ada",
  },
  "issue.list": ["Too loud", "Too slow"],
  "issue.get": "Too big",
  "issue.change": "closed",
  "issue.delete": undefined,
  "comment.add": { id: 4, issue: 1, author: "ada", text: "Me too" },
  "comment.list": [["Still so", "Here, too"], ["Me too"]],
  "comment.delete": undefined,
  "attachment.upload": [{
    issue: 1,
    name: "größe.txt",
    size: 3,
    author: "ada",
  }],
  "attachment.list": ["größe.txt", "screen.png"],
  "attachment.download": [
    `attachment; filename="gr__e.txt"; filename*=UTF-8''gr%C3%B6%C3%9Fe.txt`,
    "abc",
  ],
  "export.issuesAsCsv": "number,title,status,author,created",
};

/**
 * Calls every route of the application by the typed client: from Node, Bun and Deno, and from a browser.
 *
 * @param user the headers of Ada
 * @param admin the headers of Grace
 */
export async function callEveryRoute(
  url: string,
  user: HeadersInit,
  admin: HeadersInit,
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  const ada = client(url, contract, {
    headers: user,
    timeout: 10_000,
    retry: { attempts: 3 },
  });
  const grace = client(url, contract, { headers: admin });

  const { content: projects } = await ada.project.list({
    page: 1,
    sort: ["name,desc"],
  });
  found["project.list"] = projects.map(({ key }) => key);
  const body = { key: "NEW", name: "New" };
  const created = await grace.project.create.response({ body });
  const { createdAt, ...project } = await created.json();
  found["project.create"] = [
    created.status,
    created.headers.get("Location"),
    project,
  ];
  const again = await grace.project.create({ body }).catch((error) => error);
  if (!isProblem(grace.project.create, again)) throw again;
  const { status, key } = again.problem;
  found["project.create, again"] = { status, key };
  const got = await ada.project.get({ key: "NEW" });
  if (got.createdAt !== createdAt) {
    throw new Error(`${got.createdAt} is not ${createdAt}`);
  }
  found["project.get"] = { key: got.key, name: got.name };
  found["project.statistics"] = await ada.project.statistics({ key: "TRA" });
  found["project.delete"] = await grace.project.delete({ key: "NEW" });

  const events: string[] = [];
  for await (const { type, data } of ada.activity.events()) {
    events.push(`${type}: ${data}`);
    if (events.length === 2) break;
    const title = { title: "Too big" };
    const issue = await ada.issue.create({ key: "TRA", body: title });
    const { id, number, title: kept, description, author } = issue;
    found["issue.create"] = { id, number, title: kept, description, author };
  }
  found["activity.events"] = events;

  const open = { key: "TRA", status: "open", size: 1, sort: ["number,desc"] } as const;
  const lists = await Promise.all([2, 3].map((page) => ada.issue.list({ ...open, page })));
  found["issue.list"] = lists.flatMap(({ content }) => content.map(({ title }) => title));
  found["issue.get"] = (await ada.issue.get({ id: 4 })).title;
  const change = {
    title: "Too big",
    description: "Really",
    status: "closed",
  } as const;
  found["issue.change"] = (await ada.issue.change({ id: 4, body: change })).status;
  found["issue.delete"] = await grace.issue.delete({ id: 4 });

  const comment = await ada.comment.add({ id: 1, body: { text: "Me too" } });
  const { id, issue, author, text } = comment;
  found["comment.add"] = { id, issue, author, text };
  const pages = await Promise.all(
    [1, 2].map((page) => ada.comment.list({ id: 1, page, size: 2 })),
  );
  found["comment.list"] = pages.map(({ content }) => content.map(({ text }) => text));
  found["comment.delete"] = await ada.comment.delete({ id });

  const file = new File(["abc"], "größe.txt");
  const uploaded = await ada.attachment.upload({ id: 1, body: { file } });
  found["attachment.upload"] = uploaded.map(({ id: _, ...rest }) => rest);
  const attachments = await ada.attachment.list({ id: 1 });
  found["attachment.list"] = attachments.map(({ name }) => name).sort();
  const [{ id: attachment } = { id: "" }] = uploaded;
  const download = await ada.attachment.download({ id: attachment });
  found["attachment.download"] = [
    download.headers.get("Content-Disposition"),
    await download.text(),
  ];

  const csv = await ada.export.issuesAsCsv({ key: "TRA" });
  found["export.issuesAsCsv"] = csv.split("\r\n")[0];
  return found;
}
