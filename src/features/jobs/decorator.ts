import type { StandardSchemaV1 } from "@standard-schema/spec";
import { decorator, inject, isInjecting, type MethodContext } from "../../container/mod.ts";
import { refuseUnknownOptions } from "../../text/mod.ts";
import { JobRuntime, Jobs, requireName } from "./jobs.ts";
import { JobError, type JobHandler, type JobOptions, type JobRun } from "./types.ts";

/**
 * Decorates a method that takes a payload, and what is known of the run.
 *
 * @internal
 */
type JobDecorator<P> = <
  This,
  V extends (this: This, payload: P, run: JobRun) => unknown,
>(
  method: V,
  context: MethodContext<This, V>,
) => void;

/**
 * Runs a method of a bean for each job of a name that `jobs.enqueue()` has enqueued, in a transaction: what it writes with
 * `current(database)` happens exactly once. What it throws rolls back, and the job runs again.
 *
 * ```ts ignore
 * @Job("send-webhook", { schema: Webhook, retry: 8, concurrency: 5, deadLetter: "dead-webhook" })
 * async send(webhook: Webhook, { id, signal }: JobRun): Promise<void> { … }
 * ```
 *
 * @param name letters, digits, `_`, `-`, `.` and `/`, unique in the application
 * @throws {JobError} for options that are not allowed
 */
export function Job<S extends StandardSchemaV1>(
  name: string,
  options: JobOptions<S> & { readonly schema: S },
): JobDecorator<StandardSchemaV1.InferOutput<S>>;
/** Without a schema: the method says what it takes, and gets what JSON holds. */
export function Job(
  name: string,
  options?: JobOptions & { readonly schema?: undefined },
  // deno-lint-ignore no-explicit-any -- of any method
): JobDecorator<any>;
export function Job(name: string, options: JobOptions = {}): JobDecorator<never> {
  const decorate = decorator("Job", arguments, (context: MethodContext<object>) => {
    context.addInitializer(function (this: object) {
      const label = `${this.constructor.name}.${String(context.name)}`;
      // Found when it is called: decorators above this one replace the method.
      const call: JobHandler["call"] = (...parameters) =>
        (context.access.get(this) as (...parameters: unknown[]) => unknown).apply(this, parameters);
      const jobs = isInjecting() && inject<Jobs>(Jobs);
      if (jobs instanceof JobRuntime) jobs.register({ ...settings, label, call });
    });
  }, '"name"');
  const settings = readOptions(name, options);
  return decorate as unknown as JobDecorator<never>;
}

const OPTIONS = ["schema", "retry", "backoff", "concurrency", "timeout", "deadLetter"];

function readOptions(name: string, options: JobOptions): Omit<JobHandler, "label" | "call"> {
  requireName(name);
  const refuse = (reason: string) => new JobError(`Cannot declare the job '${name}': ${reason}`);
  const refused = (expected: string, found: unknown) =>
    refuse(`expected ${expected}, found '${found}'`);
  refuseUnknownOptions(options, OPTIONS, refuse);
  const { schema, deadLetter, backoff = {}, concurrency = 1, retry = 5, timeout = 900 } = options;
  refuseUnknownOptions(backoff, ["delay", "max"], refuse);
  const { delay = 5 } = backoff;
  const { max = Math.max(delay, 3600) } = backoff;
  if (deadLetter !== undefined) {
    requireName(deadLetter);
    if (deadLetter === name) throw refused("another name as 'deadLetter'", deadLetter);
  }
  const rules: readonly (readonly [key: string, found: number, least: number, most: number])[] = [
    ["retry", retry, 0, 1000],
    ["concurrency", concurrency, 1, 1000],
    ["timeout", timeout, 1, 86_400],
    ["backoff.delay", delay, 0, 86_400],
    ["backoff.max", max, delay, 86_400],
  ];
  for (const [key, found, least, most] of rules) {
    if (Number.isInteger(found) && found >= least && found <= most) continue;
    throw refused(`a whole number from ${least} to ${most} as '${key}'`, found);
  }
  if (schema !== undefined && typeof schema?.["~standard"]?.validate !== "function") {
    throw refused("a schema of Zod, Valibot or ArkType as 'schema'", typeof schema);
  }
  return { name, schema, deadLetter, backoff: { delay, max }, concurrency, retry, timeout };
}
