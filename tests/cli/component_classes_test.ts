import { assertEquals, assertRejects } from "@std/assert";
import { componentClasses } from "../../src/cli/component_classes.ts";

const IMPORTS = `
import { Autowired, Component, Configuration as Beans, ControllerAdvice, RestController, Service } from "irori";
import * as irori from "@irori/irori";
import { Entity } from "elsewhere";
`;

Deno.test("componentClasses + finds exported classes with a stereotype", async () => {
  const cases: [source: string, names: string[]][] = [
    ["@Service() export class B {}\nexport @Component('x') class A {}", ["A", "B"]],
    ["@Beans()\nexport class Settings<T> extends Base<T> implements Other {}", ["Settings"]],
    ["@Entity @RestController()\nexport class Users { @Autowired(X) private x!: X; }", ["Users"]],
    ["@ControllerAdvice()\nexport class Errors {}", ["Errors"]],
    ["@irori.Service()\nexport class Users {}", ["Users"]],
    ["@Service()\nclass Users {}\nexport { Users };", ["Users"]],
    ["@Service()\nclass Users {}\nexport { Users as Z, Users as People };", ["People"]],
    ["@Service()\nexport default class Users {}", ["default"]],
    ["@Service()\nexport default class {}", ["default"]],
    ["@Service()\nclass Users {}\nexport default Users;", ["default"]],
  ];
  for (const [source, names] of cases) {
    assertEquals(await componentClasses(IMPORTS + source, "a.ts"), names, source);
  }
});

Deno.test("componentClasses + leaves everything else alone", async () => {
  const cases = [
    "@Service() class Hidden {}",
    "@Entity() export class Row {}",
    "export class Plain { @Autowired(X) x!: X; }",
    "export const service = Service(); export function f() { @Service() class Inner {} }",
    "export { Users } from './users.ts'; export * from './users.ts';",
    "type A = 1; export type { A }; export interface B {} export abstract class C {} export default 3;",
    "// @Service() export class Commented {}\nexport const text = '@Service() export class X {}';",
    "",
  ];
  for (const source of cases) {
    assertEquals(await componentClasses(IMPORTS + source, "a.ts"), [], source);
  }
  // A decorator of the same name that was not imported belongs to the application.
  const own = "const Service = () => () => {};\n@Service() export class A {}";
  assertEquals(await componentClasses(own, "a.ts"), []);
});

Deno.test("componentClasses + reads the syntax that the file's name promises", async () => {
  const jsx = IMPORTS + "@Service() export class Page { render() { return <b>x</b>; } }";
  for (const path of ["a.tsx", "a.jsx", "a.js"]) {
    assertEquals(await componentClasses(jsx, path), ["Page"], path);
  }
  const assertion = IMPORTS + "@Service() export class A { x = <string> y; }";
  assertEquals(await componentClasses(assertion, "a.mts"), ["A"]);
  await assertRejects(() => componentClasses("export class {", "a.ts"), SyntaxError);
});
