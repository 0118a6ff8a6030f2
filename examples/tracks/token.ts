/** Prints a token for the profile `dev`: `token.ts ada user`, `token.ts grace admin`. */
import { loadConfig } from "irori/migrations";
import process from "node:process";
import { tokenOf } from "./tokens.ts";

const [name = "ada", ...roles] = process.argv.slice(2);
const config = await loadConfig({ root: import.meta.dirname, profiles: ["dev"] });
console.log(await tokenOf(config, name, roles));
