/** What an application with files is read from; bundlers for edge isolates, which have none, leave it out. */
export { loadConfig } from "../config/mod.ts";
export { scanComponents } from "./scan.ts";
