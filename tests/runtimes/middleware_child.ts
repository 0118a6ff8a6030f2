/** Runs the contract of middleware on the runtime that runs this, and prints a JSON array of outcomes. */
import process from "node:process";
import { middlewareContract } from "../contracts/middleware_contract.ts";

process.stdout.write(JSON.stringify(await middlewareContract()));
