import { conformance, type Fetch } from "../../conformance/runner.ts";
import type { Outcome } from "../../conformance/types.ts";
import { CASES } from "./cases.ts";

/** Runs the table against an application. @returns what failed */
export async function runCases(target: string | Fetch): Promise<readonly Outcome[]> {
  const send = async (request: Request) => {
    if (typeof target !== "string") return named(await target(request));
    const { pathname, search } = new URL(request.url);
    return named(await fetch(new Request(`${target}${pathname}${search}`, request)));
  };
  const outcomes = await conformance(send, CASES);
  return outcomes.filter(({ failures }) => failures.length > 0);
}

/** The response with a boundary that is known. */
async function named(response: Response): Promise<Response> {
  const headers = new Headers(response.headers);
  const [, boundary] = /boundary=(.+)$/.exec(headers.get("Content-Type") ?? "") ?? [];
  if (boundary === undefined) return response;
  headers.set("Content-Type", headers.get("Content-Type")!.replace(boundary, "BOUNDARY"));
  const text = (await response.text()).replaceAll(`--${boundary}`, "--BOUNDARY");
  return new Response(text, { status: response.status, headers });
}
