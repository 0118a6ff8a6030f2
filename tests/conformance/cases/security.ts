import { TOKENS } from "../callers.ts";
import type { Case } from "../types.ts";

const BASIC = 'Basic realm="application", charset="UTF-8"';
const CHALLENGE =
  `Bearer realm="application", ${BASIC}, ApiKey realm="application", in="query", name="key"`;
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const json = (token?: string) => ({
  "Content-Type": "application/json",
  ...(token !== undefined && bearer(token)),
});

const large = () => JSON.stringify("a".repeat(3000));
const piecewise = () => new Blob([large()]).stream();

export const security: readonly Case[] = [
  {
    name: "a request without credentials gets a challenge, as a problem",
    path: "/secured/me",
    status: 401,
    problem: true,
    responseHeaders: { "WWW-Authenticate": CHALLENGE },
  },
  {
    name: "a token is taken",
    path: "/secured/me",
    headers: bearer(TOKENS.user),
    status: 200,
    text: "ada",
  },
  {
    name: "a token by another algorithm and key is taken",
    path: "/secured/me",
    headers: bearer(TOKENS.elliptic),
    status: 200,
    text: "grace",
  },
  ...Object.entries({
    expired: TOKENS.expired,
    "by another key": TOKENS.otherKey,
    unsigned: TOKENS.unsigned,
    cut: TOKENS.user.slice(0, -4),
    malformed: "a.b.c",
    "of another scheme's words": `${TOKENS.user}, Bearer ${TOKENS.user}`,
  }).map(([what, token]): Case => ({
    name: `a token that is ${what} is not`,
    path: "/secured/me",
    headers: bearer(token),
    status: 401,
    problem: true,
  })),
  {
    name: "a name and a password in UTF-8 are taken",
    path: "/secured/me",
    headers: { Authorization: "Basic YmrDtnJuOnDDpHNzd8O2cmQ=" },
    status: 200,
    text: "björn",
  },
  {
    name: "a wrong password is not",
    path: "/secured/me",
    headers: { Authorization: "Basic YmrDtnJuOnDDpHNzd8O2cmQh" },
    status: 401,
  },
  { name: "a key is taken", path: "/secured/me?key=k1", status: 200, text: "robot" },
  { name: "two keys are not", path: "/secured/me?key=k1&key=k1", status: 401 },
  {
    name: "a missing role is a 403, as a problem",
    path: "/secured/admin",
    headers: bearer(TOKENS.user),
    status: 403,
    problem: true,
    responseHeaders: {
      "WWW-Authenticate": 'Bearer realm="application", error="insufficient_scope"',
    },
  },
  { name: "a role is enough", path: "/secured/admin", headers: bearer(TOKENS.admin), status: 200 },
  {
    name: "HEAD is protected as GET is",
    method: "HEAD",
    path: "/secured/admin",
    headers: bearer(TOKENS.user),
    status: 403,
    text: "",
  },
  { name: "dot segments do not lead around it", path: "/secured/open/../admin", status: 401 },
  { name: "encoded letters do not lead around it", path: "/secured/%61dmin", status: 401 },
  { name: "OPTIONS says what there is", method: "OPTIONS", path: "/secured/admin", status: 204 },
  {
    name: "another method is a 405 before it",
    method: "DELETE",
    path: "/secured/admin",
    status: 405,
  },
  { name: "what is open is open", path: "/secured/open", status: 200, text: "anonymous" },
  {
    name: "what is open knows who asks",
    path: "/secured/open",
    headers: bearer(TOKENS.user),
    status: 200,
    text: "ada",
  },
  {
    name: "what is open refuses wrong credentials where it wants to know",
    path: "/secured/open",
    headers: bearer(TOKENS.expired),
    status: 401,
  },
  { name: "a rule lets pass", path: "/secured/of/ada", headers: bearer(TOKENS.user), status: 200 },
  { name: "a rule refuses", path: "/secured/of/grace", headers: bearer(TOKENS.user), status: 403 },
  {
    name: "a body comes after who asks",
    method: "POST",
    path: "/secured/json",
    headers: json(),
    body: () => "{",
    status: 401,
  },
  {
    name: "a body comes after the role",
    method: "POST",
    path: "/secured/json",
    headers: json(TOKENS.admin),
    body: () => "{",
    status: 403,
  },
  {
    name: "a malformed body is a 400 for who may send one",
    method: "POST",
    path: "/secured/json",
    headers: json(TOKENS.user),
    body: () => "{",
    status: 400,
  },
  {
    name: "a body is read for who may send one",
    method: "POST",
    path: "/secured/json",
    headers: json(TOKENS.user),
    body: () => "[1]",
    status: 200,
    json: { body: [1], method: "POST" },
  },
  ...Object.entries({ "": large, " in pieces": piecewise }).flatMap(([how, body]): Case[] => [
    {
      name: `a body that is too large${how} comes after who asks`,
      method: "POST",
      path: "/secured/json",
      headers: json(),
      body,
      status: 401,
    },
    {
      name: `a body that is too large${how} is a 413 for who may send one`,
      method: "POST",
      path: "/secured/json",
      headers: json(TOKENS.user),
      body,
      status: 413,
    },
  ]),
  { name: "events are protected", path: "/secured/events", status: 401 },
  { name: "events are sent", path: "/secured/events", headers: bearer(TOKENS.user), status: 200 },
];
