import { basic, security } from "@irori/irori/security";

const users = [
  { name: "ada", password: "engine", roles: ["user", "admin"] },
  { name: "grace", password: "cobol", roles: ["user"] },
];

/** The options of `bootstrap`, shared with the tests. */
export const notes = {
  root: import.meta.dirname,
  extensions: [security({ schemes: { password: basic({ users }) } })],
};
