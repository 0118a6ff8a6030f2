import { fromFileUrl, join, toFileUrl } from "@std/path";
import { type Application, bootstrap } from "@irori/irori";
import { migrateSql } from "@irori/irori/migrations";
import { compareOpenApi, openApiDocument } from "@irori/irori/openapi";
import { VerificationError, verify, type VerifyOptions } from "@irori/irori/testing";
import { headersOf } from "../examples/tracks/tests/callers.ts";
import { attachment, project } from "../examples/tracks/tests/data.ts";
import { deno } from "./_run.ts";
import { evidenceOf } from "./_evidence.ts";
import { type Mutant, mutantsOf } from "./_mutants.ts";

/** The steps that may detect a mutant, in their order. */
export const DETECTORS = [
  "compiler",
  "startup",
  "contract --against",
  "verify",
  "own tests",
] as const;
/** One of them. */
export type Detector = typeof DETECTORS[number];

/** An application whose source is changed. */
interface Project {
  readonly name: string;
  /** From the root of the repository. */
  readonly folder: string;
  /** The mutated files, relative to the folder. */
  readonly sources: readonly string[];
  readonly tests: string;
  /** Options of `verify`: ids that exist, and the user. */
  readonly verify: VerifyOptions;
  start(folder: string): Promise<Application>;
}

/** A mutant, and all that caught it. */
export interface Outcome {
  readonly project: string;
  readonly mutant: Mutant;
  readonly caughtBy: readonly Detector[];
  /** Why it breaks no client, where the documents say so. */
  readonly evidence?: string;
}

const ROOT = fromFileUrl(new URL("..", import.meta.url));
/** Within the repository, so that its import map counts. */
const MUTANTS = join(ROOT, ".cache/mutants");

/** The examples. What `returns` adds to their mappings is declared in their sources, and needs nothing here. */
const PROJECTS: readonly Project[] = [
  {
    name: "users",
    folder: "examples/users",
    sources: ["controllers/user_controller.ts", "controllers/api_error_controller.ts", "user.ts"],
    tests: "users_test.ts",
    verify: { values: { id: [1, 2], email: ["ada@example.com", "new@example.com"] } },
    start: async (root) =>
      await bootstrap({
        root,
        config: { "users.database": join(root, "verify.db") },
        startup: [migrateSql()],
      }),
  },
  {
    name: "shop",
    folder: "tests/mutation/shop",
    sources: ["products.ts", "orders.ts", "schemas.ts"],
    tests: "shop_test.ts",
    verify: { values: { id: [1, 2, "3f2504e0-4f89-41d3-9a0c-0305e82c3301"] } },
    start: async (root) => {
      const { ProductController } = await import(toFileUrl(join(root, "products.ts")).href);
      const { OrderController, CustomerController } = await import(
        toFileUrl(join(root, "orders.ts")).href
      );
      return await bootstrap({
        components: [ProductController, OrderController, CustomerController],
      });
    },
  },
  {
    name: "tracks",
    folder: "examples/tracks",
    sources: [
      "src/projects/project.ts",
      "src/projects/project_controller.ts",
      "src/issues/issue.ts",
      "src/issues/issue_controller.ts",
      "src/issues/issue_service.ts",
      "src/issues/export_controller.ts",
      "src/comments/comment.ts",
      "src/comments/comment_controller.ts",
      "src/comments/comment_service.ts",
      "src/attachments/attachment.ts",
      "src/attachments/attachment_controller.ts",
      "src/activity/activity_controller.ts",
      "src/problems.ts",
    ],
    tests: "tests/access_test.ts",
    verify: {
      headers: headersOf("admin"),
      values: { id: [1, 3, 99, attachment.id], key: [project.key, "NONE"] },
      except: ["/events"], // It does not end.
    },
    start: async (root) => {
      const path = join(root, "tests/without_database.ts");
      const { startWithoutDatabase } = await import(toFileUrl(path).href);
      return await startWithoutDatabase();
    },
  },
];

/** All mutants of the examples. */
export async function allMutants(): Promise<readonly { project: string; mutant: Mutant }[]> {
  const found: { project: string; mutant: Mutant }[] = [];
  for (const { name, folder, sources } of PROJECTS) {
    for (const file of sources) {
      const source = await Deno.readTextFile(join(ROOT, folder, file));
      found.push(...mutantsOf(file, source).map((mutant) => ({ project: name, mutant })));
    }
  }
  return found;
}

/**
 * Tries mutants: one type check for all of them, `contract --against` and `verify` in this process, then, for what is left
 * and for annotations of security, the examples' own tests in one run.
 *
 * @param isChosen which of all mutants; all when left out
 * @throws {Error} when an example fails without a change
 */
export async function runMutation(
  isChosen: (mutant: Mutant, index: number) => boolean = () => true,
): Promise<readonly Outcome[]> {
  await Deno.remove(MUTANTS, { recursive: true }).catch(() => {});
  const chosen = (await allMutants()).filter(({ mutant }, index) => isChosen(mutant, index));
  const copies: Copy[] = [];
  for (const [index, { project: name, mutant }] of chosen.entries()) {
    const project = PROJECTS.find((one) => one.name === name)!;
    copies.push(await copyOf(project, mutant, `${name}-${index}`));
  }
  const controls = await Promise.all(PROJECTS.map(async (project) => {
    const file = project.sources[0]!;
    const source = await Deno.readTextFile(join(ROOT, project.folder, file));
    const unchanged: Mutant = { file, line: 0, kind: "status", change: "none", source };
    return await copyOf(project, unchanged, `${project.name}-control`);
  }));
  try {
    await tryAll([...copies, ...controls]);
    for (const { id, caughtBy } of controls) {
      if (caughtBy.size > 0) throw new Error(`${id} fails without a change: ${[...caughtBy]}`);
    }
    return copies.map(({ project, mutant, caughtBy, evidence }) => ({
      project: project.name,
      mutant,
      ...(evidence !== undefined && { evidence }),
      caughtBy: DETECTORS.filter((detector) => caughtBy.has(detector)),
    }));
  } finally {
    await Deno.remove(MUTANTS, { recursive: true });
  }
}

interface Copy {
  readonly id: string;
  readonly folder: string;
  readonly project: Project;
  readonly mutant: Mutant;
  readonly caughtBy: Set<Detector>;
  evidence?: string;
}

async function copyOf(project: Project, mutant: Mutant, id: string): Promise<Copy> {
  const folder = join(MUTANTS, id);
  await copyFolder(join(ROOT, project.folder), folder);
  await Deno.writeTextFile(join(folder, mutant.file), mutant.source);
  return { id, folder, project, mutant, caughtBy: new Set() };
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(join(from, name), join(to, name));
    else if (!name.includes(".db")) await Deno.copyFile(join(from, name), join(to, name));
  }
}

async function tryAll(copies: readonly Copy[]): Promise<void> {
  const paths = copies.flatMap(({ folder, project }) =>
    project.sources.map((source) => join(folder, source))
  );
  mark(copies, "compiler", (await deno(["check", ...paths])).output);
  for (const project of PROJECTS) {
    const own = copies.filter((copy) => copy.project === project);
    if (own.length === 0) continue;
    const folder = join(MUTANTS, project.name);
    await copyFolder(join(ROOT, project.folder), folder);
    const before = await documentOf(project, folder);
    for (const copy of own) await tryRunning(copy, before);
  }
  // Slow: only for what nothing else caught, and for who may call what, which is not to rest on a comparison alone.
  const left = copies.filter(({ caughtBy, mutant }) =>
    caughtBy.size === 0 || mutant.kind === "annotation of security"
  );
  if (left.length === 0) return;
  const tests = left.map(({ folder, project }) => join(folder, project.tests));
  const { output } = await deno(["test", "-A", "--no-check", "--parallel", ...tests]);
  mark(copies, "own tests", output.slice(output.indexOf(" ERRORS ")));
}

/** The document of an example without a mutant, which must pass all detectors. */
async function documentOf(project: Project, folder: string): Promise<unknown> {
  await using app = await project.start(folder);
  await verify(app, project.verify);
  return openApiDocument(app.routeTable, INFO);
}

const INFO = { title: "Example", version: "1" };

async function tryRunning(copy: Copy, before: unknown): Promise<void> {
  const { project, folder, caughtBy, mutant } = copy;
  const { error } = console;
  console.error = () => {}; // Mutants are expected to fail.
  try {
    await using app = await project.start(folder);
    const after = openApiDocument(app.routeTable, INFO);
    copy.evidence = evidenceOf(mutant, before, after);
    if (compareOpenApi(before, after).breaking.length > 0) caughtBy.add("contract --against");
    await verify(app, project.verify);
  } catch (reason) {
    caughtBy.add(reason instanceof VerificationError ? "verify" : "startup");
  } finally {
    console.error = error;
  }
}

/** By the lines of an output that say where something is wrong; others name every file. */
function mark(copies: readonly Copy[], detector: Detector, output: string): void {
  const wrong = /^(?: {4}at (?!async)|.* => |.*\(uncaught error\)).*\.cache\/mutants\/([\w-]+)\//gm;
  const named = new Set([...output.matchAll(wrong)].map(([, id]) => id));
  for (const { id, caughtBy } of copies) if (named.has(id)) caughtBy.add(detector);
}
