// @ts-types="npm:@types/js-yaml@^4.0.9"
import { Type } from "js-yaml";

/** `10`, `1_000`, `0x1F`, `0b101` and `017`; no base 60. */
export const INT: Type = new Type("tag:yaml.org,2002:int", {
  kind: "scalar",
  resolve: (data: unknown) => INTEGER.test(String(data)),
  construct: (data: string) => {
    const digits = data.replaceAll("_", "").replace(/^[-+]/, "");
    const value = /^0[0-7]/.test(digits) ? parseInt(digits, 8) : Number(digits);
    return value !== 0 && data.startsWith("-") ? -value : value;
  },
  predicate: (object: unknown) => Number.isInteger(object) && !Object.is(object, -0),
  represent: String,
});

/** `1.5`, `1e3`, `.5`, `.inf` and `.nan`; no base 60. */
export const FLOAT: Type = new Type("tag:yaml.org,2002:float", {
  kind: "scalar",
  resolve: (data: unknown) => DECIMAL.test(String(data)) && !String(data).endsWith("_"),
  construct: (data: string) => {
    const text = data.replaceAll("_", "").toLowerCase();
    if (text.endsWith(".nan")) return NaN;
    if (text.endsWith(".inf")) return text.startsWith("-") ? -Infinity : Infinity;
    return parseFloat(text);
  },
  predicate: (object: unknown) =>
    typeof object === "number" && (!Number.isInteger(object) || Object.is(object, -0)),
  represent: (object: unknown) => {
    if (Number.isNaN(object)) return ".nan";
    if (Object.is(object, -0)) return "-0.0";
    const text = String(object).replace("Infinity", ".inf");
    // Without a dot it would be read as a text.
    return text.replace(/^(-?\d+)e/, "$1.e");
  },
});

const INTEGER =
  /^[-+]?(?:0|0b[01_]*[01]|0x[\da-fA-F_]*[\da-fA-F]|0[0-7_]*[0-7]|[1-9](?:[\d_]*\d)?)$/;

const DECIMAL =
  /^(?:[-+]?(?:0|[1-9][\d_]*)(?:\.[\d_]*)?(?:[eE][-+]?\d+)?|\.[\d_]+(?:[eE][-+]?\d+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
