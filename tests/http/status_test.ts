import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { HttpStatus } from "../../src/http/mod.ts";

/** The IANA HTTP Status Code Registry; 306 and 418 are reserved there, 418 has its phrase from RFC 2324. */
const REGISTERED: readonly (readonly [number, string, string])[] = [
  [100, "CONTINUE", "Continue"],
  [101, "SWITCHING_PROTOCOLS", "Switching Protocols"],
  [102, "PROCESSING", "Processing"],
  [103, "EARLY_HINTS", "Early Hints"],
  [104, "UPLOAD_RESUMPTION_SUPPORTED", "Upload Resumption Supported"],
  [200, "OK", "OK"],
  [201, "CREATED", "Created"],
  [202, "ACCEPTED", "Accepted"],
  [203, "NON_AUTHORITATIVE_INFORMATION", "Non-Authoritative Information"],
  [204, "NO_CONTENT", "No Content"],
  [205, "RESET_CONTENT", "Reset Content"],
  [206, "PARTIAL_CONTENT", "Partial Content"],
  [207, "MULTI_STATUS", "Multi-Status"],
  [208, "ALREADY_REPORTED", "Already Reported"],
  [226, "IM_USED", "IM Used"],
  [300, "MULTIPLE_CHOICES", "Multiple Choices"],
  [301, "MOVED_PERMANENTLY", "Moved Permanently"],
  [302, "FOUND", "Found"],
  [303, "SEE_OTHER", "See Other"],
  [304, "NOT_MODIFIED", "Not Modified"],
  [305, "USE_PROXY", "Use Proxy"],
  [307, "TEMPORARY_REDIRECT", "Temporary Redirect"],
  [308, "PERMANENT_REDIRECT", "Permanent Redirect"],
  [400, "BAD_REQUEST", "Bad Request"],
  [401, "UNAUTHORIZED", "Unauthorized"],
  [402, "PAYMENT_REQUIRED", "Payment Required"],
  [403, "FORBIDDEN", "Forbidden"],
  [404, "NOT_FOUND", "Not Found"],
  [405, "METHOD_NOT_ALLOWED", "Method Not Allowed"],
  [406, "NOT_ACCEPTABLE", "Not Acceptable"],
  [407, "PROXY_AUTHENTICATION_REQUIRED", "Proxy Authentication Required"],
  [408, "REQUEST_TIMEOUT", "Request Timeout"],
  [409, "CONFLICT", "Conflict"],
  [410, "GONE", "Gone"],
  [411, "LENGTH_REQUIRED", "Length Required"],
  [412, "PRECONDITION_FAILED", "Precondition Failed"],
  [413, "CONTENT_TOO_LARGE", "Content Too Large"],
  [414, "URI_TOO_LONG", "URI Too Long"],
  [415, "UNSUPPORTED_MEDIA_TYPE", "Unsupported Media Type"],
  [416, "RANGE_NOT_SATISFIABLE", "Range Not Satisfiable"],
  [417, "EXPECTATION_FAILED", "Expectation Failed"],
  [418, "IM_A_TEAPOT", "I'm a teapot"],
  [421, "MISDIRECTED_REQUEST", "Misdirected Request"],
  [422, "UNPROCESSABLE_ENTITY", "Unprocessable Content"],
  [423, "LOCKED", "Locked"],
  [424, "FAILED_DEPENDENCY", "Failed Dependency"],
  [425, "TOO_EARLY", "Too Early"],
  [426, "UPGRADE_REQUIRED", "Upgrade Required"],
  [428, "PRECONDITION_REQUIRED", "Precondition Required"],
  [429, "TOO_MANY_REQUESTS", "Too Many Requests"],
  [431, "REQUEST_HEADER_FIELDS_TOO_LARGE", "Request Header Fields Too Large"],
  [451, "UNAVAILABLE_FOR_LEGAL_REASONS", "Unavailable For Legal Reasons"],
  [500, "INTERNAL_SERVER_ERROR", "Internal Server Error"],
  [501, "NOT_IMPLEMENTED", "Not Implemented"],
  [502, "BAD_GATEWAY", "Bad Gateway"],
  [503, "SERVICE_UNAVAILABLE", "Service Unavailable"],
  [504, "GATEWAY_TIMEOUT", "Gateway Timeout"],
  [505, "HTTP_VERSION_NOT_SUPPORTED", "HTTP Version Not Supported"],
  [506, "VARIANT_ALSO_NEGOTIATES", "Variant Also Negotiates"],
  [507, "INSUFFICIENT_STORAGE", "Insufficient Storage"],
  [508, "LOOP_DETECTED", "Loop Detected"],
  [510, "NOT_EXTENDED", "Not Extended"],
  [511, "NETWORK_AUTHENTICATION_REQUIRED", "Network Authentication Required"],
];

Deno.test("HttpStatus + has a constant for every registered code, and no other", () => {
  const constants = Object.entries(HttpStatus).filter(([, value]) => value instanceof HttpStatus);
  assertEquals(
    constants.map(([name, status]) => [status.getValue(), name, status.getReasonPhrase()]),
    REGISTERED.map((row) => [...row]),
  );
});

Deno.test("HttpStatus.of() + gives the constant of a registered code", () => {
  for (const [code, name] of REGISTERED) {
    assertStrictEquals(
      HttpStatus.of(code),
      (HttpStatus as unknown as Record<string, HttpStatus>)[name],
    );
  }
});

Deno.test("HttpStatus.of() + gives one object for a code that is not registered", () => {
  const status = HttpStatus.of(499);
  assertEquals([status.value, status.reasonPhrase, String(status)], [499, "", "499"]);
  assertStrictEquals(HttpStatus.of(499), status);
});

Deno.test("HttpStatus.of() + refuses what is no code", () => {
  for (const code of [99, 600, 200.5, NaN, -404, Infinity]) {
    const error = assertThrows(() => HttpStatus.of(code), RangeError);
    assert(error.message.includes(`found '${code}'`));
  }
});

Deno.test("HttpStatus + reads as code and phrase", () => {
  assertEquals(String(HttpStatus.CONFLICT), "409 Conflict");
});
