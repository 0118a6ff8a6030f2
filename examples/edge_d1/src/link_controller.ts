import {
  Autowired,
  GetMapping,
  HttpError,
  type HttpRequest,
  HttpStatus,
  PathVariable,
  PostMapping,
  RequestBody,
  RestController,
  Value,
} from "irori";
import * as z from "zod";
import { Link, NewLink } from "./link.ts";
import { LinkRepository } from "./link_repository.ts";

@RestController()
export class LinkController {
  @Autowired(LinkRepository)
  private readonly links!: LinkRepository;
  @Value("${links.limit}", "int")
  private readonly limit!: number;

  @PostMapping({ path: "/links", status: HttpStatus.CREATED, returns: Link }, RequestBody(NewLink))
  async create(link: NewLink): Promise<Link> {
    const created = await this.links.insert(link);
    if (!created) throw new HttpError(HttpStatus.CONFLICT, `The slug '${link.slug}' is taken`);
    return created;
  }

  @GetMapping({ path: "/links", returns: z.array(Link) })
  async list(): Promise<Link[]> {
    return await this.links.list(this.limit);
  }

  @GetMapping("/{slug}", PathVariable("slug"))
  async follow(slug: string, request: HttpRequest) {
    const url = await this.links.findUrl(slug);
    if (url === null) throw new HttpError(HttpStatus.NOT_FOUND, `There is no link '${slug}'`);
    request.context.executionCtx.waitUntil(this.links.countVisit(slug)); // After the response.
    return request.context.redirect(url);
  }
}
