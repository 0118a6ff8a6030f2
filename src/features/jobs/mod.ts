/**
 * Background jobs on the PostgreSQL of the application: `@Job()` on methods of beans, and `jobs.enqueue()` in the
 * transaction that is open.
 *
 * @example A job in memory, as tests have it
 * ```ts
 * import { Autowired, bootstrap, Service } from "@irori/irori";
 * import { Job, Jobs, jobs } from "@irori/irori/jobs";
 *
 * @Service()
 * class Mailer {
 *   @Job("send-mail", { retry: 3 })
 *   send({ to }: { readonly to: string }): void {
 *     console.log(`Sent to ${to}`);
 *   }
 * }
 *
 * @Service()
 * class Users {
 *   @Autowired(Jobs)
 *   private readonly jobs!: Jobs;
 *
 *   async add(mail: string): Promise<void> {
 *     await this.jobs.enqueue("send-mail", { to: mail });
 *   }
 * }
 *
 * const app = await bootstrap({
 *   components: [Mailer, Users],
 *   extensions: [jobs({ memory: true })],
 * });
 * await app.context.get(Users).add("ada@example.com");
 * console.log(await app.context.get(Jobs).drain()); // { completed: 1, failed: 0, dead: 0 }
 * await app.close();
 * ```
 *
 * @module
 */
export { Job } from "./decorator.ts";
export { jobs } from "./extension.ts";
export { Jobs } from "./jobs.ts";
export {
  type DrainedJobs,
  type EnqueueOptions,
  type JobBackoff,
  JobError,
  type JobOptions,
  type JobPayloads,
  type JobRun,
  type JobsOptions,
} from "./types.ts";
