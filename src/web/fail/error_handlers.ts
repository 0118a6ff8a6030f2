import type { Type } from "../../container/mod.ts";
import { declaredStatus, marksOf } from "../../http/mod.ts";
import { effectiveDeclarations } from "../declare/effective.ts";
import { MappingError } from "../errors.ts";
import { isHttpException, isHttpExceptionPrototype } from "./http_exception.ts";
import { methodOf } from "../bind/invoke.ts";
import { type ErrorHandler, type ErrorHandlers, EXCEPTIONS } from "../declare/metadata.ts";

/** The handlers that a class declares, inherited ones included. Classes of errors are compared by identity, not by name. */
export class DeclaredErrorHandlers implements ErrorHandlers {
  readonly #byPrototype = new Map<object, ErrorHandler>();
  /** Of classes that there may be another copy of. */
  readonly #ofCopies: {
    readonly isCopy: CopyTest;
    readonly handler: ErrorHandler;
  }[] = [];

  /** @throws {MappingError} when two of them stand for one class of errors, or a class names a status that is none */
  constructor(type: Type<unknown>, bean: object) {
    for (const { handler: name, types } of effectiveDeclarations(type, EXCEPTIONS)) {
      const label = `${type.name}.${name}`;
      const method = methodOf(bean, name, label);
      const handler: ErrorHandler = {
        label,
        handle: (error, request) => method.call(bean, error, request),
      };
      for (const one of types) this.#add(one, handler);
    }
  }

  find(error: unknown): ErrorHandler | undefined {
    if (typeof error !== "object" || error === null) return undefined;
    for (let of = Object.getPrototypeOf(error); of !== null; of = Object.getPrototypeOf(of)) {
      const found = this.#handlerOf(of, error);
      if (found) return found;
    }
    return undefined;
  }

  #handlerOf(prototype: object, error?: unknown): ErrorHandler | undefined {
    return this.#byPrototype.get(prototype) ??
      this.#ofCopies.find(({ isCopy }) => isCopy(prototype, error))?.handler;
  }

  #add(type: Type<Error>, handler: ErrorHandler): void {
    const { prototype } = type;
    const marks = marksOf(prototype);
    const other = this.#handlerOf(prototype);
    if (other && other.label !== handler.label) {
      throw new MappingError(
        `Two handlers handle the same errors: '${other.label}' and '${handler.label}' handle '${type.name}'`,
        [other.label, handler.label],
      );
    }
    checkStatus(type, handler.label);
    this.#byPrototype.set(prototype, handler);
    const isCopy = copyTest(prototype, marks);
    if (isCopy) this.#ofCopies.push({ isCopy, handler });
  }
}

/** Whether a prototype, one of those of an error, is that of the same class in another copy. */
type CopyTest = (prototype: object, error?: unknown) => boolean;

function copyTest(prototype: object, marks: readonly symbol[]): CopyTest | undefined {
  if (isHttpExceptionPrototype(prototype)) {
    return (other, error) => isHttpExceptionPrototype(other) && isHttpException(error);
  }
  return marks.length > 0 ? (other) => marks.some((mark) => Object.hasOwn(other, mark)) : undefined;
}

/**
 * @param label of who handles the class, where that is known
 * @throws {MappingError} when a class of errors names a status that is none
 */
export function checkStatus(type: Type<unknown>, label?: string): void {
  try {
    declaredStatus(type);
  } catch (error) {
    const { message } = error as Error;
    if (label === undefined) throw new MappingError(message);
    throw new MappingError(`${message} (handled by '${label}')`, [label]);
  }
}
