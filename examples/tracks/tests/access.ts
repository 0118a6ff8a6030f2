import { attachment } from "./data.ts";

/** A request, what each of `CALLERS` is answered with, and what is sent besides. */
export type Row = readonly [request: string, answers: string, init?: () => RequestInit];

const change = { title: "Too slow", description: "Really", status: "closed" };

/** The status of each request for each user. Written from the requirements, not from the application. */
export const ACCESS: readonly Row[] = [
  //     anonymous guest user admin expired
  ["GET /projects", "401 200 200 200 401"],
  ["HEAD /projects", "401 200 200 200 401"],
  ["OPTIONS /projects", "204 204 204 204 204"],
  ["GET /projects?size=100&sort=name,desc", "401 200 200 200 401"],
  ["GET /projects?page=0", "401 400 400 400 401"],
  ["GET /projects?size=10000", "401 400 400 400 401"],
  ["GET /projects?sort=owner", "401 400 400 400 401"],
  ["POST /projects", "401 403 403 201 401", json({ key: "NEW", name: "New" })],
  ["POST /projects", "401 403 403 409 401", json({ key: "TRA", name: "Again" })],
  ["POST /projects", "401 403 403 400 401", json({ key: "tra" })],
  ["POST /projects", "401 403 403 415 401", () => ({ body: "key=NEW" })],
  ["PUT /projects", "405 405 405 405 405", json({})],
  ["GET /projects/TRA", "401 200 200 200 401"],
  ["GET /projects/NONE", "401 404 404 404 401"],
  ["GET /projects/tra", "401 400 400 400 401"],
  ["GET /projects/TRA/statistics", "200 200 200 200 200"],
  ["HEAD /projects/TRA/statistics", "200 200 200 200 200"],
  ["GET /projects/NONE/statistics", "404 404 404 404 404"],
  ["DELETE /projects/TRA", "401 403 403 204 401"],
  ["DELETE /projects/NONE", "401 403 403 404 401"],

  ["GET /projects/TRA/issues", "401 200 200 200 401"],
  ["GET /projects/TRA/issues?status=open", "401 200 200 200 401"],
  ["GET /projects/TRA/issues?status=odd", "401 400 400 400 401"],
  ["GET /projects/NONE/issues", "401 404 404 404 401"],
  ["POST /projects/TRA/issues", "401 403 201 201 401", json({ title: "Too big" })],
  ["POST /projects/NONE/issues", "401 403 404 404 401", json({ title: "Too big" })],
  ["POST /projects/TRA/issues", "401 403 400 400 401", json({ title: "" })],
  ["POST /projects/TRA/issues", "401 403 400 400 401", json({}, "{")],
  ["GET /projects/TRA/issues.csv", "401 200 200 200 401"],
  ["GET /projects/NONE/issues.csv", "401 404 404 404 401"],
  ["GET /projects/TRA/issues.csv", "406 406 406 406 406", accept("application/json")],

  // Ada, who is guest and user, has written issue 1 and comment 1, another user issue 2 and comment 2.
  ["GET /issues/1", "401 200 200 200 401"],
  ["GET /issues/99", "401 404 404 404 401"],
  ["GET /issues/one", "401 400 400 400 401"],
  ["PUT /issues/1", "401 403 200 200 401", json(change)],
  ["PUT /issues/2", "401 403 403 200 401", json(change)],
  ["PUT /issues/99", "401 403 404 404 401", json(change)],
  ["PUT /issues/1", "401 403 400 400 401", json({})],
  ["PUT /issues/2", "401 403 400 400 401", json({})],
  ["PATCH /issues/1", "405 405 405 405 405", json(change)],
  ["DELETE /issues/1", "401 403 403 204 401"],
  ["DELETE /issues/99", "401 403 403 404 401"],

  ["GET /issues/1/comments", "401 200 200 200 401"],
  ["GET /issues/99/comments", "401 404 404 404 401"],
  ["POST /issues/1/comments", "401 403 201 201 401", json({ text: "Me too" })],
  ["POST /issues/3/comments", "401 403 409 409 401", json({ text: "It is closed" })],
  ["POST /issues/1/comments", "401 403 400 400 401", json({ text: "" })],
  ["DELETE /comments/1", "401 204 204 204 401"],
  ["DELETE /comments/2", "401 403 403 204 401"],
  ["DELETE /comments/99", "401 404 404 404 401"],

  ["GET /issues/1/attachments", "401 200 200 200 401"],
  ["POST /issues/1/attachments", "401 403 201 201 401", file],
  ["POST /issues/2/attachments", "401 403 403 201 401", file],
  ["POST /issues/99/attachments", "401 403 404 404 401", file],
  ["POST /issues/1/attachments", "401 403 415 415 401", json({})],
  [`GET /attachments/${attachment.id}`, "401 200 200 200 401"],
  [`GET /attachments/${crypto.randomUUID()}`, "401 404 404 404 401"],
  ["GET /attachments/1", "401 400 400 400 401"],

  ["GET /events", "401 200 200 200 401"],
  ["POST /events", "405 405 405 405 405", json({})],

  // Extensions and mounted applications serve these.
  ["GET /openapi.json", "200 200 200 200 200"],
  ["GET /docs", "200 200 200 200 200"],
  ["GET /docs/start.js", "200 200 200 200 200"],
  ["GET /actuator/health", "200 200 200 200 200"],
  ["GET /actuator/health/liveness", "200 200 200 200 200"],
  ["GET /actuator", "401 403 403 200 401"],
  ["GET /actuator/metrics", "401 403 403 200 401"],
  ["GET /actuator/prometheus", "401 403 403 200 401"],
  ["GET /actuator/env", "404 404 404 404 404"],
  ["GET /reports/authors", "401 403 403 200 401"],
  ["HEAD /reports/authors", "401 403 403 200 401"],
  ["GET /nothing", "404 404 404 404 404"],
];

function json(value: unknown, body: string = JSON.stringify(value)): () => RequestInit {
  return () => ({ body, headers: { "Content-Type": "application/json" } });
}

function accept(type: string): () => RequestInit {
  return () => ({ headers: { Accept: type } });
}

function file(): RequestInit {
  const body = new FormData();
  body.append("file", new File(["abc"], "notes.txt"));
  return { body };
}
