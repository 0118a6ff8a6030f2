/** Tests the messages for a project with TypeScript's old decorators, by each compiler that has them. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { bun, type Command, DENO, tsx } from "./executables.ts";
import { Project } from "./project.ts";

const DECORATED: Readonly<Record<string, string>> = {
  RestController: "@RestController() export class A {}",
  Service: "@Service() export class A {}",
  RequestMapping: '@RequestMapping("/a") export class A {}',
  GetMapping: 'export class A { @GetMapping("/a") get() {} }',
  Autowired: "export class A { @Autowired(Object) a!: object; }",
  Value: 'export class A { @Value("${a}") a!: string; }',
  Bean: "export class A { @Bean() a() {} }",
  PostConstruct: "export class A { @PostConstruct() a() {} }",
  Use: "@Use() export class A {}",
};
const OPTIONS = JSON.stringify({ compilerOptions: { experimentalDecorators: true } });
const project = prepared();

test("Deno", (made) => [...DENO, "--no-check", "--config", made.file("deno.json")]);
test("Bun", async () => await bun());
for (const major of [22, 24] as const) {
  test(`tsx on Node ${major}`, () => tsx(major));
}

Deno.test.afterAll(async () => {
  await (await project)[Symbol.asyncDispose]();
});

function test(name: string, command: (project: Project) => Command | Promise<Command>): void {
  Deno.test({
    name: `experimentalDecorators + are refused in one sentence by every decorator: ${name}`,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const made = await project;
      const [executable = "", ...args] = await command(made);
      const { code, stderr } = await new Deno.Command(executable, {
        args: [...args, made.file("main.ts")],
        cwd: made.path,
        env: { NO_COLOR: "1" },
        stdin: "null",
      }).output();
      const text = new TextDecoder().decode(stderr);
      assertEquals(code, 0, text);
      for (const decorator of Object.keys(DECORATED)) {
        assertStringIncludes(
          text,
          `TypeError: @${decorator} is a standard decorator: ` +
            "remove 'experimentalDecorators' from the compiler options ",
        );
      }
    },
  });
}

async function prepared(): Promise<Project> {
  const made = await Project.fromTarball();
  await made.write("tsconfig.json", OPTIONS);
  await made.write("deno.json", OPTIONS);
  const names = Object.keys(DECORATED);
  for (const [name, source] of Object.entries(DECORATED)) {
    await made.write(`${name}.ts`, `import { ${name} } from "irori";\n${source}\n`);
  }
  // Each fails by itself while it is imported, and says so.
  await made.write(
    "main.ts",
    `for (const name of ${JSON.stringify(names)}) {
  await import(\`./\${name}.ts\`).then(
    () => console.error(\`\${name} was taken\`),
    (error) => console.error(String(error)),
  );
}
`,
  );
  return made;
}
