import { Autowired, Service } from "irori";
import { Job } from "irori/jobs";
import { Scheduled } from "irori/scheduling";
import { current, PgTransactions } from "irori/transactions";
import * as z from "zod";

const Welcome = z.object({ userId: z.int() });

@Service()
export class WelcomeJobs {
  @Autowired(PgTransactions)
  private readonly database!: PgTransactions;

  /** Stands for an email: what it writes is committed exactly once, and after an error it runs again. */
  @Job("welcome-user", { schema: Welcome, retry: 5 })
  async welcome({ userId }: z.infer<typeof Welcome>): Promise<void> {
    await current(this.database).query("INSERT INTO welcomes (user_id) VALUES ($1)", [userId]);
  }

  /** At midnight in UTC, on one replica. */
  @Scheduled({ every: 24 * 3600 })
  async clean(): Promise<void> {
    await current(this.database).query(
      "DELETE FROM welcomes WHERE sent_at < now() - INTERVAL '30 days'",
    );
  }
}
