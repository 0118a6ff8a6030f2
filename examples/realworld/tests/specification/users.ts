import { isText, refused, register, type Step, step, userOf } from "./steps.ts";

const password = "correct horse";
const longest = "a".repeat(64);

const account = (user: Record<string, unknown>) => ({ body: { user } });
const change = (user: Record<string, unknown>) => ({
  as: "ada",
  body: { user },
});

/** A change of the account, and that it lasts. */
const changed = (user: Record<string, unknown>, answer: Record<string, string | null>): Step[] => [
  step("PUT /user", {
    ...change(user),
    status: 200,
    answer: { user: userOf("ada", answer) },
  }),
  step("GET /user", {
    as: "ada",
    status: 200,
    answer: { user: userOf("ada", answer) },
  }),
];

export const users: readonly Step[] = [
  register("ada"),
  step("POST /users/login", {
    ...account({ email: "ada@example.com", password }),
    status: 200,
    answer: { user: userOf("ada") },
    keep: { "token of ada": "user.token" },
  }),
  step("GET /user", {
    as: "ada",
    status: 200,
    answer: { user: userOf("ada") },
  }),

  // A text that is empty, and null, both delete an optional one.
  ...changed({ bio: "Counts" }, { bio: "Counts" }),
  ...changed({ bio: "" }, { bio: null }),
  ...changed({ bio: "Counts again" }, { bio: "Counts again" }),
  ...changed({ bio: null }, { bio: null }),
  ...changed({ image: "https://example.com/a.jpg" }, {
    image: "https://example.com/a.jpg",
  }),
  ...changed({ image: "" }, { image: null }),
  ...changed({ image: "https://example.com/b.jpg" }, {
    image: "https://example.com/b.jpg",
  }),
  ...changed({ image: null }, { image: null }),
  ...changed({ bio: "Counts", image: null }, { bio: "Counts" }),

  // The account stays the same under another name.
  step("PUT /user", {
    ...change({ username: "lovelace", email: "lovelace@example.com" }),
    status: 200,
    answer: { user: userOf("lovelace", { bio: "Counts" }) },
    keep: { "token of lovelace": "user.token" },
  }),
  step("GET /user", {
    as: "lovelace",
    status: 200,
    answer: { user: userOf("lovelace", { bio: "Counts" }) },
  }),
  step("GET /user", {
    as: "ada",
    status: 200,
    answer: { user: userOf("lovelace", { bio: isText }) },
  }),

  // Required.
  ...["username", "email", "password"].map((field) =>
    refused(
      "POST /users",
      422,
      { [field]: "can't be blank" },
      account({
        username: "bob",
        email: "bob@example.com",
        password,
        [field]: "",
      }),
    )
  ),
  ...["email", "password"].map((field) =>
    refused(
      "POST /users/login",
      422,
      { [field]: "can't be blank" },
      account({ email: "lovelace@example.com", password, [field]: "" }),
    )
  ),
  refused("POST /users", 422, undefined, { body: {} }),
  refused("POST /users/login", 422, undefined, account({})),

  // Unique.
  register("bob"),
  refused("POST /users", 409, { username: "has already been taken" }, {
    ...account({ username: "bob", email: "robert@example.com", password }),
  }),
  refused("POST /users", 409, { email: "has already been taken" }, {
    ...account({ username: "robert", email: "bob@example.com", password }),
  }),
  refused(
    "PUT /user",
    409,
    { username: "has already been taken" },
    change({ username: "bob" }),
  ),
  refused(
    "PUT /user",
    409,
    { email: "has already been taken" },
    change({ email: "bob@example.com" }),
  ),

  // Credentials.
  refused("POST /users/login", 401, { credentials: "invalid" }, {
    ...account({ email: "bob@example.com", password: "another horse" }),
  }),
  refused("POST /users/login", 401, { credentials: "invalid" }, {
    ...account({ email: "unknown@example.com", password }),
  }),
  refused("GET /user", 401, { token: "is missing" }),
  refused(
    "PUT /user",
    401,
    { token: "is missing" },
    account({ bio: "Of another" }),
  ),
  refused("GET /user", 401, { token: "is invalid" }, { as: "a.forged.token" }),

  // Required texts cannot be removed. Passwords (NIST SP 800-63B) have 8 characters, 64 or more, of any kind.
  ...["email", "username", "password"].flatMap((field) =>
    ["", null].map((value) =>
      refused(
        "PUT /user",
        422,
        { [field]: "can't be blank" },
        change({ [field]: value }),
      )
    )
  ),
  refused("PUT /user", 422, undefined, change({ password: "7 chars" })),
  ...["8letters", longest].flatMap((password) => [
    step("PUT /user", { ...change({ password }), status: 200 }),
    step("POST /users/login", {
      ...account({ email: "lovelace@example.com", password }),
      status: 200,
      answer: { user: userOf("lovelace", { bio: "Counts" }) },
    }),
  ]),
];
