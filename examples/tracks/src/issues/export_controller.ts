import { Autowired, GetMapping, PathVariable, RestController } from "irori";
import { ProjectNotFound } from "../problems.ts";
import { projectKey } from "../projects/project.ts";
import { ProjectRepository } from "../projects/project_repository.ts";
import { csvLine } from "./csv.ts";
import { IssueRepository } from "./issue_repository.ts";

const AT_ONCE = 500;

/** Without an annotation: every authenticated user may call it. */
@RestController()
export class ExportController {
  @Autowired(IssueRepository)
  private readonly issues!: IssueRepository;
  @Autowired(ProjectRepository)
  private readonly projects!: ProjectRepository;

  /** As many rows in memory as are asked for at once, however many there are. */
  @GetMapping(
    {
      path: "/projects/{key}/issues.csv",
      produces: "text/csv",
      problems: [ProjectNotFound],
    },
    PathVariable("key", projectKey),
  )
  async *issuesAsCsv(key: string): AsyncGenerator<string> {
    if (!await this.projects.find(key)) throw new ProjectNotFound();
    yield csvLine("number", "title", "status", "author", "created");
    for (let last = 0, count = AT_ONCE; count === AT_ONCE;) {
      const rows = await this.issues.findAfter(key, last, AT_ONCE);
      for (const { number, title, status, author, createdAt } of rows) {
        yield csvLine(number, title, status, author, createdAt.toISOString());
        last = number;
      }
      count = rows.length;
    }
  }
}
