import { assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import type { AwsCredentials } from "../../../src/migrations/mod.ts";
import type { SignedRequest } from "../../../src/migrations/runner/mod.ts";
import { pythonPrograms, runProgram } from "../../servers/python.ts";

/** The independent implementation that signatures are compared with. */
const BOTOCORE = "botocore==1.44.5";
const SCRIPT = fromFileUrl(new URL("signed_gateway.py", import.meta.url));

/** The credentials that requests must be signed with. */
export interface SignedGatewayOptions {
  readonly region: string;
  /** Any of these. */
  readonly keys: readonly AwsCredentials[];
}

/** Stands before a search cluster and refuses what is not signed, in the words of Amazon. */
export interface SignedGateway extends AsyncDisposable {
  readonly url: string;
}

export async function startSignedGateway(
  target: string,
  options: SignedGatewayOptions,
): Promise<SignedGateway> {
  const process = new Deno.Command(await python(), {
    args: [SCRIPT, "serve"],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const input = process.stdin.getWriter();
  await input.write(new TextEncoder().encode(`${JSON.stringify({ target, ...options })}\n`));
  await input.close();
  const output = process.stdout.getReader();
  const { value } = await output.read();
  return {
    url: `http://127.0.0.1:${new TextDecoder().decode(value).trim()}`,
    async [Symbol.asyncDispose]() {
      process.kill();
      await output.cancel();
      await process.status;
    },
  };
}

/** The signatures that these requests have to have. */
export async function signaturesByBotocore(
  requests: readonly (SignedRequest & { readonly method: string; readonly body?: string })[],
  keys: AwsCredentials,
  region: string,
): Promise<readonly string[]> {
  const input = `${JSON.stringify({ requests, keys, region })}\n`;
  const { code, text } = await runProgram(await python(), [SCRIPT, "check"], { input });
  assertEquals(code, 0, text);
  return JSON.parse(text);
}

async function python(): Promise<string> {
  return join(await pythonPrograms("botocore", BOTOCORE), "python");
}
