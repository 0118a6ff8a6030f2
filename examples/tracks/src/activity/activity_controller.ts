import { Autowired, GetMapping, type HttpRequest, RestController, ServerSentEvent } from "irori";
import { Activity } from "./activity.ts";

@RestController()
export class ActivityController {
  @Autowired(Activity)
  private readonly activity!: Activity;

  /** Ends when the client leaves, or the application. */
  @GetMapping({ path: "/events", produces: "text/event-stream" })
  async *events({ signal }: HttpRequest): AsyncGenerator<ServerSentEvent> {
    const events = this.activity.follow(signal);
    yield new ServerSentEvent("You will receive all issues", {
      event: "welcome",
    });
    for await (const { type, ...event } of events) {
      yield new ServerSentEvent(event, { event: type });
    }
  }
}
