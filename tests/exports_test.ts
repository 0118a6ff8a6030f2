import { assertEquals } from "@std/assert";
import manifest from "../deno.json" with { type: "json" };

const EXPORTS: Readonly<Record<string, string>> = manifest.exports;
const ROOT = new URL("../", import.meta.url);

/** The names for authors of applications, and the errors that they can catch. */
const FRONT = `
  RestController RequestMapping GetMapping PostMapping PutMapping PatchMapping DeleteMapping Use Middleware
  ControllerAdvice ExceptionHandler STATUS
  PathVariable RequestParam RequestHeader CookieValue RequestBody FormParam RequestPart binder Model
  HttpRequest HttpStatus ResponseEntity ServerSentEvent problem Problem HttpError
  Component Service Configuration Bean Autowired Value inject Scope Primary Qualifier PostConstruct PreDestroy OnReady Profile
  bootstrap decorate ClassContext FieldContext MethodContext
  BindingError MappingError ConfigError ScanError ErrorControllerError ListenError PackageNotFoundError
  InjectionError BeanCreationError BeanCycleError DuplicateBeanError NoSuchBeanError NoUniqueBeanError
  Application ApplicationContext Binder BootstrapOptions Config ErrorController
  Extension ExtendedApplication ExtensionBeans ExtensionParts ProblemDetail Route
`;

const HTTP = `
  HttpError HttpErrorOptions HttpRequest HttpStatus ProblemDetail ResponseEntity ServerSentEvent XmlError
  STATUS problem Problem toXml
`;

const TESTING = `
  AccessTableOptions Config ConfigMap ConfigValue CreateConfigOptions FakeClock TestApplication VerificationError VerifyOptions VerifyReport Violation
  accessTable asUser createConfig testApplication verify
`;

/** Errors that cannot be caught outside: they stay inside or are converted into others. */
const INSIDE: Readonly<Record<string, string>> = {
  AnswerError: "becomes a MigrationFailedError",
  ArgumentError: "ends the command line",
  ConnectError: "becomes a ConnectionError",
  CopyRefusedError: "becomes a MigrationFailedError",
  DatabaseError: "is the cause of a MigrationFailedError",
  ExecutionError: "becomes a MigrationFailedError",
  FileExistsError: "ends the command line",
  FileNotFoundError: "becomes a ConfigError or a MissingFolderError",
  FileWriteError: "ends the command line",
  NoSample: "becomes a violation of a VerifyReport",
  OriginError: "is an HttpError, and no more than that",
  PauseOverError: "lets the copy of an index try again",
  PayloadError: "is logged, and kept as the error of a job",
  PlaceholderError: "becomes a ConfigError",
  PullError: "ends the command line",
  RefusedDocumentsError: "becomes a MigrationFailedError",
  RoutingError: "is an HttpError, and no more than that",
  SchemaError: "ends the command line",
  StopError: "ends the command line",
  TransportError: "is a ConnectionError, and no more than that",
  UsageError: "ends the command line",
  WriteFailedError: "becomes a MigrationFailedError",
  YamlError: "becomes a ConfigError or an InvalidFilesError",
};

Deno.test(". + has the names that an author writes, 78 at most", async () => {
  const names = await namesOf(".");
  assertEquals(names, wordsOf(FRONT));
  assertEquals(names.length <= 78, true);
});

Deno.test("./http + has values on the wire, without internals", async () => {
  assertEquals(await namesOf("./http"), wordsOf(HTTP));
});

Deno.test("./context + has the context of requests", async () => {
  const names = "Extension HttpRequest currentRequest requestContext requestIdHeader withContext";
  assertEquals(await namesOf("./context"), wordsOf(names));
});

Deno.test("./paging + has what lists need", async () => {
  const names =
    "Page PageMetadata PageQuery Pageable PageableOptions Slice SliceMetadata SortOrder pageOf sliceOf";
  assertEquals(await namesOf("./paging"), wordsOf(names));
});

Deno.test("./browser + has CORS and security headers", async () => {
  const names =
    "ApplicationCors Asked BrowserOptions CorsOptions CorsPath CrossOrigin Extension SecurityHeaders browser";
  assertEquals(await namesOf("./browser"), wordsOf(names));
});

Deno.test("./conditional + has conditions of resources with versions", async () => {
  const names = "CurrentVersion IfMatch IfNoneMatch Version etag notModified";
  assertEquals(await namesOf("./conditional"), wordsOf(names));
});

Deno.test("./files + has files as responses", async () => {
  const names = "FileAtPathOptions FileOptions FileResponse Version fileResponse";
  assertEquals(await namesOf("./files"), wordsOf(names));
});

Deno.test("./jobs + has jobs and how they are run", async () => {
  const names =
    "DrainedJobs EnqueueOptions Job JobBackoff JobError JobOptions JobPayloads JobRun Jobs JobsOptions jobs";
  assertEquals(await namesOf("./jobs"), wordsOf(names));
});

Deno.test("./transactions + has transactions and the managers of drivers", async () => {
  const names = `
    ConnectionUnavailableError Dialect ManagerOptions MysqlConnection MysqlTransactions PgConnection PgResult PgTransactions
    PgliteConnection PgliteTransactions SqliteConnection SqliteTransactions TransactionError TransactionManager
    TransactionOptions TransactionOutcomeUnknownError TransactionRolledBackError TransactionSettings
    TransactionTimeoutError Transactional TransactionalOptions afterCommit afterRollback current rollbackAfter
    sqlStateOf transactional
  `;
  assertEquals(await namesOf("./transactions"), wordsOf(names));
});

Deno.test("./scheduling + has scheduled tasks", async () => {
  const names = `
    Clock ScheduleError Scheduled ScheduledHandler ScheduledOptions SchedulingOptions TaskScheduler scheduling withSchedules
  `;
  assertEquals(await namesOf("./scheduling"), wordsOf(names));
});

Deno.test("./idempotency + has requests that take effect once", async () => {
  const names = "IdempotencyOptions Idempotent IdempotentOptions idempotency";
  assertEquals(await namesOf("./idempotency"), wordsOf(names));
});

Deno.test("./testing + has what tests of an application need", async () => {
  assertEquals(await namesOf("./testing"), wordsOf(TESTING));
});

Deno.test("exports + export every error class that callers can catch", async () => {
  const offered = new Set<unknown>();
  for (const path of Object.values(EXPORTS)) {
    if (path === "./cli.ts") continue; // Runs.
    for (const value of Object.values(await import(new URL(path, ROOT).href))) offered.add(value);
  }
  const kept: string[] = [];
  for await (const path of sources("src/")) {
    const source = await Deno.readTextFile(new URL(path, ROOT));
    for (const [, name = ""] of source.matchAll(/^export class (\w+) extends \w*Error\b/gm)) {
      const { [name]: type } = await import(new URL(path, ROOT).href);
      if (!offered.has(type)) kept.push(name);
    }
  }
  assertEquals(kept.sort(), Object.keys(INSIDE).sort());
});

Deno.test("exports + list their names one by one", async () => {
  for (const [entry, path] of Object.entries(EXPORTS)) {
    const source = await Deno.readTextFile(new URL(path, ROOT));
    assertEquals(/^export (?:type )?\*/m.test(source), false, entry);
  }
});

/** As `deno doc` lists them, types included. */
async function namesOf(entry: string): Promise<readonly string[]> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", EXPORTS[entry] ?? ""],
    cwd: ROOT,
    stderr: "null",
  });
  const { stdout } = await command.output();
  const { nodes } = JSON.parse(new TextDecoder().decode(stdout)) as Documentation;
  return Object.values(nodes).flatMap(({ symbols }) => symbols.map(({ name }) => name)).sort();
}

interface Documentation {
  readonly nodes: Readonly<
    Record<string, { readonly symbols: readonly { readonly name: string }[] }>
  >;
}

function wordsOf(text: string): readonly string[] {
  return text.trim().split(/\s+/).sort();
}

async function* sources(folder: string): AsyncIterable<string> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, ROOT))) {
    if (isDirectory) yield* sources(`${folder}${name}/`);
    else if (name.endsWith(".ts")) yield `${folder}${name}`;
  }
}
