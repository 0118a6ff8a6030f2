import { withSession } from "../../migrations/search/runner.ts";
import { resolve } from "../../../src/migrations/runner/mod.ts";
import { check } from "./check.ts";
import {
  askedToEnd,
  DisturbedRun,
  type Ended,
  freezing,
  killed,
  lost,
  refused,
  type Troublemaker,
} from "./disturbed.ts";
import type { Plan } from "./plan.ts";
import type { Version } from "./scenario.ts";
import { LEASE_MS, World } from "./world.ts";

/** The result of one case. */
export interface Played {
  /** Everything that is not as it has to be. */
  readonly problems: readonly string[];
  /** Whether a run came as far as the request that trouble waited for. */
  readonly isHit: boolean;
  readonly writes: number;
  readonly searches: number;
  readonly failedReads: number;
  /** The longest time that a write took, which is that of the pause or of a block that a killed run left. */
  readonly longestMs: number;
  /** How the disturbed runs ended, in the order in which they were started. */
  readonly ends: readonly string[];
  /** The requests of the disturbed runs, one list for each. */
  readonly requests: readonly (readonly string[])[];
}

const NOTHING: Omit<Played, "problems"> = {
  isHit: false,
  writes: 0,
  searches: 0,
  failedReads: 0,
  longestMs: 0,
  ends: [],
  requests: [],
};

/** A disturbed run may end with these; any other error is a defect. */
const ORDINARY = ["ConnectionError", "LockedError", "MigrationFailedError"];

/** Plays a case on a cluster, and cleans up behind it. */
export async function play(url: string, plan: Plan): Promise<Played> {
  await using world = new World(url, plan.scenario, plan.seed);
  try {
    await world.start();
  } catch (error) {
    return { ...NOTHING, problems: [`it could not begin: ${(error as Error).message}`] };
  }
  return await new Game(world, plan).play();
}

/** A case while it is played. */
class Game {
  readonly #problems: string[] = [];
  readonly #runs: DisturbedRun[] = [];
  readonly #ends: string[] = [];

  constructor(private readonly world: World, private readonly plan: Plan) {}

  async play(): Promise<Played> {
    const { world, plan } = this;
    const { warmUpMs, scenario } = plan;
    try {
      await new Promise((resolve) => setTimeout(resolve, warmUpMs));
      if (plan.trouble !== "none") await this.#disturb();
      await world.reader.look();
      await this.#settle();
    } catch (error) {
      this.#problems.push(`the case broke: ${(error as Error).message}`);
    } finally {
      for (const run of this.#runs) await run[Symbol.asyncDispose]();
    }
    const problems = await check(world, {
      versions: this.#versions(),
      mayFailReads: scenario.from === "concrete",
      mayBeConcrete: scenario.from === "concrete" &&
        (this.#isRefused || scenario.isInPlace === true ||
          !["same", "changed"].includes(plan.then)),
    });
    return {
      problems: [...this.#problems, ...problems],
      isHit: this.#runs.some(({ isHit }) => isHit),
      writes: world.writers.confirmed,
      searches: world.reader.searches,
      failedReads: world.reader.failed.length,
      longestMs: Math.round(world.writers.longestMs),
      ends: this.#ends,
      requests: this.#runs.map(({ requests }) => requests),
    };
  }

  /** The version of the file after all disturbances; `undefined` where it was removed. */
  get #last(): Version | undefined {
    const { then } = this.plan;
    if (then === "removed") return undefined;
    if (then === "reverted") return this.world.before;
    return then === "changed" ? 3 : this.world.after;
  }

  /** Whether the file as it is last cannot be reached. */
  get #isRefused(): boolean {
    const { refused } = this.plan.scenario;
    return this.#last !== undefined && refused?.versions.includes(this.#last) === true;
  }

  /** The versions that the live index may have in the end. */
  #versions(): readonly Version[] {
    const { world: { before, after }, plan: { then } } = this;
    if (then === "reverted" || this.#isRefused) return [before];
    if (then === "changed") return [3];
    return then === "same" || then === "given up" ? [after] : [before, after];
  }

  async #disturb(): Promise<void> {
    const { trouble, then } = this.plan;
    const { after } = this.world;
    const again = then === "given up" ? after : this.#last;
    switch (trouble) {
      case "two at once":
      case "two at once, one killed": {
        const first = await this.#start(after, trouble === "two at once" ? undefined : killed);
        const second = await this.#start(after);
        await this.#end(first);
        const { error } = await this.#end(second);
        if (error && !this.plan.scenario.refused) {
          this.#problems.push(`the second run failed: ${error.name}: ${error.text}`);
        }
        return;
      }
      case "frozen": {
        const frozen = await this.#start(after, freezing);
        await frozen.hit();
        const next = await this.#start(again);
        await (this.plan.thawAt === "end" ? next.ended : next.sent(this.plan.thawAt));
        frozen.wake();
        await Promise.all([this.#end(next), this.#end(frozen)]);
        return;
      }
      case "frozen, the next killed": {
        const frozen = await this.#start(after, freezing);
        await frozen.hit();
        await this.#end(await this.#start(again, killed));
        await this.world.run(again);
        frozen.wake();
        await this.#end(frozen);
        return;
      }
      case "killed twice":
        await this.#end(await this.#start(after, killed));
        await this.#end(await this.#start(again, killed));
        return;
      case "asked to end": {
        const run = await this.#start(after, askedToEnd);
        const { code } = await this.#end(run);
        if (code === 143) await this.#isWritable("after SIGTERM");
        return;
      }
      default: {
        const faults = { killed, "answer lost": lost, "refused for now": refused };
        await this.#end(await this.#start(after, faults[trouble as "killed"]));
      }
    }
  }

  async #settle(): Promise<void> {
    const { world, plan: { then, scenario } } = this;
    if (then === "given up") await this.#giveUp();
    const last = this.#last;
    if (this.#isRefused) {
      const { error } = await world.run(last);
      await world.reader.look();
      if (error?.name !== "MigrationFailedError" || !scenario.refused!.says.test(error.message)) {
        this.#problems.push(`it was to be refused, and ended with ${error ?? "success"}`);
      }
      return;
    }
    for (const error of await world.settle(last)) {
      this.#problems.push(`an undisturbed run failed: ${error.name}: ${error.message}`);
    }
    const { error, results } = await world.run(last);
    const outcomes = results.map(({ outcome }) => outcome).filter((outcome) =>
      outcome !== "skipped"
    );
    if (error || outcomes.length > 0) {
      this.#problems.push(`one more run was not idle: ${error ?? outcomes.join()}`);
    }
  }

  /** As `resolve --abandon` does it. */
  async #giveUp(): Promise<void> {
    const { connection, file } = this.world;
    const environment = { leaseMs: LEASE_MS, lockTimeoutMs: 60_000 };
    await withSession(connection, this.world.tree(this.world.after), (session, files) => {
      return resolve(session, files, file, "abandon");
    }, environment);
    await this.#isWritable("after it was given up");
  }

  async #isWritable(when: string): Promise<void> {
    const { server, name } = this.world;
    const { json } = await server.must(
      "GET",
      `/${name}/_settings/index.blocks.*?flat_settings=true`,
    );
    for (const [index, { settings }] of Object.entries<{ settings: object }>(json)) {
      const blocks = Object.keys(settings);
      if (blocks.length > 0) this.#problems.push(`${when}, ${index} has ${blocks.join()}`);
    }
  }

  async #start(version: Version | undefined, trouble?: Troublemaker): Promise<DisturbedRun> {
    const { world, plan } = this;
    const job = (url: string) => world.job(url, version);
    const run = await DisturbedRun.start(world.server.url, job, plan, trouble);
    this.#runs.push(run);
    return run;
  }

  async #end(run: DisturbedRun): Promise<Ended> {
    const ended = await run.ended;
    await this.world.reader.look();
    const { error, code, isKilled, isHung } = ended;
    const end = isKilled ? "killed" : error ? `${error.name}: ${error.text}` : `exit code ${code}`;
    this.#ends[this.#runs.indexOf(run)] = end;
    if (isHung) this.#problems.push("a run did not end");
    if (error && !ORDINARY.includes(error.name) && error.text !== "SIGTERM") {
      this.#problems.push(`a run ended with ${error.name}: ${error.text}`);
    }
    return ended;
  }
}
