/** A request, and what the application of this library answers. */
export interface Exchange {
  /** Method and path. */
  readonly request: string;
  /** The special property of the request, as the pages name it. */
  readonly about?: string;
  /** The user whose credentials are sent. */
  readonly as?: keyof typeof CREDENTIALS;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: unknown;
  readonly status: number;
  /** The body, where it has to be the same everywhere; of other errors the shape differs. */
  readonly answer?: unknown;
  readonly location?: string;
  /** Different responses of the other frameworks. */
  readonly others?: Readonly<Partial<Record<Other, Difference>>>;
}

/** The same application exists for these frameworks. */
export type Other = "NestJS" | "Spring Boot";

/** The response of another framework, where it is different. */
export interface Difference {
  /** The same when left out. */
  readonly status?: number;
  /** The body, where it is known. */
  readonly answer?: unknown;
}

const CREDENTIALS = { ada: "ada:engine", grace: "grace:cobol", stranger: "eve:guess" };

const MILK = note(1, "Milk");
const BREAD = note(2, "Bread");
const TEA = note(3, "Tea");
const ALL = [MILK, BREAD, TEA];
const OATS = { ...note(1, "Oats"), tags: ["a"] };
const SALT = { ...note(4, "Salt"), text: "Sea", author: "grace" };

/** In this order, to an application that has just started. */
export const EXCHANGES: readonly Exchange[] = [
  { request: "GET /notes", ...page([MILK, BREAD]) },
  { request: "GET /notes?page=2", ...page([TEA], { number: 2 }) },
  { request: "GET /notes?page=9", ...page([], { number: 9 }) },
  { request: "GET /notes?size=50", ...page(ALL, { size: 50, totalPages: 1 }) },
  { request: "GET /notes?unknown=1", ...page([MILK, BREAD]) },
  refusedBySome("GET /notes?page=0", [MILK, BREAD]),
  refusedBySome("GET /notes?size=many", [MILK, BREAD]),
  refusedBySome("GET /notes?page=1&page=2", [MILK, BREAD]),
  refusedBySome("GET /notes?size=51", ALL, { size: 50, totalPages: 1 }),
  { request: "GET /notes/1", status: 200, answer: MILK },
  { request: "HEAD /notes/1", status: 200, others: { "Spring Boot": { status: 401 } } },
  {
    request: "OPTIONS /notes/1",
    status: 204,
    others: { NestJS: { status: 404 }, "Spring Boot": { status: 401 } },
  },
  {
    request: "OPTIONS /notes/1",
    about: "signed in",
    as: "ada",
    status: 204,
    others: { NestJS: { status: 404 }, "Spring Boot": { status: 200 } },
  },
  { request: "GET /notes/99", ...missing(99) },
  { request: "GET /notes/one", status: 400 },
  { request: "GET /notes/1.5", status: 400 },
  {
    request: "GET /notes/99999999999",
    ...missing(99999999999),
    others: { "Spring Boot": { status: 400 } },
  },
  {
    request: "GET /notes/",
    status: 404,
    others: { NestJS: { status: 200, answer: page([MILK, BREAD]).answer } },
  },
  {
    request: "GET /NOTES",
    status: 404,
    others: {
      NestJS: { status: 200, answer: page([MILK, BREAD]).answer },
      "Spring Boot": { status: 401 },
    },
  },
  { request: "GET /nope", status: 404, others: { "Spring Boot": { status: 401 } } },
  { request: "GET /nope", about: "signed in", as: "ada", status: 404 },
  { request: "PATCH /notes/1", as: "ada", status: 405, others: { NestJS: { status: 404 } } },
  {
    request: "GET /notes/1",
    about: "with `Accept: application/xml`",
    headers: { Accept: "application/xml" },
    status: 200,
    answer: MILK,
    others: { "Spring Boot": { status: 406 } },
  },
  {
    request: "GET /notes/1",
    about: "with a wrong password",
    as: "stranger",
    status: 200,
    answer: MILK,
    others: { "Spring Boot": { status: 401 } },
  },
  { request: "POST /notes", body: { title: "Salt" }, status: 401 },
  { request: "POST /notes", as: "stranger", body: { title: "Salt" }, status: 401 },
  { request: "DELETE /notes/1", status: 401 },
  { request: "DELETE /notes/1", as: "grace", status: 403 },
  { request: "POST /notes", as: "grace", body: {}, status: 400 },
  {
    request: "POST /notes",
    as: "grace",
    body: { title: "", tags: ["a", "", "c", "d"] },
    status: 400,
  },
  { request: "POST /notes", as: "grace", body: { title: "x".repeat(41) }, status: 400 },
  { request: "POST /notes", as: "grace", body: '{"title":', status: 400 },
  { request: "POST /notes", as: "grace", body: [], status: 400 },
  {
    request: "POST /notes",
    about: "as `text/plain`",
    as: "grace",
    headers: { "Content-Type": "text/plain" },
    body: '{"title":"Salt"}',
    status: 415,
    others: { NestJS: { status: 400 } },
  },
  {
    request: "POST /notes",
    about: "as a form",
    as: "grace",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: "title=Salt&text=Sea&tags=",
    status: 415,
    others: { NestJS: { status: 400 } },
  },
  {
    request: "PUT /notes/1",
    about: "with a number as `title`",
    as: "ada",
    body: { title: 7 },
    status: 400,
    others: { "Spring Boot": { status: 200, answer: { ...MILK, title: "7" } } },
  },
  {
    request: "PUT /notes/1",
    about: "with `text: null`",
    as: "ada",
    body: { title: "Milk", text: null },
    status: 400,
    others: { "Spring Boot": { status: 200, answer: MILK } },
  },
  { request: "PUT /notes/1", as: "ada", body: { title: "Milk", tags: "one" }, status: 400 },
  {
    request: "PUT /notes/1",
    about: "with 200 kB of `text`",
    as: "ada",
    body: { title: "Milk", text: "x".repeat(200_000) },
    status: 400,
    others: { NestJS: { status: 413 } },
  },
  {
    request: "PUT /notes/1",
    about: "with 2 MB of `text`",
    as: "ada",
    body: { title: "Milk", text: "x".repeat(2_000_000) },
    status: 413,
    others: { "Spring Boot": { status: 400 } },
  },
  {
    request: "PUT /notes/1",
    about: "with undeclared fields",
    as: "ada",
    body: { title: "Oats", tags: ["a"], author: "eve", id: 9 },
    status: 200,
    answer: OATS,
  },
  { request: "PUT /notes/99", as: "ada", body: { title: "Oats" }, ...missing(99) },
  {
    request: "POST /notes",
    as: "grace",
    body: { title: "Salt", text: "Sea" },
    status: 201,
    answer: SALT,
    location: "/notes/4",
  },
  {
    request: "POST /notes",
    as: "grace",
    body: { title: "Rice" },
    status: 409,
    answer: {
      type: "/problems/too-many-notes",
      title: "Conflict",
      status: 409,
      detail: "There are 4 notes already",
      instance: "/notes",
      limit: 4,
    },
  },
  { request: "DELETE /notes/1", as: "ada", status: 204 },
  { request: "DELETE /notes/1", as: "ada", ...missing(1) },
  { request: "GET /notes?page=2", ...page([SALT], { number: 2 }) },
];

/** The exchange as pages and messages name it. */
export function describeExchange({ request, about }: Exchange): string {
  return `\`${request}\`${about ? ` ${about}` : ""}`;
}

/** The request itself. @param url where it is sent */
export function requestOf(url: string, { request, as, headers, body }: Exchange): Request {
  const [method = "", path] = request.split(" ");
  return new Request(url + path, {
    method,
    headers: {
      ...(as && { Authorization: `Basic ${btoa(CREDENTIALS[as])}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
  });
}

function note(id: number, title: string) {
  return { id, title, text: "", tags: [] as string[], author: "ada" };
}

function missing(id: number) {
  const about = { type: "about:blank", title: "Not Found", status: 404 };
  return {
    status: 404,
    answer: { ...about, detail: `There is no note ${id}`, instance: `/notes/${id}` },
  };
}

/** A page; Spring takes its number from 1, as the others, and writes it from 0. */
function page(content: readonly unknown[], told: { [name: string]: number } = {}) {
  const about = { size: 2, number: 1, totalElements: 3, totalPages: 2, ...told };
  const others = {
    "Spring Boot": { answer: { content, page: { ...about, number: about.number - 1 } } },
  };
  return { status: 200, answer: { content, page: about }, others };
}

/** A page that is refused, while Spring takes the nearest that there is. */
function refusedBySome(
  request: string,
  content: readonly unknown[],
  told?: { [name: string]: number },
): Exchange {
  const { answer } = page(content, told).others["Spring Boot"];
  return { request, status: 400, others: { "Spring Boot": { status: 200, answer } } };
}
