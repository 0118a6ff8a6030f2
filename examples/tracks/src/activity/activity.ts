import { Component } from "irori";
import { EventEmitter, on } from "node:events";

/** Something that has happened to an issue. */
export interface IssueEvent {
  readonly type: "issue-created" | "issue-changed" | "comment-added";
  readonly issue: number;
  readonly by: string;
}

/** Tells those who listen what happens in this process; several of them would tell each other by `LISTEN` and `NOTIFY`. */
@Component()
export class Activity {
  private readonly emitter = new EventEmitter().setMaxListeners(0);

  publish(event: IssueEvent): void {
    this.emitter.emit("event", event);
  }

  /** All events from now on, until the signal is aborted. */
  follow(signal: AbortSignal): AsyncIterable<IssueEvent> {
    const events = on(this.emitter, "event", { signal });
    return (async function* () {
      try {
        for await (const [event] of events) yield event;
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    })();
  }
}
