import { errorType, failureOf } from "../answer.ts";
import type { Cluster } from "../cluster.ts";
import { field, type Json, objectOf, omit } from "../json_values.ts";
import { copyMarker, type CopyState, copyTarget, sourceMarker } from "./copy_state.ts";
import { CopyRefusedError, expectAnswer, StepError } from "./expect.ts";
import { type LiveIndex, readIndex } from "./live_index.ts";

/** One of the `actions` of `POST /_aliases`. */
type AliasAction = Json;

/** What an index is set to as long as it is copied into. */
const TUNED: Readonly<Record<string, string>> = {
  "index.refresh_interval": "-1",
  "index.number_of_replicas": "0",
  "index.auto_expand_replicas": "false",
  // What was deleted and made again arrives with a lower version.
  "index.gc_deletes": "0s",
  "index.default_pipeline": "_none",
  "index.final_pipeline": "_none",
};

/** Those of them that are set back before writers have to wait. */
export const REPLICAS: readonly string[] = [
  "index.number_of_replicas",
  "index.auto_expand_replicas",
];

/** Whether an alias is one of ours. */
export function isMarker(alias: string): boolean {
  return /^irori-(?:copy|from|into)-/.test(alias);
}

/**
 * The two indices of a copy, and what is done to them. Both have an alias that names the run that holds the copy: whatever
 * is changed is addressed by it, or done together with its removal, so that a run that was taken over can do nothing.
 */
export class IndexPair {
  readonly #cluster: Cluster;
  readonly #ensureHeld: () => Promise<void>;

  constructor(cluster: Cluster, ensureHeld: () => Promise<void>) {
    this.#cluster = cluster;
    this.#ensureHeld = ensureHeld;
  }

  /** Says on the old index whose copy it is; and finds out that the cluster can tell. */
  async mark(state: CopyState): Promise<void> {
    await this.#aliases([add(state.from, sourceMarker(state))]);
    const probe = [remove(state.from, `irori-from-none-${state.runs[0]}`)];
    const answer = await this.#cluster.send(aliasesRequest(probe), { repeatSafe: true });
    if (answer.status === 404 && errorType(answer) === "aliases_not_found_exception") return;
    await this.#aliases([remove(state.from, sourceMarker(state))]);
    throw new CopyRefusedError(
      "The cluster does not know 'must_exist' of 'POST /_aliases', without which nothing keeps two runs apart",
    );
  }

  /**
   * Makes the new index, empty.
   *
   * @returns `false` when there is one of that name
   */
  async make(state: CopyState, body: string): Promise<boolean> {
    await this.#ensureHeld();
    const request = { method: "PUT", path: `/${encodeURIComponent(state.to)}`, body };
    const answer = await this.#cluster.send(request, { repeatSafe: true });
    if (errorType(answer) === "resource_already_exists_exception") {
      const there = await readIndex(this.#cluster, state.to);
      return there !== undefined && Object.hasOwn(there.aliases, copyMarker(state));
    }
    const failure = failureOf(request, answer);
    if (failure && !failure.unacknowledged) throw new StepError(request, answer, failure.reason);
    return true;
  }

  /** Aliases of a new index before anything is in it. */
  static aliases(state: CopyState): Json {
    return { [copyMarker(state)]: { is_hidden: true }, [copyTarget(state)]: { is_hidden: true } };
  }

  /** Takes off what templates gave the new index: readers would find every document twice. */
  async takeOffAliases(state: CopyState, made: LiveIndex): Promise<void> {
    const given = Object.keys(made.aliases).filter((alias) => !isMarker(alias));
    if (given.length === 0) return;
    await this.#aliases(given.map((alias) => remove(state.to, alias)), async () => {
      const now = await readIndex(this.#cluster, state.to);
      return now !== undefined && given.every((alias) => !Object.hasOwn(now.aliases, alias));
    });
  }

  /** Keeps an alias of the old index the one that is written to while the new index has it, too. */
  async pin(live: LiveIndex, aliases: readonly string[]): Promise<void> {
    await this.#aliases(
      aliases.map((alias) =>
        add(live.name, alias, { ...live.aliases[alias], is_write_index: true })
      ),
    );
  }

  /** What {@linkcode pin} did is undone. */
  async unpin({ from, pinned = [] }: CopyState): Promise<void> {
    if (pinned.length === 0) return;
    const live = await readIndex(this.#cluster, from);
    const actions = pinned.filter((alias) =>
      live !== undefined && Object.hasOwn(live.aliases, alias)
    )
      .map((alias) => add(from, alias, withoutWriteIndex(live!.aliases[alias])));
    if (actions.length > 0) await this.#aliases(actions);
  }

  /**
   * Makes the copy this run's, whoever held it before.
   *
   * @param state with this run as its last
   * @returns `false` when the new index, or the old one, is not there any more
   */
  async takeOver(state: CopyState): Promise<boolean> {
    await this.#ensureHeld();
    const [to, from] = [
      await readIndex(this.#cluster, state.to),
      await readIndex(this.#cluster, state.from),
    ];
    if (to === undefined || from === undefined) return false;
    // The new index has to be one that a run of ours made.
    if (markersOn(to, state, copyMarker).length === 0) return false;
    const swap = (index: LiveIndex, markerOf: typeof copyMarker) => [
      ...markersOn(index, state, markerOf).map((alias) => remove(index.name, alias)),
      add(index.name, markerOf(state)),
    ];
    await this.#aliases([
      ...swap(to, copyMarker),
      ...swap(from, sourceMarker),
      ...(Object.hasOwn(to.aliases, copyTarget(state)) ? [] : [add(to.name, copyTarget(state))]),
    ], async () => {
      const now = await readIndex(this.#cluster, state.to);
      return now !== undefined && Object.hasOwn(now.aliases, copyMarker(state));
    });
    return true;
  }

  /** Sets the new index to what makes copying fast and right. @returns what it has to be set back to */
  async tune(state: CopyState, made: LiveIndex): Promise<Readonly<Record<string, string | null>>> {
    const restore = state.restore ?? Object.fromEntries(
      Object.keys(TUNED).map((
        key,
      ) => [key, made.settings[key] === undefined ? null : String(made.settings[key])]),
    );
    await this.setNew(state, TUNED);
    return restore;
  }

  /** Changes settings of the new index. */
  async setNew(state: CopyState, settings: Json): Promise<void> {
    await this.#put(`/${encodeURIComponent(copyMarker(state))}/_settings`, settings);
  }

  /** Refuses writes to the old index from now on, and waits for those that are on their way. */
  async block(state: CopyState): Promise<void> {
    await this.#ensureHeld();
    const request = {
      method: "PUT",
      path: `/${encodeURIComponent(sourceMarker(state))}/_block/write`,
    };
    const answer = await expectAnswer(this.#cluster, request);
    const isBlocked = field(answer.json, "acknowledged") === true &&
      field(answer.json, "shards_acknowledged") === true;
    if (!isBlocked) {
      throw new StepError(
        request,
        answer,
        `not every shard confirmed it: ${answer.text.slice(0, 300)}`,
      );
    }
  }

  /** Lets writes through again, whichever run of the copy has blocked them. */
  async unblock(state: CopyState): Promise<void> {
    const from = await readIndex(this.#cluster, state.from);
    if (from === undefined) return;
    const [marker = state.from] = markersOn(from, state, sourceMarker);
    await this.#ensureHeld();
    const request = {
      method: "PUT",
      path: `/${encodeURIComponent(marker)}/_settings`,
      body: JSON.stringify({ "index.blocks.write": null }),
    };
    await expectAnswer(this.#cluster, request);
  }

  /** Deletes the new index if it is one of ours, and takes our names off the old one: whoever held them can do nothing. */
  async clear(state: CopyState): Promise<void> {
    const [to, from] = [
      await readIndex(this.#cluster, state.to),
      await readIndex(this.#cluster, state.from),
    ];
    const isOurs = markersOn(to, state, copyMarker).length > 0;
    const markers = markersOn(from, state, sourceMarker);
    if (markers.length === 0 && !isOurs) return;
    await this.#aliases([
      ...markers.map((alias) => remove(state.from, alias)),
      ...(isOurs ? [{ remove_index: { index: state.to } }] : []),
    ], async () => await readIndex(this.#cluster, state.to) === undefined);
  }

  /** Deletes an index that nothing points to. */
  async delete(index: string): Promise<void> {
    await this.#ensureHeld();
    const request = { method: "DELETE", path: `/${encodeURIComponent(index)}` };
    const answer = await this.#cluster.send(request, { repeatSafe: true });
    const failure = answer.status === 404 ? undefined : failureOf(request, answer);
    if (failure) throw new StepError(request, answer, failure.reason);
  }

  /** Keeps the data of the old index, whose writes are refused, under another name. */
  async backUp({ from }: CopyState, backup: string): Promise<void> {
    await this.#ensureHeld();
    const path = `/${encodeURIComponent(from)}/_clone/${
      encodeURIComponent(backup)
    }?wait_for_active_shards=1`;
    const request = {
      method: "POST",
      path,
      body: JSON.stringify({ settings: { "index.blocks.write": true } }),
    };
    const answer = await this.#cluster.send(request, { repeatSafe: true });
    if (errorType(answer) === "resource_already_exists_exception" && answer.repeated) return;
    const failure = failureOf(request, answer);
    if (failure) throw new StepError(request, answer, failure.reason);
    if (field(answer.json, "shards_acknowledged") !== true) {
      throw new StepError(
        request,
        answer,
        "the copy that keeps the old data did not start in time",
      );
    }
  }

  /**
   * The new index takes the place of the old one, in one step.
   *
   * @param live the old index, as it is now
   * @param aliases those of the file
   */
  async switchOver(
    state: CopyState,
    live: LiveIndex,
    aliases: LiveIndex["aliases"],
  ): Promise<void> {
    const { name, from, to, pinned = [] } = state;
    const kept = Object.entries(live.aliases).filter(([alias]) => !isMarker(alias));
    const moved = kept.map(([alias, how]) =>
      [alias, pinned.includes(alias) ? withoutWriteIndex(how) : how] as const
    );
    const given = {
      ...(from === name && { [name]: {} }),
      ...Object.fromEntries(moved),
      ...aliases,
    };
    const isConcrete = from === name;
    await this.#aliases([
      remove(to, copyMarker(state)),
      remove(to, copyTarget(state)),
      ...(isConcrete
        ? [{ remove_index: { index: from } }]
        : [remove(from, sourceMarker(state)), ...kept.map(([alias]) => remove(from, alias))]),
      ...Object.entries(given).map(([alias, how]) => add(to, alias, how)),
    ], () => this.isSwitched(state));
  }

  /** Whether the new index has taken the place of the old one. */
  async isSwitched({ name, to }: CopyState): Promise<boolean> {
    return Object.hasOwn((await readIndex(this.#cluster, to))?.aliases ?? {}, name);
  }

  /** @param isDone whether all of it is so already: a request whose answer got lost, and that was sent again, is refused */
  async #aliases(actions: readonly AliasAction[], isDone?: () => Promise<boolean>): Promise<void> {
    await this.#ensureHeld();
    const request = aliasesRequest(actions);
    const answer = await this.#cluster.send(request, { repeatSafe: true });
    const failure = failureOf(request, answer);
    if (failure === undefined) return;
    if (isDone && (answer.repeated || failure.unacknowledged) && await isDone()) return;
    throw new StepError(request, answer, failure.reason);
  }

  async #put(path: string, body: Json): Promise<void> {
    await this.#ensureHeld();
    await expectAnswer(this.#cluster, { method: "PUT", path, body: JSON.stringify(body) });
  }
}

function aliasesRequest(actions: readonly AliasAction[]) {
  return { method: "POST", path: "/_aliases", body: JSON.stringify({ actions }) };
}

function add(index: string, alias: string, how: Json = { is_hidden: true }): AliasAction {
  return { add: { ...objectOf(how), index, alias } };
}

/** The markers of one kind that an index has, of whichever run of a copy. */
function markersOn(
  index: LiveIndex | undefined,
  { runs }: CopyState,
  markerOf: typeof copyMarker,
): readonly string[] {
  return runs.map((run) => markerOf({ runs: [run] }))
    .filter((alias) => Object.hasOwn(index?.aliases ?? {}, alias));
}

/** Nothing of a request is done where it is not there. */
function remove(index: string, alias: string): AliasAction {
  return { remove: { index, alias, must_exist: true } };
}

function withoutWriteIndex(how: Json | undefined): Json {
  return omit(how ?? {}, (key) => key === "is_write_index");
}
