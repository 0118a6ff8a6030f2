/** Prints a token for the profile `dev`: `token.ts ada user`, `token.ts grace admin`. */
import { loadConfig } from "irori/migrations";
import { issueToken } from "irori/security";
import process from "node:process";
import { jwtSettings } from "./tracks.ts";

const [name = "ada", ...roles] = process.argv.slice(2);
const config = await loadConfig({ root: import.meta.dirname, profiles: ["dev"] });
console.log(await issueToken(jwtSettings(config), { sub: name, roles }, { expiresIn: 43_200 }));
