import {
  ACCEPTED,
  type Binder,
  binderOf,
  type BindingSite,
  boundaryOf,
  consumesFits,
  MappingError,
  unsupportedType,
} from "../../web/mod.ts";
import { essence } from "../../text/mod.ts";
import { malformed } from "./part_head.ts";
import { type Part, Parts } from "./parts.ts";

/** Options of {@linkcode MultipartStream}. */
export interface MultipartStreamOptions {
  /** Bytes that the body of a part may have; answered with 413 beyond. @default those of the whole body */
  readonly maxPartSize?: number;
  /** How many parts there may be; answered with 400 beyond. @default `server.max-form-fields` */
  readonly maxParts?: number;
}

/**
 * Binds a `multipart/form-data` body (RFC 7578) as its parts, one after the other, while they arrive. Nothing is kept in
 * memory: the connection is read as far as the handler reads. A part that is not read is skipped when the next is asked
 * for. A body of another type is answered with 415.
 *
 * ```ts ignore
 * @PostMapping({ path: "/files", maxBodySize: 2 ** 30 }, MultipartStream({ maxPartSize: 2 ** 28 }))
 * async upload(parts: AsyncIterable<Part>) {
 *   for await (const part of parts) await store(part.filename ?? part.name, part.body);
 * }
 * ```
 *
 * @throws {MappingError} when a limit is no whole number; at startup where the mapping consumes other types, or another
 * binder reads the body
 */
export function MultipartStream(
  options: MultipartStreamOptions = {},
): Binder<AsyncIterable<Part>> {
  checkLimits(options);
  const { maxPartSize = Infinity, maxParts } = options;
  return binderOf({
    input: { in: "body", required: true, list: false, type: "multipart" },
    compile(site) {
      checkSite(site);
      return ({ request, parts: { maxFormFields } }) => {
        const boundary = boundaryIn(request.header("Content-Type") ?? null);
        const limits = { maxPartSize, maxParts: maxParts ?? maxFormFields };
        return new Parts(() => request.stream(), boundary, limits);
      };
    },
  });
}

const TYPE = "multipart/form-data";
/** RFC 2046, 5.1.1. */
const MAX_BOUNDARY = 70;

function boundaryIn(contentType: string | null): string {
  if (contentType === null || essence(contentType) !== TYPE) {
    throw unsupportedType(contentType, ACCEPTED.multipart);
  }
  const boundary = boundaryOf(contentType);
  if (boundary === "") throw malformed("its type has no boundary");
  if (boundary.length > MAX_BOUNDARY) {
    throw malformed(`its boundary has more than ${MAX_BOUNDARY} characters`);
  }
  return boundary;
}

function checkSite({ consumes, inputs, label }: BindingSite): void {
  const readers = inputs.filter(({ in: place }) => /^(?:body|form|part)$/.test(place));
  const reason = consumes.length > 0 && !consumesFits(consumes, TYPE)
    ? `expected a mapping that consumes ${TYPE}, found ${consumes.join(", ")}`
    : readers.length > 1
    ? "expected no other binder that reads the body, which would keep all of it in memory"
    : undefined;
  if (reason === undefined) return;
  throw new MappingError(`Cannot bind a MultipartStream of '${label}': ${reason}`, [label]);
}

function checkLimits(options: MultipartStreamOptions): void {
  for (const name of ["maxPartSize", "maxParts"] as const) {
    const value = options[name];
    if (value === undefined || Number.isSafeInteger(value) && value >= 0) continue;
    throw new MappingError(
      `Cannot create a MultipartStream: expected a whole number as ${name}, found '${value}'`,
    );
  }
}
