import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAccess } from "./answers.ts";
import { type Caller, headersOf } from "./callers.ts";
import { needsServer, type Started, startWithDatabase } from "./with_database.ts";

test("who may do what, with a database", needsServer, async () => {
  await using tracks = await startWithDatabase();
  await tracks.reset();
  await checkAccess(tracks.fetch, tracks.reset);
});

test("an issue gets the next number, is counted and found", needsServer, async () => {
  await using tracks = await startWithDatabase();
  await tracks.reset();
  const created = await send(tracks, "user", "POST", "/projects/TRA/issues", {
    title: "Too big",
  });
  assert.equal(created.status, 201);
  assert.equal(created.headers.get("Location"), "/issues/4");
  const { createdAt, ...issue } = await created.json();
  assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000);
  assert.deepEqual(issue, {
    id: 4,
    project: "TRA",
    number: 4,
    title: "Too big",
    description: "",
    status: "open",
    author: "ada",
  });

  const page = await send(tracks, "user", "GET", "/projects/TRA/issues?status=open&size=2");
  assert.match(page.headers.get("Link") ?? "", /<\?status=open&size=2&page=2>; rel="next"/);
  const { content, page: { totalElements } } = await page.json();
  assert.deepEqual(content.map(({ number }: { number: number }) => number), [4, 2]);
  assert.equal(totalElements, 3);

  const statistics = await send(tracks, "anonymous", "GET", "/projects/TRA/statistics");
  assert.deepEqual(await statistics.json(), { open: 3, closed: 1 });
  const meter = await send(tracks, "admin", "GET", "/actuator/metrics/issues.created");
  assert.deepEqual((await meter.json()).measurements, [{ statistic: "COUNT", value: 1 }]);
});

test("problems say what they are", needsServer, async () => {
  await using tracks = await startWithDatabase();
  await tracks.reset();
  const again = await send(tracks, "admin", "POST", "/projects", { key: "TRA", name: "Again" });
  assert.equal(again.headers.get("Content-Type"), "application/problem+json");
  assert.deepEqual(await again.json(), {
    type: "/problems/project-exists",
    title: "There is such a project already",
    status: 409,
    instance: "/projects",
    key: "TRA",
  });
});

test("a comment on what is deleted meanwhile is a conflict", needsServer, async () => {
  await using tracks = await startWithDatabase();
  await tracks.reset();
  await tracks.database.query(
    `CREATE FUNCTION gone() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN DELETE FROM issues WHERE id = NEW.issue; RETURN NEW; END $$;
     CREATE TRIGGER gone BEFORE INSERT ON comments FOR EACH ROW EXECUTE FUNCTION gone()`,
  );
  const late = await send(tracks, "user", "POST", "/issues/1/comments", { text: "Too late" });
  assert.equal(late.status, 409);
});

test("issues created at the same time have numbers of their own", needsServer, async () => {
  await using tracks = await startWithDatabase();
  await tracks.reset();
  const answers = await Promise.all(
    Array.from(
      { length: 20 },
      (_, index) =>
        send(tracks, "user", "POST", "/projects/TRA/issues", { title: `Issue ${index}` }),
    ),
  );
  const numbers = await Promise.all(answers.map(async (answer) => (await answer.json()).number));
  const expected = Array.from({ length: 20 }, (_, index) => index + 4);
  assert.deepEqual(numbers.sort((a, b) => a - b), expected);
});

test("issues are exported as CSV, however many there are", needsServer, async () => {
  await using tracks = await startWithDatabase();
  await tracks.reset();
  await tracks.database.query(
    `INSERT INTO issues (project, number, title, description, author)
     SELECT 'TRA', number, '=1+"' || number || '"', '', 'ada' FROM generate_series(4, 1203) number`,
  );
  const csv = await send(tracks, "user", "GET", "/projects/TRA/issues.csv");
  assert.equal(csv.headers.get("Content-Type"), "text/csv;charset=UTF-8");
  const lines = (await csv.text()).split("\r\n");
  assert.equal(lines.length, 1 + 1203 + 1);
  assert.equal(lines[0], "number,title,status,author,created");
  assert.equal(lines[1], "1,Too slow,open,ada,2026-01-02T03:04:05.000Z");
  assert.match(lines[1203] ?? "", /^1203,"'=1\+""1203""",open,ada,/);
});

test("an attachment comes back as sent; a large one leaves nothing", needsServer, async () => {
  await using tracks = await startWithDatabase();
  await tracks.reset();
  const upload = async (size: number, name: string) => {
    const bytes = new Uint8Array(size).map((_, index) => index % 251);
    const body = new FormData();
    body.append("file", new File([bytes], name));
    const answer = await tracks.fetch("/issues/2/attachments", {
      method: "POST",
      headers: headersOf("admin"),
      body,
    });
    return { answer, bytes };
  };
  const { answer, bytes } = await upload(3_000_000, "größe.bin");
  const [{ id, ...kept }] = await answer.json();
  assert.deepEqual(kept, { issue: 2, name: "größe.bin", size: 3_000_000, author: "grace" });

  const download = await send(tracks, "guest", "GET", `/attachments/${id}`);
  const disposition = `attachment; filename="gr__e.bin"; filename*=UTF-8''gr%C3%B6%C3%9Fe.bin`;
  assert.equal(download.headers.get("Content-Disposition"), disposition);
  assert.deepEqual(new Uint8Array(await download.arrayBuffer()), bytes);

  const { answer: refused } = await upload(21 * 2 ** 20, "large.bin");
  assert.equal(refused.status, 413);
  await refused.body?.cancel();
  const list = await send(tracks, "guest", "GET", "/issues/2/attachments");
  assert.deepEqual((await list.json()).map(({ name }: { name: string }) => name), ["größe.bin"]);
});

test("events tell what happens to issues", needsServer, async () => {
  await using tracks = await startWithDatabase();
  await tracks.reset();
  const feed = await send(tracks, "guest", "GET", "/events");
  const events = blocks(feed);
  assert.match((await events.next()).value ?? "", /^event: welcome\n/);
  await send(tracks, "user", "POST", "/issues/1/comments", { text: "Still so" });
  assert.equal((await events.next()).value, 'event: comment-added\ndata: {"issue":1,"by":"ada"}');
  await events.return(undefined);
});

async function send(
  { fetch }: Started,
  caller: Caller,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  const headers = { ...headersOf(caller), "Content-Type": "application/json" };
  return await fetch(path, { method, headers, body: JSON.stringify(body) });
}

/** The events of a stream, which empty lines separate, without comments. */
async function* blocks({ body }: Response): AsyncGenerator<string> {
  let text = "";
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
    const parts = (text + chunk).split("\n\n");
    text = parts.pop() ?? "";
    yield* parts.filter((part) => !part.startsWith(":"));
  }
}
