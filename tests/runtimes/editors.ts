/**
 * Tests the completions and errors of editors in a project, by the language services of VS Code, as its extensions
 * configure them.
 */
import { join, toFileUrl } from "@std/path";
import { installed } from "../../tools/_npm.ts";

const PACKAGES = ["vscode-json-languageservice@5.7.2", "yaml-language-server@2.0.0"];

/** A mark in a file, with 1-based positions. */
export interface Mark {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

interface Diagnostic {
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
  readonly message: string;
}

/**
 * The marks of JSON files, by `json.schemas` of the project's settings.
 *
 * @param files texts by their paths in the project
 */
export async function jsonMarks(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, readonly Mark[]>>> {
  const script = `
    import services from "vscode-json-languageservice";
    import { readFile } from "node:fs/promises";
    const { root, schemas, files } = JSON.parse(await readFile(process.argv[1], "utf8"));
    const { getLanguageService, TextDocument } = services;
    const service = getLanguageService({
      schemaRequestService: (uri) => readFile(new URL(uri), "utf8"),
      workspaceContext: { resolveRelativePath: (path, base) => new URL(path, base).href },
    });
    service.configure({
      validate: true,
      schemas: schemas.map(({ fileMatch, url }) => ({
        fileMatch,
        uri: new URL(url, root).href,
        folderUri: root,
      })),
    });
    const found = {};
    for (const [path, text] of Object.entries(files)) {
      const document = TextDocument.create(new URL(path, root).href, "json", 1, text);
      found[path] = await service.doValidation(document, service.parseJSONDocument(document));
    }
    process.stdout.write(JSON.stringify(found));`;
  const settings = JSON.parse(await Deno.readTextFile(join(folder, ".vscode/settings.json")));
  const input = await Deno.makeTempFile({ prefix: "irori-editors-" });
  const root = `${toFileUrl(folder).href}/`;
  await Deno.writeTextFile(
    input,
    JSON.stringify({ root, schemas: settings["json.schemas"], files }),
  );
  const { success, stdout, stderr } = await new Deno.Command("node", {
    args: ["--input-type=module", "--eval", script, input],
    cwd: await installed("editors", PACKAGES),
  }).output();
  await Deno.remove(input);
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  const found: Record<string, Diagnostic[]> = JSON.parse(new TextDecoder().decode(stdout));
  return Object.fromEntries(
    Object.entries(found).map(([path, diagnostics]) => [path, diagnostics.map(markOf)]),
  );
}

function markOf({ range: { start }, message }: Diagnostic): Mark {
  return { line: start.line + 1, column: start.character + 1, message };
}

/** The marks of a YAML file of the project, by the language server that editors run, and `yaml.schemas`. */
export async function yamlMarks(folder: string, path: string): Promise<readonly Mark[]> {
  const settings = JSON.parse(await Deno.readTextFile(join(folder, ".vscode/settings.json")));
  const yaml = {
    schemas: settings["yaml.schemas"],
    schemaStore: { enable: false },
    validate: true,
  };
  await using server = await LanguageServer.start({ yaml });
  const root = toFileUrl(folder).href;
  await server.request("initialize", {
    processId: null,
    rootUri: root,
    capabilities: { workspace: { configuration: true, workspaceFolders: true } },
    workspaceFolders: [{ uri: root, name: "app" }],
  });
  server.notify("initialized", {});
  const uri = `${root}/${path}`;
  const text = await Deno.readTextFile(join(folder, path));
  const marked = server.next("textDocument/publishDiagnostics");
  server.notify("textDocument/didOpen", {
    textDocument: { uri, languageId: "yaml", version: 1, text },
  });
  const { diagnostics } = await marked as { readonly diagnostics: readonly Diagnostic[] };
  return diagnostics.map(markOf).sort((a, b) => a.line - b.line);
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** A server of the Language Server Protocol on its standard streams. */
class LanguageServer implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #settings: Readonly<Record<string, unknown>>;
  readonly #waiting = new Map<string | number, (value: unknown) => void>();
  readonly #reading: Promise<void>;
  #last = 0;

  private constructor(process: Deno.ChildProcess, settings: Readonly<Record<string, unknown>>) {
    this.#process = process;
    this.#writer = process.stdin.getWriter();
    this.#settings = settings;
    this.#reading = this.#read();
  }

  static async start(settings: Readonly<Record<string, unknown>>): Promise<LanguageServer> {
    const folder = await installed("editors", PACKAGES);
    const bin = join(folder, "node_modules/yaml-language-server/bin/yaml-language-server");
    const command = new Deno.Command("node", {
      args: [bin, "--stdio"],
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    });
    return new LanguageServer(command.spawn(), settings);
  }

  request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#last;
    const answered = this.next(id);
    this.#send({ id, method, params });
    return answered;
  }

  notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  /** The next answer to a request, or the parameters of the next notification. */
  next(of: string | number): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#waiting.set(of, resolve);
    return promise;
  }

  #send(message: Message): void {
    const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", ...message }));
    const head = new TextEncoder().encode(`Content-Length: ${body.length}\r\n\r\n`);
    this.#writer.write(new Uint8Array([...head, ...body]));
  }

  async #read(): Promise<void> {
    let text = "";
    // Its messages are ASCII here, so that a length in bytes is one in characters.
    for await (const part of this.#process.stdout.pipeThrough(new TextDecoderStream("latin1"))) {
      text += part;
      for (;;) {
        const [head = "", length] = /^Content-Length: (\d+)\r\n(?:.+\r\n)*\r\n/.exec(text) ?? [];
        if (length === undefined || text.length < head.length + Number(length)) break;
        this.#take(JSON.parse(text.slice(head.length, head.length + Number(length))));
        text = text.slice(head.length + Number(length));
      }
    }
  }

  #take({ id, method, params, result }: Message): void {
    if (method === undefined) this.#waiting.get(id!)?.(result);
    else if (id === undefined) this.#waiting.get(method)?.(params);
    else {
      const { items = [] } = params as { readonly items?: readonly { readonly section: string }[] };
      this.#send({ id, result: items.map(({ section }) => this.#settings[section] ?? null) });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill();
    await this.#process.status;
    await this.#writer.abort().catch(() => {});
    await this.#reading.catch(() => {});
  }
}
