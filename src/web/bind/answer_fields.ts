import { withAppendedHeader } from "../../http/mod.ts";
import { followedBy } from "../../text/mod.ts";
import type { AnswerFields, Bind, Exchange } from "./binder.ts";

export function answerFields(
  descriptions: AnswerFields["descriptions"],
  of: AnswerFields["of"],
): AnswerFields {
  return { descriptions, of, collected: (sources) => new FieldsOfBinders(sources) };
}

class FieldsOfBinders {
  readonly #fields = new WeakMap<Exchange, readonly (readonly [string, string])[]>();

  constructor(readonly sources: readonly AnswerFields[]) {}

  looking(invoke: Bind): Bind {
    return (exchange) => followedBy(invoke(exchange), (value) => this.#look(exchange, value));
  }

  addedTo(response: Response, exchange: Exchange): Response {
    return (this.#fields.get(exchange) ?? []).reduce(
      (response, [name, value]) => withAppendedHeader(response, name, value),
      response,
    );
  }

  #look(exchange: Exchange, value: unknown): unknown {
    this.#fields.set(exchange, this.sources.flatMap((source) => source.of(exchange, value)));
    return value;
  }
}
