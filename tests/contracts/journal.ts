import { assert, assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import {
  type Attempt,
  baseline,
  InterruptedError,
  type Journal,
  type JournalEntry,
  LockedError,
  type MigrationRecord,
  resolve,
  run,
  type RunReport,
  type Session,
  statusOf,
  type Target,
} from "../../src/migrations/runner/mod.ts";
import { filesOf } from "../migrations/runner/memory.ts";

/** How a run of {@linkcode JournalFixture} opens its connection. */
export interface TargetOptions {
  /** For how long it waits for the lock, in milliseconds; longer than a dead run holds it unless a case says less. */
  readonly lockTimeoutMs?: number;
  /** Another connection on the same server. */
  readonly other?: boolean;
}

/** A connection for {@linkcode journalCases}: unused, under a name of its own. */
export interface JournalFixture extends AsyncDisposable {
  /** The connection, as the run of `owner` opens it. */
  target(owner: string, options?: TargetOptions): Target;
  /** Ends a session as the death of its process does: nothing is given back. */
  kill(session: Session): Promise<void>;
  /** A file that may be done twice, one that must not, and one that the server refuses; each does one thing. */
  readonly files: {
    readonly safe: (thing: string) => string;
    readonly once: (thing: string) => string;
    readonly refused: string;
  };
  /** Extension of the files. */
  readonly extension: string;
  /** How often a thing was done. */
  count(thing: string): Promise<number>;
}

/** Something that every journal has to do, together with the runner over it. */
export interface JournalCase {
  readonly name: string;
  run(fixture: JournalFixture): Promise<void>;
}

const HASH = "a".repeat(64);
const OTHER = "b".repeat(64);
const THIRD = "c".repeat(64);
const EXECUTED_AT = new Date("2026-03-04T05:06:07.089Z");

const record = (hash: string, executedBy = "me"): MigrationRecord => ({
  hash,
  executedAt: EXECUTED_AT,
  executedBy,
});
const running = (hash: string, rest: Partial<Attempt> = {}): Attempt => ({
  hash,
  state: "running",
  repeatSafe: false,
  owner: "me",
  ...rest,
});
const none = () => Promise.resolve(new Map<string, Attempt>());

/** Opens, works, and closes in any case. */
async function using<T>(
  fixture: JournalFixture,
  owner: string,
  work: (journal: Journal, session: Session) => Promise<T>,
): Promise<T> {
  const session = await fixture.target(owner).open();
  try {
    return await work(session.journal, session);
  } finally {
    await session.close();
  }
}

/** Takes the lock, writes, and gives it back. */
function write(fixture: JournalFixture, entries: readonly JournalEntry[]): Promise<void> {
  return using(fixture, "me", async (journal) => {
    await journal.lock(await journal.read(entries.map(({ path }) => path)), none);
    await journal.write(entries);
    await journal.unlock();
  });
}

function read(fixture: JournalFixture, ...paths: string[]) {
  return using(fixture, "reader", (journal) => journal.read(paths));
}

/** A run that announces and begins a file, and dies. */
async function dieIn(
  fixture: JournalFixture,
  path: string,
  attempt: Attempt,
  entry: JournalEntry = { path },
): Promise<void> {
  const begun = { ...attempt, owner: "dying" };
  const session = await fixture.target("dying").open();
  const { journal } = session;
  await journal.lock(
    await journal.read([path]),
    () => Promise.resolve(new Map([[path, { ...begun, state: "announced" as const }]])),
  );
  await journal.write([{ ...entry, attempt: begun }]);
  await fixture.kill(session);
}

function migrate(
  fixture: JournalFixture,
  tree: Readonly<Record<string, string>>,
  owner = "me",
): Promise<RunReport> {
  return filesOf(tree).then((files) => run(fixture.target(owner), files, { yes: true }));
}

const outcomes = ({ results }: RunReport) => results.map(({ outcome }) => outcome);

/** The crash-and-lock suite. */
export const journalCases: readonly JournalCase[] = [
  {
    name: "is empty at first, and reading writes nothing",
    run: async (fixture) => {
      const { entries, lockedBy } = await read(fixture, "a", "b");
      assertEquals([...entries.values()].filter(({ applied, attempt }) => applied ?? attempt), []);
      assertEquals(lockedBy, undefined);
      assertEquals((await using(fixture, "me", (journal) => journal.list())).size, 0);
    },
  },
  {
    name: "gives back what was recorded, times to the millisecond",
    run: async (fixture) => {
      await write(fixture, [
        { path: "1/ü 😀.x", applied: { ...record(HASH), durationMs: 12 } },
        { path: "2.x", applied: record(OTHER) },
      ]);
      const { entries } = await read(fixture, "1/ü 😀.x", "none");
      const { applied, attempt } = entries.get("1/ü 😀.x")!;
      assertEquals([applied?.hash, applied?.executedAt, applied?.executedBy, applied?.durationMs], [
        HASH,
        EXECUTED_AT,
        "me",
        12,
      ]);
      assertEquals(attempt, undefined);
      const all = await using(fixture, "reader", (journal) => journal.list());
      assertEquals([...all.keys()].sort(), ["1/ü 😀.x", "2.x"]);
    },
  },
  {
    name: "keeps two connections on one server apart",
    run: async (fixture) => {
      await write(fixture, [{ path: "1.x", applied: record(HASH) }]);
      await dieIn(fixture, "2.x", running(HASH));
      const other = await fixture.target("other", { other: true, lockTimeoutMs: 0 }).open();
      const state = await other.journal.read(["1.x", "2.x"]);
      const entries = [...state.entries.values()];
      assertEquals(entries.filter(({ applied, attempt }) => applied ?? attempt), []);
      assertEquals((await other.journal.list()).size, 0);
      await other.journal.lock(state, none);
      await other.journal.unlock();
      await other.close();
    },
  },
  {
    name: "has one lock, which says who holds it, and can be taken when it is given back",
    run: async (fixture) => {
      const holder = await fixture.target("holder-1-a").open();
      await holder.journal.lock(await holder.journal.read([]), none);
      await holder.journal.ensureHeld();
      const second = await fixture.target("second", { lockTimeoutMs: 200 }).open();
      const error = await assertRejects(
        async () => await second.journal.lock(await second.journal.read([]), none),
        LockedError,
      );
      assert(error.message.length > 0);
      await holder.journal.unlock();
      await second.journal.lock(await second.journal.read([]), none);
      await second.journal.unlock();
      await second.journal.unlock();
      await holder.close();
      await second.close();
    },
  },
  {
    name: "gives the lock back with the last record, and keeps it with the others",
    run: async (fixture) => {
      const holder = await fixture.target("holder").open();
      const { journal } = holder;
      await journal.lock(await journal.read(["1.x", "2.x"]), none);
      await journal.write([{ path: "1.x", applied: record(HASH) }]);
      await journal.ensureHeld();
      await journal.write([{ path: "2.x", applied: record(HASH) }], { release: true });
      const second = await fixture.target("second", { lockTimeoutMs: 0 }).open();
      await second.journal.lock(await second.journal.read([]), none);
      await second.journal.unlock();
      await second.close();
      await holder.close();
    },
  },
  {
    name: "stops waiting for the lock when its signal aborts",
    run: async (fixture) => {
      const holder = await fixture.target("holder").open();
      await holder.journal.lock(await holder.journal.read([]), none);
      const stop = new AbortController();
      const waiting = await fixture.target("waiting").open();
      const reason = new Error("stop");
      setTimeout(() => stop.abort(reason), 50);
      const error = await assertRejects(async () =>
        await waiting.journal.lock(await waiting.journal.read([]), none, stop.signal)
      );
      assertEquals(error, reason);
      await waiting.close();
      await holder.journal.unlock();
      await holder.close();
    },
  },
  {
    name: "does not keep the lock when the plan fails under it",
    run: async (fixture) => {
      await using(fixture, "planning", async (journal) => {
        const state = await journal.read([]);
        await assertRejects(
          () => journal.lock(state, () => Promise.reject(new Error("No"))),
          Error,
          "No",
        );
        await using(fixture, "other", async (other) => {
          await other.lock(await other.read([]), none);
          await other.unlock();
        });
      });
    },
  },
  {
    name: "plans by what holds under the lock, not by what was read before",
    run: async (fixture) => {
      await using(fixture, "late", async (journal) => {
        const state = await journal.read(["1.x"]);
        await write(fixture, [{ path: "1.x", applied: record(HASH) }]);
        let seen: string | undefined;
        await journal.lock(state, (held) => {
          seen = held.entries.get("1.x")?.applied?.hash;
          return none();
        });
        assertEquals(seen, HASH);
        await journal.unlock();
      });
    },
  },
  {
    name: "is taken over from a run that died, whose work is reported",
    run: async (fixture) => {
      await dieIn(fixture, "1.x", running(HASH));
      await using(fixture, "heir", async (journal) => {
        let attempt: Attempt | undefined;
        await journal.lock(await journal.read(["1.x"]), (held) => {
          attempt = held.entries.get("1.x")?.attempt;
          return none();
        });
        assertEquals([attempt?.hash, attempt?.state, attempt?.owner], [HASH, "running", "dying"]);
        assertEquals(attempt?.repeatSafe === true, false);
        await journal.unlock();
      });
    },
  },
  {
    name: "reports work that was begun though no file asks for it",
    run: async (fixture) => {
      await dieIn(fixture, "gone.x", running(HASH));
      await using(fixture, "heir", async (journal) => {
        await journal.lock(await journal.read(["other.x"]), (held) => {
          assertEquals(held.entries.get("gone.x")?.attempt?.hash, HASH);
          return none();
        });
        await journal.unlock();
      });
      const { entries } = await read(fixture, "other.x");
      assertEquals(entries.get("gone.x")?.attempt?.hash, HASH);
    },
  },
  {
    name: "keeps what was applied while it is done again, and goes back to it",
    run: async (fixture) => {
      const entry = { path: "1.x", applied: record(HASH) };
      await write(fixture, [entry]);
      await dieIn(fixture, "1.x", running(OTHER), entry);
      await using(fixture, "heir", async (journal) => {
        await journal.lock(await journal.read(["1.x"]), (held) => {
          const { applied, attempt } = held.entries.get("1.x")!;
          assertEquals([applied?.hash, attempt?.hash], [HASH, OTHER]);
          return none();
        });
        await journal.write([entry]);
        await journal.unlock();
      });
      const { applied, attempt } = (await read(fixture, "1.x")).entries.get("1.x")!;
      assertEquals([applied?.hash, applied?.executedAt, attempt], [HASH, EXECUTED_AT, undefined]);
    },
  },
  {
    name: "forgets a file that was begun and never applied, when its entry is written empty",
    run: async (fixture) => {
      await dieIn(fixture, "1.x", running(HASH));
      await using(fixture, "heir", async (journal) => {
        await journal.lock(await journal.read(["1.x"]), none);
        await journal.write([{ path: "1.x" }]);
        await journal.unlock();
      });
      const entry = (await read(fixture, "1.x")).entries.get("1.x");
      assertEquals([entry?.applied, entry?.attempt], [undefined, undefined]);
      assertEquals((await using(fixture, "reader", (journal) => journal.list())).size, 0);
    },
  },
  {
    name: "keeps what is known of work that was done in part",
    run: async (fixture) => {
      const partial: Attempt = { ...running(HASH), state: "partial", known: "half", statements: 2 };
      await using(fixture, "me", async (journal) => {
        await journal.lock(
          await journal.read(["1.x"]),
          () => Promise.resolve(new Map([["1.x", { ...partial, state: "announced" as const }]])),
        );
        await journal.write([{ path: "1.x", attempt: running(HASH) }]);
        await journal.write([{ path: "1.x", attempt: partial }]);
        await journal.unlock();
      });
      const { attempt } = (await read(fixture, "1.x")).entries.get("1.x")!;
      assertEquals([attempt?.state, attempt?.hash], ["partial", HASH]);
      assert(attempt?.known === "half" || attempt?.statements === 2);
    },
  },
  {
    name: "refuses to write over what another run has recorded",
    run: async (fixture) => {
      for (const before of [undefined, record(OTHER, "first")]) {
        const path = `${before ? 1 : 2}.x`;
        if (before) await write(fixture, [{ path, applied: before }]);
        const frozen = await fixture.target("frozen").open();
        await frozen.journal.lock(await frozen.journal.read([path]), none);
        // As if its lock had run out while it was frozen: another run has taken it, and worked.
        await fixture.kill(frozen);
        await write(fixture, [{ path, applied: record(HASH, "second") }]);
        const error = await frozen.journal.write([{ path, applied: record(THIRD, "frozen") }])
          .catch((error: Error) => error);
        assertInstanceOf(error, Error);
        const { entries } = await read(fixture, path);
        assertEquals(entries.get(path)?.applied?.executedBy, "second");
        await frozen.close();
      }
    },
  },
  {
    name: "names the active run, or that there is none",
    run: async (fixture) => {
      const { extension, files } = fixture;
      const path = `1${extension}`;
      const holder = await fixture.target("holder").open();
      const [file] = await filesOf({ [path]: files.once("a") });
      await holder.journal.lock(
        await holder.journal.read([path]),
        () => Promise.resolve(new Map([[path, running(file!.hash, { state: "announced" })]])),
      );
      await holder.journal.write([{ path, attempt: running(file!.hash) }]);
      const during = await using(fixture, "reader", (_, session) => statusOf(session, [file!]));
      assertEquals(during.files.map(({ state }) => state), ["pending"]);
      assert(during.lockedBy !== undefined);
      await holder.journal.write([{ path, applied: record(file!.hash) }]);
      await holder.journal.unlock();
      await holder.close();
      const after = await using(fixture, "reader", (_, session) => statusOf(session, [file!]));
      assertEquals([after.files.map(({ state }) => state), after.lockedBy], [
        ["applied"],
        undefined,
      ]);
    },
  },
  {
    name: "applies every file once, whatever its kind, and nothing the next time",
    run: async (fixture) => {
      const { extension, files } = fixture;
      const tree = { [`1${extension}`]: files.safe("a"), [`2${extension}`]: files.once("b") };
      assertEquals(outcomes(await migrate(fixture, tree)), ["applied", "applied"]);
      assertEquals(outcomes(await migrate(fixture, tree)), ["skipped", "skipped"]);
      assertEquals([await fixture.count("a"), await fixture.count("b")], [1, 1]);
    },
  },
  {
    name: "is free after a failure, and the next run goes on from there",
    run: async (fixture) => {
      const { extension, files } = fixture;
      const [one, two] = [`1${extension}`, `2${extension}`];
      const failed = await migrate(fixture, { [one]: files.safe("a"), [two]: files.refused });
      assertEquals(outcomes(failed), ["applied", "failed"]);
      const repaired = await migrate(fixture, { [one]: files.safe("a"), [two]: files.once("b") });
      assertEquals([repaired.error, outcomes(repaired)], [undefined, ["skipped", "applied"]]);
    },
  },
  {
    name: "lets several runs at once apply every file once, and none fails",
    run: async (fixture) => {
      const { extension, files } = fixture;
      const tree = Object.fromEntries(Array.from({ length: 4 }, (_, i) => [
        `${i}${extension}`,
        i % 2 === 0 ? files.safe(`s${i}`) : files.once(`o${i}`),
      ]));
      const reports = await Promise.all(
        ["a", "b", "c"].map((owner) => migrate(fixture, tree, owner)),
      );
      assertEquals(reports.map(({ error }) => error), [undefined, undefined, undefined]);
      const applied = reports.flatMap(outcomes).filter((outcome) => outcome === "applied");
      assertEquals(applied.length, 4);
      for (const thing of ["s0", "o1", "s2", "o3"]) {
        assertEquals(await fixture.count(thing), 1, thing);
      }
    },
  },
  {
    name: "asks about work that must not be done twice, and takes either answer",
    run: async (fixture) => {
      const { extension, files } = fixture;
      for (const answer of ["applied", "retry"] as const) {
        const path = `${answer}${extension}`;
        const tree = { [path]: files.once(answer) };
        const [file] = await filesOf(tree);
        await dieIn(fixture, path, running(file!.hash));
        const report = await migrate(fixture, tree);
        assertInstanceOf(report.error, InterruptedError);
        assertEquals(await fixture.count(answer), 0);
        const settled = await using(
          fixture,
          "person",
          (_, session) => resolve(session, [file!], path, answer),
        );
        assertEquals(settled?.isPending, answer === "retry");
        const expected = answer === "applied" ? "skipped" : "applied";
        assertEquals(outcomes(await migrate(fixture, tree)), [expected]);
        assertEquals(await fixture.count(answer), answer === "applied" ? 0 : 1);
      }
    },
  },
  {
    name: "records a baseline, which the next run believes",
    run: async (fixture) => {
      const { extension, files } = fixture;
      const tree = { [`1${extension}`]: files.safe("a"), [`2${extension}`]: files.once("b") };
      const found = await filesOf(tree);
      const record = () => using(fixture, "me", (_, session) => baseline(session, found));
      assertEquals(await record(), Object.keys(tree));
      assertEquals(await record(), []);
      assertEquals(outcomes(await migrate(fixture, tree)), ["skipped", "skipped"]);
      assertEquals([await fixture.count("a"), await fixture.count("b")], [0, 0]);
    },
  },
];
