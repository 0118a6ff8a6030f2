import { withAppendedHeader } from "../../http/mod.ts";
import { isThenable } from "../../text/mod.ts";
import type { AnswerFields } from "../bind/binder.ts";
import type { Exchange } from "../bind/exchange.ts";
import type { ServedRoute } from "../route/served_route.ts";

type Invoke = (exchange: Exchange) => unknown;

/** The header fields that binders of a route add to its answers. */
export class FieldsOfBinders {
  readonly #fields = new WeakMap<Exchange, readonly (readonly [string, string])[]>();

  private constructor(readonly sources: readonly AnswerFields[]) {}

  /** Nothing for a route whose binders add none. */
  static of({ binders }: ServedRoute): FieldsOfBinders | undefined {
    const sources = binders.flatMap(({ fields }) => fields ?? []);
    return sources.length > 0 ? new FieldsOfBinders(sources) : undefined;
  }

  /** Looks at what the handler returned, before a schema makes something else of it. */
  looking(invoke: Invoke): Invoke {
    return (exchange) => {
      const value = invoke(exchange);
      return isThenable(value)
        ? Promise.resolve(value).then((value) => this.#look(exchange, value))
        : this.#look(exchange, value);
    };
  }

  /** The response with the fields. */
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
