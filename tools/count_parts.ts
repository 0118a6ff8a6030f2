/**
 * Counts the lines of `examples/parcels` that are there for each of eleven parts: `deno run -A tools/count_parts.ts` writes
 * them to `docs/proofs/eleven-parts.md`.
 */
import { deno } from "./_run.ts";

const FOLDER = new URL("../examples/parcels/", import.meta.url);

/** Lines of a file: all, those that match, or those from one that matches to the next that does. */
type Selection = readonly [file: string, first?: RegExp, last?: RegExp];

const CONTROLLER = "src/couriers/login_controller.ts";
const WITH_DATABASE = "tests/with_database.ts";

/** A line belongs to the first part that selects it. */
const PARTS: Readonly<Record<string, readonly Selection[]>> = {
  "transactions with hooks": [
    ["src/database.ts", /irori\/transactions/],
    ["src/database.ts", /@Bean\(\{ type: SqliteTransactions/, /^ {2}}/],
    ["src/parcels/parcel_service.ts", /irori\/transactions|@Transactional|afterCommit/],
    ["src/notes/note_service.ts", /^import \{$/, /irori\/transactions/],
    ["src/notes/note_service.ts", /@Transactional|afterCommit|afterRollback/],
  ],
  "a migrated database for tests": [
    [WITH_DATABASE, /irori\/migrations|irori\/testing|node:sqlite/],
    [
      WITH_DATABASE,
      /^const database|databaseForTest\(|testApplication\(|overrides|^}\);/,
    ],
  ],
  "rollback after each test": [
    [WITH_DATABASE, /irori\/transactions/],
    [WITH_DATABASE, /^export function databaseTest/, /^}/],
  ],
  "a table of routes, users and statuses": [
    [WITH_DATABASE, /^export const users/, /^}/],
    ["tests/access_test.ts"],
  ],
  "ETag and If-Match": [
    ["src/parcels/parcel_controller.ts", /etag\(|[iI]f(?:None)?Match|notModified/],
    ["src/parcels/parcel_service.ts", /[iI]fMatch/],
  ],
  "downloads with Range": [["src/notes/note_controller.ts", /fileResponse/]],
  "tokens from cookies, and issuing them": [
    ["src/couriers/token_settings.ts"],
    [CONTROLLER, /hono\/cookie|tokenSettings/],
    [CONTROLLER, /const maxAge/, /setCookie/],
    ["parcels.ts", /tokenSettings|irori\/security/],
  ],
  "the current user in services, and a limit for each user": [
    ["src/rate_limit.ts"],
    ["src/parcels/parcel_service.ts", /currentUser/],
    ["parcels.ts", /rateLimit|requestContext\(\)/],
  ],
  "password hashing, login and refresh": [
    ["src/couriers/user_service.ts", /irori\/passwords|hashPassword|LoginFailed/],
    ["src/couriers/user_service.ts", /async verify/, /^ {2}}/],
    ["src/couriers/refresh_tokens.ts"],
    [CONTROLLER, /^import \{$|^ {2}(?:type )?(?!HttpStatus|Use)\w+,$|irori"|irori\/security/],
    [CONTROLLER, /^import .*(?:problems|refresh_tokens|user)/],
    [CONTROLLER, /^const TOKENS|^@(?:RestController|PermitAll)|^export class|^}/],
    [CONTROLLER, /@Autowired|readonly (?:users|refreshTokens)/],
    [CONTROLLER, /"\/(?:login|refresh)"/, /^ {2}}/],
    [CONTROLLER, /async tokensFor|Cache-Control/],
    [CONTROLLER, /return \{ accessToken/, /^ {2}}/],
  ],
  "a client of all controllers": [
    [WITH_DATABASE, /irori\/client|irori\/security|\/contract/],
    [WITH_DATABASE, /^const apiOf/, /^export const dispatcher/],
    ["package.json", /"contract"/],
  ],
  "required configuration, X-Request-Id, migrations at startup": [
    ["src/couriers/user_service.ts", /required/],
    ["parcels.ts", /irori\/context|requestIdHeader\(\)/],
    ["main.ts", /migrateSql/],
  ],
};

/** Beside the parts, the application's own. */
const APPLICATION: typeof PARTS = {
  "models and problem of the login": [
    ["src/couriers/user.ts", /class (?:Login|RefreshToken|Tokens)/, /{}$/],
    ["src/problems.ts", /class LoginFailed/, /^}/],
  ],
  "tables of users and refresh tokens": [
    ["migrations/main/001_parcels.sql", /TABLE (?:users|refresh_tokens)/, /^\);/],
  ],
  "logout, and a limit of logins for each address": [
    [CONTROLLER, /"\/logout"/, /^ {2}}/],
    [CONTROLLER, /HttpStatus,|rateLimit| Use,/],
  ],
  "the folder of files in tests": [[WITH_DATABASE, /node:(?:fs|os|path)|notes/]],
};

/** @returns the number of lines of each part, without blank lines and comments */
function count(parts: typeof PARTS): readonly (readonly [part: string, lines: number])[] {
  const counted = new Set<string>();
  return Object.entries(parts).map(([part, selections]) => {
    const before = counted.size;
    for (const selection of selections) {
      const lines = linesOf(selection);
      if (lines.length === 0) throw new Error(`${part}: ${selection.join(" ")} selects no line`);
      for (const line of lines) counted.add(line);
    }
    return [part, counted.size - before];
  });
}

function linesOf([file, first = /^/, last]: Selection): readonly string[] {
  const found: string[] = [];
  let isInside = false;
  for (const [index, line] of Deno.readTextFileSync(new URL(file, FOLDER)).split("\n").entries()) {
    if (!isInside && !first.test(line)) continue;
    isInside = last !== undefined && !last.test(line);
    if (!/^ *(?:$|\/\/|\/\*|\*)/.test(line)) found.push(`${file}:${index}`);
  }
  return found;
}

/** The lines of all parts together. */
export function totalLines(parts: typeof PARTS = PARTS): number {
  return count(parts).reduce((sum, [, lines]) => sum + lines, 0);
}

/** `docs/proofs/eleven-parts.md`, not formatted. */
export function elevenParts(): string {
  const rows = count(PARTS).map(([part, lines]) => `| ${part} | ${lines} |`).join("\n");
  const rest = count(APPLICATION).map(([what, lines]) => `| ${what} | ${lines} |`).join("\n");
  return `<!-- Written by 'deno run -A tools/count_parts.ts'. -->

# Eleven parts of an application

A trial application, a logistics API of 1,100 lines by a new user, had about 590 lines that were
there because the library had no part for eleven tasks. The trial application is not in the project:
its total was counted then, not by this command. [\`examples/parcels\`](../../examples/parcels), a new
application of the same kind, has the same eleven parts, written with the library's.

A line counts if the part needs it: imports, configuration and tests included, blank lines,
comments and the generated \`contract.ts\` not. Of routes that exist without the part, only the lines
count that use it; the whole route counts for login and refresh. A line counts once.
\`tools/count_parts.ts\` names the lines.

| part | lines |
| ---- | ----: |
${rows}
| **all** | **${totalLines()}** |

Beside the parts, and not counted, the application has ${totalLines(APPLICATION)} lines of its own:

| beside the parts | lines |
| ---- | ----: |
${rest}

SQL statements are not counted either, except those of refresh tokens.
`;
}

if (import.meta.main) {
  const file = new URL("../docs/proofs/eleven-parts.md", import.meta.url);
  await Deno.writeTextFile(file, elevenParts());
  await deno(["fmt", "--quiet", file.pathname]);
}
