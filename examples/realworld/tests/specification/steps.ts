/**
 * A request of the specification, and what it is answered with. `{name}` in a path or a body stands for what an earlier step
 * has kept; `as` is the user who sends it, whose token `register()` has kept.
 */
export interface Step {
  /** Method and path below `/api`. */
  readonly request: string;
  readonly as?: string;
  readonly body?: unknown;
  readonly status: number;
  readonly answer?: Expected;
  /** Names for parts of the answer: `{ slug: "article.slug" }`. */
  readonly keep?: Readonly<Record<string, string>>;
}

/**
 * A value; a function that says whether a value is right; a list with these items; or an object with exactly these
 * members.
 */
export type Expected =
  | string
  | number
  | boolean
  | null
  | ((value: unknown) => boolean)
  | readonly Expected[]
  | { readonly [name: string]: Expected };

export const step = (
  request: string,
  options: Omit<Step, "request">,
): Step => ({ request, ...options });

/** A refused request. */
export const refused = (
  request: string,
  status: number,
  errors: Record<string, string> | undefined,
  { as, body }: Pick<Step, "as" | "body"> = {},
): Step => ({
  request,
  as,
  body,
  status,
  answer: {
    errors: errors === undefined ? isErrors : Object.fromEntries(
      Object.entries(errors).map((
        [key, reason],
      ) => [key, startsWith(reason)]),
    ),
  },
});

/** A new user, who sends the steps with `as: name`. */
export const register = (name: string): Step => ({
  request: "POST /users",
  body: {
    user: {
      username: name,
      email: `${name}@example.com`,
      password: "correct horse",
    },
  },
  status: 201,
  answer: { user: userOf(name) },
  keep: { [`token of ${name}`]: "user.token" },
});

export const userOf = (
  name: string,
  change: Record<string, Expected> = {},
): Expected => ({
  username: name,
  email: `${name}@example.com`,
  bio: null,
  image: null,
  token: isText,
  ...change,
});

export const profileOf = (username: string, following = false): Expected => ({
  username,
  bio: null,
  image: null,
  following,
});

/** An article of a list, by its author. */
export const summaryOf = (
  author: string,
  change: Record<string, Expected> = {},
): Expected => ({
  slug: isText,
  title: isText,
  description: isText,
  tagList: [],
  createdAt: isTime,
  updatedAt: isTime,
  favorited: false,
  favoritesCount: 0,
  author: profileOf(author),
  ...change,
});

export const articleOf = (
  author: string,
  change: Record<string, Expected> = {},
): Expected => ({
  ...summaryOf(author, change) as Record<string, Expected>,
  body: change.body ?? isText,
});

export const commentOf = (author: string, body: string): Expected => ({
  id: Number.isInteger,
  body,
  createdAt: isTime,
  updatedAt: isTime,
  author: profileOf(author),
});

export function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

export function isTime(value: unknown): boolean {
  return typeof value === "string" &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
}

/** One reason or more for one key or more. */
function isErrors(value: unknown): boolean {
  const reasons = Object.values(value as Record<string, unknown>);
  return reasons.length > 0 &&
    reasons.every((list) => Array.isArray(list) && list.every(isText));
}

/** A list whose first text is this. */
function startsWith(text: string): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value[0] === text;
}
