import { backOffMs, pause, type Work } from "../../migrations/runner/mod.ts";
import { leftSettings } from "../../migrations/search/compare/live_settings.ts";
import { isSame } from "../../migrations/search/json/compare.ts";
import { type Answer, errorType, failureOf } from "../../migrations/search/cluster/answer.ts";
import type { Cluster } from "../../migrations/search/cluster/cluster.ts";
import {
  field,
  isEmpty,
  type Json,
  objectOf,
  omit,
} from "../../migrations/search/json/json_values.ts";
import { ISM } from "../../migrations/search/kinds/policies.ts";
import type { SearchRequest } from "../../migrations/search/types.ts";
import {
  copyMarker,
  type CopyState,
  copyTarget,
  MARKS,
  ofNewRun,
  sourceMarker,
} from "./copy_state.ts";
import type { IndexDefinition } from "./definition.ts";
import { AnswerError, expectAnswer } from "../live_indices/expect.ts";
import { CopyRefusedError, existed, isThere } from "./expect.ts";
import { type LiveIndex, readIndex, readIndices } from "../live_indices/live_index.ts";

/** The new index has these settings during the copy, which they make fast and correct. */
const TUNED: Readonly<Record<string, string>> = {
  "index.refresh_interval": "-1",
  "index.number_of_replicas": "0",
  "index.auto_expand_replicas": "false",
  // A document that was deleted and created again arrives with a lower version.
  "index.gc_deletes": "0s",
  "index.default_pipeline": "_none",
  "index.final_pipeline": "_none",
};

/** How often replicas of the new index are looked at, for some seconds each, while none of them is being filled. */
const IDLE_LOOKS = 2;

const REPLICAS: readonly string[] = ["index.number_of_replicas", "index.auto_expand_replicas"];

const UNBLOCKING = 8;
const WRITE_BLOCK = "8";

/**
 * The two indices of a copy, and what is done to them. Both have an alias that names the run that holds the copy: whatever
 * is changed is addressed by it, or done together with its removal, so that a run that was taken over can do nothing.
 */
export class IndexPair {
  constructor(readonly cluster: Cluster, readonly ensureHeld: () => Promise<void>) {}

  async send(request: SearchRequest, isFine?: Parameters<typeof expectAnswer>[2]): Promise<Answer> {
    await this.ensureHeld();
    return await expectAnswer(this.cluster, request, isFine);
  }

  static aliases(state: CopyState): Json {
    return { [copyMarker(state)]: { is_hidden: true }, [copyTarget(state)]: { is_hidden: true } };
  }

  /** Gives the old index the alias of the run, and checks that the cluster supports what keeps a second run away. */
  async mark(state: CopyState): Promise<void> {
    await this.#aliases([add(state.from, sourceMarker(state))]);
    const probe = [remove(state.from, `${MARKS.from}none-${state.runs[0]}`)];
    const answer = await this.cluster.send(aliasesRequest(probe), { repeatSafe: true });
    if (answer.status === 404 && errorType(answer) === "aliases_not_found_exception") return;
    throw new CopyRefusedError(
      "The cluster does not support 'must_exist' in 'POST /_aliases', which prevents two runs from copying the same index",
    );
  }

  async make(state: CopyState, body: string): Promise<boolean> {
    const path = `/${encodeURIComponent(state.to)}?timeout=20s`;
    const answer = await this.send({ method: "PUT", path, body }, isThere);
    if (field(answer.json, "shards_acknowledged") === false) {
      throw new CopyRefusedError(
        `The shards of '${state.to}' were not allocated: check its allocation settings, and the disk space of the nodes`,
      );
    }
    return !existed(answer) || await this.#has(state.to, copyMarker(state));
  }

  /** Removes the aliases that templates gave the new index: readers would find every document twice. */
  async takeOffAliases(state: CopyState, made: LiveIndex): Promise<void> {
    const ours = Object.keys(IndexPair.aliases(state));
    const given = Object.keys(made.aliases).filter((alias) => !ours.includes(alias));
    await this.#aliases(given.map((alias) => remove(state.to, alias)), async () => {
      const now = await readIndex(this.cluster, state.to);
      return now !== undefined && given.every((alias) => !Object.hasOwn(now.aliases, alias));
    });
  }

  /** Aliases of the old index that a template gives the new one too, without a write index. */
  async aliasesToPin(live: LiveIndex, given: readonly string[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (const alias of given.filter((name) => Object.hasOwn(live.aliases, name))) {
      const indices = await readIndices(this.cluster, alias);
      const isPinned = indices.some(({ aliases }) => aliases[alias]?.is_write_index === true);
      if (!isPinned && indices.length === 1) found.push(alias);
    }
    return found;
  }

  /** Keeps an alias of the old index the one that is written to while the new index has it, too. */
  async pin(live: LiveIndex, aliases: readonly string[]): Promise<void> {
    await this.#aliases(
      aliases.map((alias) =>
        add(live.name, alias, { ...live.aliases[alias], is_write_index: true })
      ),
    );
  }

  async unpin({ from, pinned }: CopyState): Promise<void> {
    if (pinned.length === 0) return;
    const { aliases = {} } = await readIndex(this.cluster, from) ?? {};
    const actions = pinned.filter((alias) => Object.hasOwn(aliases, alias))
      .map((alias) => add(from, alias, withoutWriteIndex(aliases[alias])));
    await this.#aliases(actions);
  }

  /**
   * Assigns the copy to this run: requests of an earlier run that are still under way come to nothing.
   * @returns `false` when one of the indices no longer exists, or the new one has taken the place of the old one
   */
  async takeOver(state: CopyState): Promise<boolean> {
    const to = await readIndex(this.cluster, state.to);
    const from = await readIndex(this.cluster, state.from);
    if (to === undefined || from === undefined || !isOurs(to, state)) return false;
    const actions = [
      ...marksOn(to, MARKS.copy).map((alias) => remove(to.name, alias)),
      ...marksOn(from, MARKS.from).map((alias) => remove(from.name, alias)),
      add(to.name, copyMarker(state)),
      add(from.name, sourceMarker(state)),
      ...(Object.hasOwn(to.aliases, copyTarget(state)) ? [] : [add(to.name, copyTarget(state))]),
    ];
    try {
      await this.#aliases(actions, () => this.#has(state.to, copyMarker(state)));
    } catch (error) {
      // A switch that was on its way came first, and has removed what was to be removed.
      if (await this.isSwitched(state)) return false;
      throw error;
    }
    return true;
  }

  /** Sets the new index to what makes copying fast and right. @returns what it has to be set back to */
  async tune(state: CopyState, made: LiveIndex): Promise<Readonly<Record<string, string | null>>> {
    await this.setNew(state, TUNED);
    if (!isEmpty(state.restore)) return state.restore;
    const settings = Object.keys(TUNED).map((key) => [key, made.settings[key]] as const);
    return Object.fromEntries(
      settings.map(([key, value]) => [key, value === undefined ? null : String(value)]),
    );
  }

  async setNew(state: CopyState, settings: Json): Promise<void> {
    const path = `/${copyMarker(state)}/_settings`;
    await this.send({ method: "PUT", path, body: JSON.stringify(settings) });
  }

  /** Replicas of the new index are filled while writes still go on, as far as the old one has them. */
  async fillReplicas(
    state: CopyState,
    { onProgress, signal }: Pick<Work, "onProgress" | "signal">,
  ) {
    await this.setNew(state, omit(state.restore, (_, key) => !REPLICAS.includes(key)));
    const health = async (index: string, wait = "") => {
      const path = `/_cluster/health/${encodeURIComponent(index)}${wait}`;
      // A cluster that waits in vain answers 408.
      return (await this.cluster.send({ method: "GET", path }, { repeatSafe: true, signal })).json;
    };
    const wanted = field(await health(state.from), "status") === "green" ? "green" : "yellow";
    for (let idle = 0; idle < IDLE_LOOKS;) {
      const found = await health(state.to, `?wait_for_status=${wanted}&timeout=5s`);
      if (field(found, "timed_out") === false) return;
      idle = Number(field(found, "initializing_shards")) > 0 ? 0 : idle + 1;
      onProgress?.({ message: "filling replicas" });
      signal?.throwIfAborted();
    }
  }

  /** Gives the new index its own settings, with those that the old one got meanwhile and the file does not name. */
  async restore(state: CopyState, file: IndexDefinition, live?: LiveIndex): Promise<void> {
    const made = await readIndex(this.cluster, state.to);
    const left = leftSettings(file, live?.settings ?? {});
    const changed = omit(left, (value, key) => isSame(value, made?.settings[key]));
    await this.setNew(state, { ...state.restore, ...changed });
  }

  /**
   * Refuses writes to the old index from now on, and waits for those that are on their way.
   * @returns `false` when not every shard confirms it, so that it may stand in part. One that was sent again, as its
   * first answer got lost, finds nothing left to do, and says no more.
   */
  async block(state: CopyState): Promise<boolean> {
    const request = { method: "PUT", path: `/${sourceMarker(state)}/_block/write` };
    const { json } = await this.send(request);
    return field(json, "acknowledged") === true && field(json, "shards_acknowledged") === true;
  }

  /**
   * Lets writes to the old index through again, and makes sure of it. That needs no lock: once another run has taken over,
   * its marker is removed. A block that some shard did not confirm has a mark of its own, which goes away with no setting:
   * it is completed first, and lifted then.
   */
  async unblock(state: CopyState): Promise<void> {
    const path = `/${sourceMarker(state)}`;
    const body = JSON.stringify({ "index.blocks.write": null });
    const lift = { method: "PUT", path: `${path}/_settings`, body };
    for (let attempt = 1;; attempt++) {
      const answer = await this.cluster.send(lift, { repeatSafe: true });
      const isLifted = answer.status === 200;
      if (answer.status === 404 || isLifted && !await this.#isBlocked(state.from)) return;
      if (attempt === UNBLOCKING) {
        throw new AnswerError(lift, answer, "the index still rejects writes");
      }
      const block = { method: "PUT", path: `${path}/_block/write` };
      if (isLifted) await this.cluster.send(block, { repeatSafe: true });
      await pause(backOffMs(Math.min(attempt, 3)));
    }
  }

  async #isBlocked(index: string): Promise<boolean> {
    const path = `/_cluster/state/blocks/${encodeURIComponent(index)}?filter_path=blocks.indices`;
    const { json } = await expectAnswer(this.cluster, { method: "GET", path });
    return Object.hasOwn(objectOf(field(json, "blocks", "indices", index)), WRITE_BLOCK);
  }

  /** Deletes the new index if it is ours, and takes our names off the old one. @param mayBeBlocked by us: the block is lifted */
  async undo(state: CopyState, mayBeBlocked: boolean): Promise<void> {
    const to = await readIndex(this.cluster, state.to);
    const from = await readIndex(this.cluster, state.from);
    const marks = marksOn(from, MARKS.from);
    const isMade = to !== undefined && isOurs(to, state);
    const isBlocked = mayBeBlocked && from !== undefined;
    const temporary = ofNewRun(state);
    const actions = [
      ...marks.map((alias) => remove(state.from, alias)),
      ...(isMade ? [{ remove_index: { index: state.to } }] : []),
      ...(isBlocked ? [add(state.from, sourceMarker(temporary))] : []),
    ];
    await this.#aliases(actions, async () => {
      const now = await readIndex(this.cluster, state.from);
      const isLeft = marks.some((alias) => Object.hasOwn(now?.aliases ?? {}, alias));
      return !isLeft && await readIndex(this.cluster, state.to) === undefined;
    });
    if (!isBlocked) return;
    await this.unblock(temporary);
    const mark = sourceMarker(temporary);
    await this.#aliases([remove(state.from, mark)], async () => !await this.#has(state.from, mark));
  }

  /**
   * Takes back what was made before anything was copied, by a run that another one has taken over meanwhile: it needs no
   * lock, as it is done only while its names exist. Where they were removed before the index was created, no
   * other run knows of that index: it is marked again, and then removed.
   */
  async withdraw(state: CopyState): Promise<void> {
    const isMine = () => this.#has(state.to, copyMarker(state));
    const change = async (...actions: readonly Json[]) => {
      const { status } = await this.cluster.send(aliasesRequest(actions), { repeatSafe: true });
      return status === 200;
    };
    const takeBack = async () => {
      const index = await isMine() ? [{ remove_index: { index: state.to } }] : [];
      return await change(remove(state.from, sourceMarker(state)), ...index);
    };
    if (await takeBack() || !await isMine()) return;
    if (await change(add(state.from, sourceMarker(state)))) await takeBack();
    else if (await readIndex(this.cluster, state.from) === undefined) {
      const path = `/${encodeURIComponent(state.to)}`;
      await this.cluster.send({ method: "DELETE", path }, { repeatSafe: true });
    }
  }

  async delete(index: string): Promise<void> {
    const request = { method: "DELETE", path: `/${encodeURIComponent(index)}` };
    await this.send(request, ({ status }) => status === 404);
  }

  /** Keeps the data of the old index, whose writes are refused, under another name. */
  async backUp({ from }: CopyState, backup: string): Promise<void> {
    await this.ensureHeld();
    const path = `/${encodeURIComponent(from)}/_clone/${
      encodeURIComponent(backup)
    }?wait_for_active_shards=1`;
    const { settings = {} } = await readIndex(this.cluster, from) ?? {};
    // A clone has the default number of replicas unless it is given one.
    const replicas = omit(settings, (_, key) => !REPLICAS.includes(key));
    const body = { settings: { ...replicas, "index.blocks.write": true } };
    const request = { method: "POST", path, body: JSON.stringify(body) };
    const isOurs = (answer: Answer) => existed(answer) && answer.repeated === true;
    const answer = await this.send(request, isOurs);
    if (!isOurs(answer) && field(answer.json, "shards_acknowledged") !== true) {
      const reason = "the clone that keeps the old data did not start in time";
      throw new AnswerError(request, answer, reason);
    }
  }

  async switchOver(
    state: CopyState,
    live: LiveIndex,
    aliases: LiveIndex["aliases"],
  ): Promise<void> {
    const { name, from, to, pinned } = state;
    const kept = Object.entries(live.aliases).filter(([alias]) => !alias.startsWith(MARKS.from));
    const moved = kept.map(([alias, how]) =>
      [alias, pinned.includes(alias) ? withoutWriteIndex(how) : how] as const
    );
    const isConcrete = from === name;
    const given = { ...(isConcrete && { [name]: {} }), ...Object.fromEntries(moved), ...aliases };
    await this.#aliases([
      remove(to, copyMarker(state)),
      remove(to, copyTarget(state)),
      ...(isConcrete
        ? [{ remove_index: { index: from } }]
        : [remove(from, sourceMarker(state)), ...kept.map(([alias]) => remove(from, alias))]),
      ...Object.entries(given).map(([alias, how]) => add(to, alias, how)),
    ], () => this.isSwitched(state));
  }

  async attachPolicy({ to }: CopyState, policy: string): Promise<string> {
    await this.ensureHeld();
    const path = `${ISM}/add/${encodeURIComponent(to)}`;
    const body = JSON.stringify({ policy_id: policy });
    const answer = await this.cluster.send({ method: "POST", path, body }, { repeatSafe: true });
    const isThere = /already has a policy/.test(answer.text);
    return answer.status === 200 && (isThere || field(answer.json, "updated_indices") === 1)
      ? `the policy '${policy}' goes on with it`
      : `the policy '${policy}' could not be attached to it: ${answer.text.slice(0, 200)}`;
  }

  async isSwitched({ name, to, step }: CopyState): Promise<boolean> {
    // As long as it is made, a template may have given it that alias.
    return step !== "make" && await this.#has(to, name);
  }

  async #has(index: string, alias: string): Promise<boolean> {
    return Object.hasOwn((await readIndex(this.cluster, index))?.aliases ?? {}, alias);
  }

  /** @param isDone whether all of it is so already: a request whose answer got lost, and that was sent again, is refused */
  async #aliases(actions: readonly Json[], isDone?: () => Promise<boolean>): Promise<void> {
    if (actions.length === 0) return;
    await this.ensureHeld();
    const request = aliasesRequest(actions);
    const answer = await this.cluster.send(request, { repeatSafe: true });
    const failure = failureOf(request, answer);
    if (failure === undefined) return;
    if (isDone && (answer.repeated || failure.unacknowledged) && await isDone()) return;
    throw new AnswerError(request, answer, failure.reason);
  }
}

function aliasesRequest(actions: readonly Json[]) {
  return { method: "POST", path: "/_aliases", body: JSON.stringify({ actions }) };
}

function add(index: string, alias: string, how: Json = { is_hidden: true }): Json {
  return { add: { ...objectOf(how), index, alias } };
}

function remove(index: string, alias: string): Json {
  return { remove: { index, alias, must_exist: true } };
}

function marksOn(index: LiveIndex | undefined, start: string): readonly string[] {
  return Object.keys(index?.aliases ?? {}).filter((alias) => alias.startsWith(start));
}

/** Whether an index was made by a run of this copy, and has not taken the place of the old one yet. */
function isOurs(index: LiveIndex, state: CopyState): boolean {
  return Object.hasOwn(index.aliases, copyTarget(state));
}

function withoutWriteIndex(how: Json | undefined): Json {
  return omit(how ?? {}, (_, key) => key === "is_write_index");
}
