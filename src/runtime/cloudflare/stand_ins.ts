/** Modules that only Cloudflare has, such as `cloudflare:workers`, for commands that import the modules of a worker. */
import { builtin } from "../shared/builtin.ts";

const MODULE = /^cloudflare:/;

/** Classes that modules of a worker extend; none of the others is called while modules are imported. */
const CLASSES = [
  ...["DurableObject", "RpcTarget", "WorkerEntrypoint", "WorkflowEntrypoint"],
  ...["EmailMessage", "NonRetryableError"],
];
const FUNCTIONS = ["connect", "handleAsNodeRequest", "httpServerHandler", "waitUntil", "withEnv"];

/** One text stands for each of these modules: an import takes what it names. */
const STAND_IN = [
  "export const env = {}, exports = {};",
  ...CLASSES.map((name) => `export class ${name} {}`),
  ...FUNCTIONS.map((name) => `export function ${name}() {}`),
].join("\n");

/** Lets this process import them: `env` is empty, and classes have no members. */
export function registerStandIns(): void {
  const bun = builtin<Bun | undefined>("bun");
  if (bun) return bun.plugin({ name: "cloudflare", setup: addToBun });
  builtin<typeof import("node:module")>("node:module").registerHooks({
    resolve: (specifier, context, next) =>
      MODULE.test(specifier) ? { url: DATA_URL, shortCircuit: true } : next(specifier, context),
  });
}

const DATA_URL = `data:text/javascript,${encodeURIComponent(STAND_IN)}`;

function addToBun({ onResolve, onLoad }: BunBuild): void {
  const namespace = "cloudflare";
  onResolve({ filter: MODULE }, ({ path }) => ({ path, namespace }));
  onLoad({ filter: /./, namespace }, () => ({ contents: STAND_IN, loader: "js" }));
}

interface Bun {
  plugin(plugin: { readonly name: string; setup(build: BunBuild): void }): void;
}

type BunBuild = Readonly<Record<"onResolve" | "onLoad", AddToBun>>;
type AddToBun = (at: object, find: (found: { readonly path: string }) => object) => void;
