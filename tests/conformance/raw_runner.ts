import { connect } from "node:net";
import { raw } from "./cases/raw.ts";
import type { Outcome, RawCase } from "./types.ts";

/**
 * Sends the raw requests to a listening application, each over a connection of its own.
 *
 * @param isEdge whether it runs in an edge isolate
 * @param rewrite what becomes of each request before
 */
export async function rawConformance(
  hostname: string,
  port: number,
  isEdge = false,
  rewrite = (request: string): string => request,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const one of raw.filter(({ isServers }) => !isEdge || !isServers)) {
    const answer = await exchange({ ...one, request: rewrite(one.request) }, hostname, port);
    outcomes.push({ name: `raw: ${one.name}`, failures: compare(one, answer) });
  }
  return outcomes;
}

function compare(expected: RawCase, answer: string): string[] {
  const { request, status, includes, excludes, isCut, mayBeNothing } = expected;
  const failures: string[] = [];
  const line = answer.slice(0, answer.indexOf("\r\n"));
  const isNothing = mayBeNothing && answer === "";
  if (!isNothing && !new RegExp(`^HTTP/1\\.[01] ${status} `).test(`${line} `)) {
    failures.push(`status: expected ${status}, found '${line}'`);
  }
  if (!isNothing && includes !== undefined && !answer.includes(includes)) {
    failures.push(`answer: expected '${includes}' in '${answer}'`);
  }
  if (excludes?.test(answer)) failures.push(`answer: expected no ${excludes} in '${answer}'`);
  if (isCut && isWhole(answer, false)) failures.push(`answer: expected a part, found '${answer}'`);
  const body = answer.slice(answer.indexOf("\r\n\r\n") + 4);
  if (request.startsWith("HEAD ") && body !== "") {
    failures.push(`body: expected none, found '${body}'`);
  }
  return failures;
}

/** @returns what came before the connection ended, or broke off */
function exchange({ name, request }: RawCase, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port }, () => socket.write(request));
    let answer = "";
    socket.setEncoding("utf8");
    socket.setTimeout(10_000, () => {
      reject(new Error(`The connection stays open: ${name}`));
      socket.destroy();
    });
    socket.on("data", (text: string) => {
      answer += text;
      if (!isWhole(answer, request.startsWith("HEAD "))) return;
      // A body that was refused and never sent would keep the connection open.
      if (request.startsWith("POST ")) socket.destroy();
      // Some servers keep it open although they are asked to close it.
      else socket.end();
    });
    socket.on("close", () => resolve(answer));
    // A server may close while a body that it refused is still on its way.
    socket.on("error", () => resolve(answer));
  });
}

function isWhole(answer: string, isHead: boolean): boolean {
  const end = answer.indexOf("\r\n\r\n");
  if (isHead || /^HTTP\/1.1 (?:204|304) /.test(answer)) return end >= 0;
  if (/\r\ntransfer-encoding: chunked\r\n/i.test(answer.slice(0, end + 2))) {
    return answer.endsWith("\r\n0\r\n\r\n");
  }
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(answer.slice(0, end + 2))?.[1];
  return end >= 0 && length !== undefined && answer.length >= end + 4 + Number(length);
}
